//! Automata as standalone SVG: dagre computes the layout, and this module draws it.

use std::fmt::Write;

use dagre::graph::{Graph, GraphOptions};
use dagre::{EdgeLabel, LayoutOptions, NodeLabel, Point, layout};

use super::blocks::{Drawn, drawn, shown};
use super::dot::{MAX_LABEL, shorten, tooltip};
use super::drawing::{LINE, curve, document, escape, label, room_for, text_width};
use super::op::describe;
use super::text::marks;
use super::{Numbering, Printer};
use crate::cfa::large::LargeBlocks;
use crate::cfa::program::{FuncId, LocId, LocationKind, Program};

/// The radius of a location, in pixels; so are the following.
const RADIUS: f64 = 15.0;
/// The margin around each function.
const MARGIN: f64 = 24.0;
/// The maximum width of a row of functions.
const ROW_WIDTH: f64 = 2400.0;

/// Functions with more locations are only listed by name: the layout takes superlinear time (5000 locations: 11 s), and
/// the drawing would not be readable.
const MAX_LOCATIONS: usize = 4000;

const STYLE: &str = ".name{text-anchor:middle}.frame{fill:#fff;stroke:#ccc}\
circle{fill:#fff;stroke:#222;stroke-width:1.3}.loop circle{fill:#e4edfb;stroke:#1f5fbf}\
.exit circle{stroke-width:2.6}.halt circle{stroke-dasharray:4 2}.lost circle{stroke:#999}\
.error circle{fill:#fdeaea;stroke:#c00000}.error text{fill:#c00000}";

/// The automata of `functions` as one SVG document, as single operations or in large blocks.
pub fn svg(program: &Program, functions: &[FuncId], blocks: Option<&LargeBlocks>) -> String {
    let printer = Printer::new(program);
    let (mut body, mut x, mut y) = (String::new(), 0.0, 0.0);
    let (mut row_height, mut width) = (0.0_f64, 0.0_f64);
    for &id in functions {
        let picture = Picture::new(program, &printer.inside(id), id, blocks);
        if x > 0.0 && x + picture.width > ROW_WIDTH {
            (x, y, row_height) = (0.0, y + row_height, 0.0);
        }
        let _ = writeln!(body, "<g transform=\"translate({x:.1} {y:.1})\">\n{}</g>", picture.body);
        x += picture.width;
        row_height = row_height.max(picture.height);
        width = width.max(x);
    }
    document(&body, STYLE, width, y + row_height)
}

/// The drawing of one function.
struct Picture {
    body: String,
    width: f64,
    height: f64,
}

impl Picture {
    fn new(program: &Program, printer: &Printer<'_>, id: FuncId, blocks: Option<&LargeBlocks>) -> Self {
        let numbering = Numbering::new(program, id);
        let header = printer.header(id);
        let locations = shown(&numbering, blocks);
        let count = locations.len();
        if count > MAX_LOCATIONS {
            return Picture::only_named(&format!("{header}: {count} locations, too many to draw"));
        }
        let edges: Vec<Drawn> = locations.iter().flat_map(|&at| drawn(program, printer, blocks, at)).collect();
        let graph = arrange(program, &locations, &edges);
        let edges = draw_edges(printer, &edges, &graph);
        let locations = draw_locations(program, &numbering, &locations, id, &graph);
        let size = graph.graph_label::<dagre::GraphLabel>().map_or((0.0, 0.0), |label| (label.width, label.height));
        let width = size.0.max(text_width(&header) * 1.1) + 2.0 * MARGIN;
        // Room for the arrow that leads to the entry.
        let top = MARGIN + LINE + 22.0;
        let height = top + size.1 + MARGIN;
        let left = (width - size.0) / 2.0;
        let mut body = String::new();
        let _ = writeln!(
            body,
            "<rect class=\"frame\" x=\"6\" y=\"6\" width=\"{:.1}\" height=\"{:.1}\" rx=\"6\"/>\n\
             <text class=\"head\" x=\"{MARGIN}\" y=\"26\">{}</text>\n\
             <g transform=\"translate({left:.1} {top:.1})\">\n{edges}{locations}</g>",
            width - 12.0,
            height - 12.0,
            escape(&header),
        );
        Picture { body, width, height }
    }

    fn only_named(text: &str) -> Self {
        let body = format!("<text class=\"head\" x=\"{MARGIN}\" y=\"26\">{}</text>\n", escape(text));
        Picture { body, width: text_width(text) * 1.1 + 2.0 * MARGIN, height: 2.0 * MARGIN }
    }
}

type Arrangement = Graph<NodeLabel, EdgeLabel>;

/// Computes the layout of locations, captions and edge labels.
fn arrange(program: &Program, locations: &[LocId], edges: &[Drawn]) -> Arrangement {
    let mut graph = Graph::with_options(GraphOptions { directed: true, multigraph: true, compound: false });
    for &at in locations {
        let caption = caption(program, at);
        let node = NodeLabel {
            width: (2.0 * RADIUS).max(text_width(&caption)),
            height: 2.0 * RADIUS + if caption.is_empty() { 0.0 } else { LINE + 6.0 },
            ..NodeLabel::default()
        };
        graph.set_node(at.0.to_string(), Some(node));
    }
    for edge in edges {
        let label = room_for(&shorten(&edge.label, MAX_LABEL));
        let (from, to) = (edge.from.0.to_string(), edge.to.0.to_string());
        graph.set_edge(from, to, Some(label), Some(edge.name.as_str()));
    }
    let options = LayoutOptions { nodesep: 28.0, edgesep: 16.0, ranksep: 36.0, ..LayoutOptions::default() };
    layout(&mut graph, Some(options));
    graph
}

