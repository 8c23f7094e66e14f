//! Plots as SVG: quantiles of CPU time, and two configurations against each other. Both axes of time are logarithmic.

use std::fmt::Write;

use super::results::Outcome;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 420.0;
const MARGIN: f64 = 48.0;

/// Times below this many seconds are drawn here.
const LEAST: f64 = 0.05;

/// Distinguishable also without colour vision; configurations beyond these repeat them.
const COLOURS: [&str; 8] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a8a00"];

/// The colour of a configuration.
pub fn colour(index: usize) -> &'static str {
    COLOURS[index % COLOURS.len()]
}

/// Text for HTML and SVG.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A logarithmic axis from `LEAST` to `most`, `length` long.
fn place(value: f64, most: f64, length: f64) -> f64 {
    (value.max(LEAST) / LEAST).ln() / (most.max(2.0 * LEAST) / LEAST).ln() * length
}

fn ticks(most: f64) -> impl Iterator<Item = f64> {
    [0.1, 1.0, 10.0, 100.0, 1000.0].into_iter().filter(move |tick| *tick <= most)
}

fn begin(title: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" \
         aria-label=\"{0}\"><text x=\"{MARGIN}\" y=\"20\" font-weight=\"bold\">{0}</text>\n\
         <rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{1}\" height=\"{2}\" class=\"frame\"/>\n",
        escape(title),
        WIDTH - 2.0 * MARGIN,
        HEIGHT - 2.0 * MARGIN
    )
}

fn time_axis_upwards(svg: &mut String, most: f64) {
    let height = HEIGHT - 2.0 * MARGIN;
    for tick in ticks(most) {
        let y = HEIGHT - MARGIN - place(tick, most, height);
        let _ = write!(
            svg,
            "<line x1=\"{MARGIN}\" y1=\"{y:.1}\" x2=\"{0}\" y2=\"{y:.1}\" class=\"grid\"/>\
             <text x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\">{tick} s</text>",
            WIDTH - MARGIN,
            MARGIN - 4.0,
            y + 4.0
        );
    }
}

/// How many tasks each configuration solves within how much CPU time each.
pub fn quantiles(outcomes: &[Outcome], configs: &[String]) -> String {
    let times: Vec<Vec<f64>> = configs
        .iter()
        .map(|config| {
            let right = outcomes.iter().filter(|outcome| outcome.config == *config && outcome.is_right());
            let mut times: Vec<f64> = right.map(|outcome| outcome.cpu).collect();
            times.sort_by(f64::total_cmp);
            times
        })
        .collect();
    let most = times.iter().flatten().copied().fold(1.0, f64::max);
    let longest = times.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let (width, height) = (WIDTH - 2.0 * MARGIN, HEIGHT - 2.0 * MARGIN);
    let mut svg = begin("CPU time of the n-th fastest right verdict");
    time_axis_upwards(&mut svg, most);
    let _ =
        write!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">n = {longest}</text>", WIDTH - MARGIN, HEIGHT - 28.0);
    for (index, (config, times)) in configs.iter().zip(&times).enumerate() {
        let points: Vec<String> = times
            .iter()
            .enumerate()
            .map(|(n, time)| {
                let x = MARGIN + (n + 1) as f64 / longest as f64 * width;
                format!("{x:.1},{:.1}", HEIGHT - MARGIN - place(*time, most, height))
            })
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"{x}\" y=\"{y}\" fill=\"{colour}\">{} ({})</text>",
            points.join(" "),
            escape(config),
            times.len(),
            colour = colour(index),
            x = MARGIN + 8.0,
            y = MARGIN + 18.0 + 16.0 * index as f64,
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The CPU times of two configurations, a point for each task that one of them solves. What is not solved lies on the far edge.
pub fn scatter(outcomes: &[Outcome], across: &str, up: &str) -> String {
    let most = outcomes.iter().map(|outcome| outcome.cpu).fold(1.0, f64::max) * 1.5;
    let (width, height) = (WIDTH - 2.0 * MARGIN, HEIGHT - 2.0 * MARGIN);
    let mut svg = begin(&format!("CPU time: {across} (across), {up} (up)"));
    time_axis_upwards(&mut svg, most);
    for tick in ticks(most) {
        let x = MARGIN + place(tick, most, width);
        let _ = write!(svg, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{tick} s</text>", HEIGHT - 28.0);
    }
    let _ = write!(
        svg,
        "<line x1=\"{MARGIN}\" y1=\"{}\" x2=\"{}\" y2=\"{MARGIN}\" class=\"grid\"/>",
        HEIGHT - MARGIN,
        WIDTH - MARGIN
    );
    for a in outcomes.iter().filter(|outcome| outcome.config == across) {
        let Some(b) = outcomes.iter().find(|outcome| outcome.config == up && outcome.id == a.id) else { continue };
        if !a.is_right() && !b.is_right() {
            continue;
        }
        let time = |outcome: &Outcome| if outcome.is_right() { outcome.cpu } else { most };
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" class=\"{}\"><title>{}: {:.2} s, {:.2} s</title></circle>",
            MARGIN + place(time(a), most, width),
            HEIGHT - MARGIN - place(time(b), most, height),
            a.expected,
            escape(&a.id),
            a.cpu,
            b.cpu
        );
    }
    svg.push_str("</svg>\n");
    svg
}
