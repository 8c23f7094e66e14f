//! One page with everything: sums, plots, and a row for each task. It needs no other file and no network.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::plot::{colour, escape, quantiles, scatter};
use super::results::{Outcome, configs};
use super::score::by_group;

const STYLE: &str = "body{font:14px sans-serif;margin:2em;color:#222;background:#fff}table{border-collapse:collapse;margin:1em 0}\
th,td{border:1px solid #ccc;padding:2px 8px;text-align:right}th:first-child,td:first-child{text-align:left}\
tr:last-child.sum td{font-weight:bold}.wrong{background:#d55e00;color:#fff}.right{background:#e3f2ea}\
svg{font:12px sans-serif;margin:1em 1em 1em 0}.frame{fill:none;stroke:#888}.grid{stroke:#ddd}\
circle.true{fill:#0072b2;fill-opacity:.6}circle.false{fill:#d55e00;fill-opacity:.6}";

/// The page as HTML.
pub fn page(title: &str, outcomes: &[Outcome]) -> String {
    let configs = configs(outcomes);
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title><style>{STYLE}</style></head>\n\
         <body><h1>{0}</h1>\n",
        escape(title)
    );
    html.push_str(&groups(outcomes, &configs));
    html.push_str(&quantiles(outcomes, &configs));
    for (index, across) in configs.iter().enumerate() {
        for up in &configs[index + 1..] {
            html.push_str(&scatter(outcomes, across, up));
        }
    }
    html.push_str(
        "<p>Points are tasks: blue if the property holds, orange if it does not. On the far edges: not solved.</p>\n",
    );
    html.push_str(&tasks(outcomes, &configs));
    html.push_str("</body></html>\n");
    html
}

fn groups(outcomes: &[Outcome], configs: &[String]) -> String {
    let sums: Vec<_> = configs.iter().map(|config| by_group(outcomes, config)).collect();
    let mut html = "<table><tr><th rowspan=\"2\">group</th><th rowspan=\"2\">tasks</th>".to_owned();
    for (index, config) in configs.iter().enumerate() {
        let _ = write!(html, "<th colspan=\"4\" style=\"color:{}\">{}</th>", colour(index), escape(config));
    }
    html.push_str("</tr><tr>");
    for _ in configs {
        html.push_str("<th>solved</th><th>wrong</th><th>score</th><th>CPU s</th>");
    }
    html.push_str("</tr>\n");
    // Configurations may have seen different groups, if a run was stopped.
    let mut names: Vec<&String> = sums.iter().flatten().map(|(name, _)| name).filter(|name| *name != "ALL").collect();
    names.sort();
    names.dedup();
    let all = "ALL".to_owned();
    for name in names.into_iter().chain([&all]) {
        let of = |sums: &Vec<(String, super::score::Sum)>| sums.iter().find(|(group, _)| group == name).cloned();
        let tasks = sums.iter().filter_map(of).map(|(_, sum)| sum.tasks).max().unwrap_or(0);
        let _ = write!(html, "<tr class=\"sum\"><td>{}</td><td>{tasks}</td>", escape(name));
        for sum in &sums {
            let sum = of(sum).map(|(_, sum)| sum).unwrap_or_default();
            let class = if sum.wrong > 0 { " class=\"wrong\"" } else { "" };
            let solved = sum.solved();
            let _ = write!(
                html,
                "<td>{solved}</td><td{class}>{}</td><td>{}</td><td>{:.1}</td>",
                sum.wrong, sum.score, sum.cpu
            );
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</table>\n");
    html
}

fn tasks(outcomes: &[Outcome], configs: &[String]) -> String {
    let mut by_task: BTreeMap<(&str, &str), Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes {
        by_task.entry((&outcome.category, &outcome.id)).or_default().push(outcome);
    }
    let mut html = "<table><tr><th>task</th><th>expected</th>".to_owned();
    for config in configs {
        let _ = write!(html, "<th>{0}</th><th>CPU s</th>", escape(config));
    }
    html.push_str("</tr>\n");
    for ((category, id), outcomes) in by_task {
        let expected = outcomes[0].expected;
        let _ = write!(html, "<tr><td>{} / {}</td><td>{expected}</td>", escape(category), escape(id));
        for config in configs {
            let Some(outcome) = outcomes.iter().find(|outcome| outcome.config == *config) else {
                html.push_str("<td></td><td></td>");
                continue;
            };
            let class = match (outcome.is_wrong(), outcome.is_right()) {
                (true, _) => "wrong",
                (_, true) => "right",
                _ => "",
            };
            let _ = write!(
                html,
                "<td class=\"{class}\" title=\"{}\">{}</td><td>{:.2}</td>",
                escape(&outcome.note),
                outcome.got,
                outcome.cpu
            );
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</table>\n");
    html
}