/// The caption below the circle of a location.
fn caption(program: &Program, at: LocId) -> String {
    describe(&program.location(at).kind).map_or_else(String::new, |text| shorten(&text, MAX_LABEL))
}

/// The centre of the circle of a location, above its caption.
fn centre(graph: &Arrangement, at: LocId) -> Point {
    let Some(node) = graph.node(&at.0.to_string()) else { return Point::new(0.0, 0.0) };
    Point::new(node.x.unwrap_or(0.0), node.y.unwrap_or(0.0) - node.height / 2.0 + RADIUS)
}

fn draw_locations(
    program: &Program,
    numbering: &Numbering,
    locations: &[LocId],
    function: FuncId,
    graph: &Arrangement,
) -> String {
    let mut out = String::new();
    for &at in locations {
        let location = program.location(at);
        let Point { x, y } = centre(graph, at);
        if program.function(function).entry == at {
            let _ = writeln!(
                out,
                "<path class=\"edge\" d=\"M{x:.1} {:.1}V{:.1}\" marker-end=\"url(#arrow)\"/>",
                y - 40.0,
                y - RADIUS
            );
        }
        let class = match &location.kind {
            LocationKind::Error(_) => "error",
            LocationKind::Exit => "exit",
            LocationKind::Halt => "halt",
            LocationKind::Normal if location.loop_head => "loop",
            LocationKind::Normal if !numbering.reaches(at) => "lost",
            LocationKind::Normal => "",
        };
        let _ = write!(out, "<g class=\"{class}\"><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>");
        if class == "error" {
            let _ = write!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{}\"/>", RADIUS - 3.0);
        }
        let _ = write!(out, "<text class=\"name\" x=\"{x:.1}\" y=\"{:.1}\">L{}</text>", y + 4.0, numbering.number(at));
        let caption = caption(program, at);
        if !caption.is_empty() {
            let below = y + RADIUS + LINE;
            let _ = write!(out, "<text class=\"name\" x=\"{x:.1}\" y=\"{below:.1}\">{}</text>", escape(&caption));
        }
        let marks = marks(program, numbering, function, at).join(", ");
        let _ = writeln!(out, "<title>{}</title></g>", escape(&marks));
    }
    out
}

fn draw_edges(printer: &Printer<'_>, edges: &[Drawn], graph: &Arrangement) -> String {
    let (mut lines, mut labels) = (String::new(), String::new());
    for edge in edges {
        let (from, to) = (edge.from.0.to_string(), edge.to.0.to_string());
        let Some(placed) = graph.edge(&from, &to, Some(edge.name.as_str())) else { continue };
        let text = &edge.label;
        let title = escape(&tooltip(printer, text, edge.source));
        let (start, end) = (centre(graph, edge.from), centre(graph, edge.to));
        let path = match placed.x {
            Some(x) if edge.from == edge.to => self_loop(&start, x - placed.width / 2.0),
            _ => path(&placed.points, &start, &end),
        };
        let _ = writeln!(
            lines,
            "<path class=\"edge\" d=\"{path}\" marker-end=\"url(#arrow)\"><title>{title}</title></path>"
        );
        if let (false, Some(x), Some(y)) = (text.is_empty(), placed.x, placed.y) {
            labels += &label(&shorten(text, MAX_LABEL), &title, x, y);
        }
    }
    // Labels come last, so that no line covers them.
    lines + &labels
}

/// A curve between two circles, perpendicular to them, with vertical tangents at the inner points.
fn path(points: &[Point], from: &Point, to: &Point) -> String {
    let inner = points.get(1..points.len().saturating_sub(1)).unwrap_or(&[]);
    let (after, before) = (inner.first().unwrap_or(to), inner.last().unwrap_or(from));
    let (start, end) = (on_circle(from, after), on_circle(to, before));
    let stops: Vec<&Point> = std::iter::once(&start).chain(inner).chain([&end]).collect();
    curve(&stops, |reach| outwards(from, &start, reach), |reach| outwards(to, &end, reach))
}

/// An edge from a circle to itself, on its right side, up to the abscissa `reach`.
fn self_loop(centre: &Point, reach: f64) -> String {
    let (dx, dy) = (0.8 * RADIUS, 0.6 * RADIUS);
    let x = centre.x + dx;
    // A cubic curve reaches three quarters of the way to its control points.
    let bend = x + (reach - x).max(RADIUS) / 0.75;
    let (above, below) = (centre.y - dy, centre.y + dy);
    let (up, down) = (above - RADIUS, below + RADIUS);
    format!("M{x:.1} {above:.1}C{bend:.1} {up:.1} {bend:.1} {down:.1} {x:.1} {below:.1}")
}

/// The intersection of a circle with the line from its centre to `target`.
fn on_circle(centre: &Point, target: &Point) -> Point {
    let (dx, dy) = (target.x - centre.x, target.y - centre.y);
    let length = dx.hypot(dy).max(1e-6);
    Point::new(centre.x + dx / length * RADIUS, centre.y + dy / length * RADIUS)
}

/// The point at distance `reach` from `at`, in radial direction.
fn outwards(centre: &Point, at: &Point, reach: f64) -> Point {
    Point::new(at.x + (at.x - centre.x) / RADIUS * reach, at.y + (at.y - centre.y) / RADIUS * reach)
}
