//! Graphs as SVG.

use std::fmt::{self, Write};

use dagre::graph::{Graph as Plan, GraphOptions};
use dagre::{EdgeLabel, LayoutOptions, NodeLabel, Point, layout};

use super::{Fate, Graph, Node};
use crate::print::Names;
use crate::print::drawing::{LINE, curve, document, escape, label, room_for, text_width};
use crate::print::{MAX_LABEL, shorten};

/// The padding of boxes and of the picture.
const MARGIN: f64 = 8.0;

/// Larger graphs are not drawn: the layout takes superlinear time, and the picture would be unreadable.
const MAX_NODES: usize = 1500;

const STYLE: &str = ".box rect{fill:#fff;stroke:#222;stroke-width:1.3}.box text{text-anchor:middle}\
.covered rect{stroke:#999}.covered text{fill:#777}.waiting rect{stroke-dasharray:4 2}.end rect{stroke-width:2.6}\
.target rect{fill:#fdeaea;stroke:#c00000}.target text{fill:#c00000}.covering{stroke:#999;stroke-dasharray:5 3}";

/// A graph has too many nodes to be drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// The number of nodes.
    pub nodes: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the graph has {} nodes, and pictures hold up to {MAX_NODES}", self.nodes)
    }
}

type Placed = Plan<NodeLabel, EdgeLabel>;

impl Graph {
    /// The whole graph as an SVG document.
    pub fn svg(&self, names: &Names<'_>) -> Result<String, TooLarge> {
        if self.nodes.len() > MAX_NODES {
            return Err(TooLarge { nodes: self.nodes.len() });
        }
        let texts: Vec<Vec<String>> = self
            .nodes
            .iter()
            .enumerate()
            .map(|(number, node)| node.lines(number, names).iter().map(|line| shorten(line, MAX_LABEL)).collect())
            .collect();
        let plan = self.place(&texts, names);
        let (width, height) = plan.graph_label::<dagre::GraphLabel>().map_or((0.0, 0.0), |g| (g.width, g.height));
        let boxes: String = self.nodes.iter().enumerate().map(|(n, node)| draw(&plan, n, node, &texts[n])).collect();
        let body = format!("<g transform=\"translate({MARGIN} {MARGIN})\">\n{boxes}{}</g>\n", self.lines(&plan, names));
        Ok(document(&body, STYLE, width + 2.0 * MARGIN, height + 2.0 * MARGIN))
    }

    /// Lays out the boxes, with space for the texts of nodes and edges.
    fn place(&self, texts: &[Vec<String>], names: &Names<'_>) -> Placed {
        let mut plan = Plan::with_options(GraphOptions { directed: true, multigraph: true, compound: false });
        for (number, lines) in texts.iter().enumerate() {
            let width = lines.iter().map(|line| text_width(line)).fold(0.0, f64::max) + 2.0 * MARGIN;
            let height = lines.len() as f64 * LINE + MARGIN;
            plan.set_node(number.to_string(), Some(NodeLabel { width, height, ..NodeLabel::default() }));
        }
        for (number, node) in self.nodes.iter().enumerate() {
            for (i, edge) in node.edges.iter().enumerate() {
                let text = shorten(&edge.labels(names), MAX_LABEL);
                plan.set_edge(
                    number.to_string(),
                    edge.to.to_string(),
                    Some(room_for(&text)),
                    Some(i.to_string().as_str()),
                );
            }
            if let Fate::Covered(by) = node.fate {
                plan.set_edge(number.to_string(), by.to_string(), Some(room_for("")), Some(COVERING));
            }
        }
        let options = LayoutOptions { nodesep: 28.0, edgesep: 16.0, ranksep: 36.0, ..LayoutOptions::default() };
        layout(&mut plan, Some(options));
        plan
    }

    fn lines(&self, plan: &Placed, names: &Names<'_>) -> String {
        let (mut lines, mut labels) = (String::new(), String::new());
        for (number, node) in self.nodes.iter().enumerate() {
            let from = number.to_string();
            for (i, edge) in node.edges.iter().enumerate() {
                let Some(placed) = plan.edge(&from, &edge.to.to_string(), Some(i.to_string().as_str())) else {
                    continue;
                };
                let title = escape(&edge.tooltip(names));
                let _ = writeln!(
                    lines,
                    "<path class=\"edge\" d=\"{}\" marker-end=\"url(#arrow)\"><title>{title}</title></path>",
                    line(&placed.points)
                );
                let text = shorten(&edge.labels(names), MAX_LABEL);
                if let (false, Some(x), Some(y)) = (text.is_empty(), placed.x, placed.y) {
                    labels += &label(&text, &title, x, y);
                }
            }
            if let Fate::Covered(by) = node.fate
                && let Some(placed) = plan.edge(&from, &by.to_string(), Some(COVERING))
            {
                let path = line(&placed.points);
                let _ = writeln!(lines, "<path class=\"edge covering\" d=\"{path}\" marker-end=\"url(#arrow)\"/>");
            }
        }
        // Labels are drawn last, so that no line crosses them.
        lines + &labels
    }
}

/// The name of the edge from a covered node to its coverer.
const COVERING: &str = "covering";

fn draw(plan: &Placed, number: usize, node: &Node, lines: &[String]) -> String {
    let Some(placed) = plan.node(&number.to_string()) else { return String::new() };
    let class = match node.fate {
        Fate::Expanded => "",
        Fate::Waiting => "waiting",
        Fate::Covered(_) => "covered",
        Fate::End => "end",
        Fate::Target(_) => "target",
    };
    let (x, y) = (placed.x.unwrap_or(0.0), placed.y.unwrap_or(0.0));
    let top = y - placed.height / 2.0;
    let mut out = format!(
        "<g class=\"box {class}\"><title>{}</title><rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"5\"/>",
        escape(&node.facts.join("\n")),
        x - placed.width / 2.0,
        placed.width,
        placed.height,
    );
    for (i, line) in lines.iter().enumerate() {
        let below = top + (i + 1) as f64 * LINE;
        let _ = write!(out, "<text x=\"{x:.1}\" y=\"{below:.1}\">{}</text>", escape(line));
    }
    out + "</g>\n"
}

/// A smooth curve that is vertical at both ends.
fn line(points: &[Point]) -> String {
    let stops: Vec<&Point> = points.iter().collect();
    let ([first, second, ..], [.., before, last]) = (points, points) else { return String::new() };
    let (leave, arrive) = ((second.y - first.y).signum(), (last.y - before.y).signum());
    curve(
        &stops,
        |reach| Point::new(first.x, first.y + leave * reach),
        |reach| Point::new(last.x, last.y - arrive * reach),
    )
}
