//! Common parts of SVG drawings: the document, labels and curves.

use std::fmt::Write;

use dagre::{EdgeLabel, Point};

/// The assumed width of a label character, an upper bound for common monospace fonts.
const CHARACTER_WIDTH: f64 = 7.3;
/// The height of a line of text.
pub(crate) const LINE: f64 = 16.0;

const STYLE: &str = "text{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#222}\
.head{font-weight:bold;font-size:13px}.label{text-anchor:middle}\
.edge{fill:none;stroke:#555;stroke-width:1.2}.back{fill:#fff;fill-opacity:.92}";

/// An SVG document; `style` is appended to the common style.
pub(crate) fn document(body: &str, style: &str, width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n<style>{STYLE}{style}</style>\n\
         <defs><marker id=\"arrow\" viewBox=\"0 0 10 8\" refX=\"9.5\" refY=\"4\" markerWidth=\"8\" markerHeight=\"7\" \
         orient=\"auto\"><path d=\"M0 0L10 4L0 8z\" fill=\"#555\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{body}</svg>\n"
    )
}

/// The size of an edge label for the layout.
pub(crate) fn room_for(text: &str) -> EdgeLabel {
    let (width, height) = if text.is_empty() { (0.0, 0.0) } else { (text_width(text) + 8.0, LINE) };
    EdgeLabel { width, height, labelpos: dagre::layout::types::LabelPos::Center, ..EdgeLabel::default() }
}

/// An edge label centred at a point. The title must already be escaped.
pub(crate) fn label(text: &str, title: &str, x: f64, y: f64) -> String {
    let width = text_width(text) + 6.0;
    format!(
        "<g><title>{title}</title><rect class=\"back\" x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" \
         height=\"{LINE}\"/><text class=\"label\" x=\"{x:.1}\" y=\"{:.1}\">{}</text></g>\n",
        x - width / 2.0,
        y - LINE / 2.0,
        y + 4.0,
        escape(text),
    )
}

/// A smooth curve through `stops` with vertical tangents at the inner ones. `leave` and `arrive` give the control
/// points at both ends for a distance.
pub(crate) fn curve(stops: &[&Point], leave: impl Fn(f64) -> Point, arrive: impl Fn(f64) -> Point) -> String {
    let mut path = stops.first().map_or_else(String::new, |start| format!("M{:.1} {:.1}", start.x, start.y));
    for (i, step) in stops.windows(2).enumerate() {
        let (p, q) = (step[0], step[1]);
        let reach = 0.4 * (q.x - p.x).hypot(q.y - p.y);
        let upright = 0.5 * (q.y - p.y);
        let first = if i == 0 { leave(reach) } else { Point::new(p.x, p.y + upright) };
        let second = if i + 2 == stops.len() { arrive(reach) } else { Point::new(q.x, q.y - upright) };
        let _ = write!(path, "C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}", first.x, first.y, second.x, second.y, q.x, q.y);
    }
    path
}

/// The assumed width of a text.
pub(crate) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER_WIDTH
}

/// Escapes text for XML, which allows no control characters.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
