//! Whole automata, in all formats.

use super::*;
use crate::cfa::large::LargeBlocks;
use crate::cfa::property::{Property, PropertyKind};
use crate::expr::BinaryOp::*;
use crate::expr::UnaryOp;
use crate::print::{dot, json, svg, text};

/// Counts up and stores the multiples of three (paper 002, Examples 2.1 and 2.2).
fn counting() -> Program {
    let mut b = Builder::new();
    let main = b.function("main", 9, Some(I32));
    let n = b.var("n", I32, Scope::Local(main));
    let hits = b.var("hits", I32, Scope::Local(main));
    let [vn, vhits] = [n, hits].map(|var| b.read_var(var));
    let [zero, one, three, ten] = [0, 1, 3, 10].map(|value| b.int(value));
    let less = b.compare(SignedLess, vn, ten);
    let done = b.not(less);
    let rest = b.binary(SignedRem, vn, three);
    let multiple = b.compare(Eq, rest, zero);
    let other = b.not(multiple);
    let (one_more, next) = (b.binary(Add, vhits, one), b.binary(Add, vn, one));
    let right = b.compare(SignedLessEq, vhits, three);
    let wrong = b.unary(UnaryOp::Not, right, Sort::Bool);
    b.at(2).edge(main, 0, 1, Op::Assign(n, one));
    b.at(3).edge(main, 1, 2, Op::Assign(hits, zero));
    b.at(4).edge(main, 2, 3, Op::Assume(less));
    b.at(4).edge(main, 2, 6, Op::Assume(done));
    b.at(5).edge(main, 3, 4, Op::Assume(multiple));
    b.at(5).edge(main, 3, 5, Op::Assume(other));
    b.at(6).edge(main, 4, 5, Op::Assign(hits, one_more));
    b.at(8).edge(main, 5, 2, Op::Assign(n, next));
    b.at(9).edge(main, 6, 7, Op::Assume(right));
    b.at(10).edge(main, 7, 8, Op::Return(Some(zero)));
    let error = LocId(b.program.locations.len() as u32);
    let property = Property::new(PropertyKind::Assert, "hits <= \"3\"", SourceId::NONE);
    b.program.locations.push(Location {
        function: main,
        kind: LocationKind::Error(property),
        leaving: 0..0,
        loop_head: false,
    });
    b.program.functions[0].locations.end += 1;
    b.program.locations[2].loop_head = true;
    b.at(9).edge(main, 6, error.0, Op::Assume(wrong));
    b.finish()
}

#[test]
fn text_reads_like_the_source() {
    insta::assert_snapshot!(text(&counting(), &[FuncId(0)], None), @r#"
    i32 main()
      L0: entry
      L0 -> L1   n = 1             count.c:2:3
      L1 -> L2   hits = 0          count.c:3:3
      L2: loop head
      L2 -> L3   [n < 10]          count.c:4:3
      L2 -> L6   [n >= 10]         count.c:4:3
      L3 -> L4   [n % 3 == 0]      count.c:5:3
      L3 -> L5   [n % 3 != 0]      count.c:5:3
      L4 -> L5   hits = hits + 1   count.c:6:3
      L5 -> L2   n = n + 1         count.c:8:3
      L6 -> L7   [hits <= 3]       count.c:9:3
      L6 -> L9   [hits > 3]        count.c:9:3
      L7 -> L8   return 0          count.c:10:3
      L8: exit
      L9: ERROR(assert: hits <= "3")
    "#);
}

#[test]
fn blocks_show_their_steps() {
    let program = counting();
    let blocks = LargeBlocks::new(&program, Default::default());
    insta::assert_snapshot!(text(&program, &[FuncId(0)], Some(&blocks)), @r#"
    i32 main()
      L0: entry
      L0 -> L2   n = 1               count.c:2:3
                 hits = 0            count.c:3:3
      L2: loop head
      L2 -> L2   [n < 10]            count.c:4:3
                 {
                   [n % 3 == 0]      count.c:5:3
                   hits = hits + 1   count.c:6:3
                 |
                   [n % 3 != 0]      count.c:5:3
                 }
                 n = n + 1           count.c:8:3
      L2 -> L8   [n >= 10]           count.c:4:3
                 [hits <= 3]         count.c:9:3
                 return 0            count.c:10:3
      L2 -> L9   [n >= 10]           count.c:4:3
                 [hits > 3]          count.c:9:3
      L8: exit
      L9: ERROR(assert: hits <= "3")
    "#);
    let drawing = dot(&program, &[FuncId(0)], Some(&blocks));
    let edges: Vec<&str> = drawing.lines().filter(|line| line.contains(" -> n")).map(str::trim).collect();
    insta::assert_snapshot!(edges.join("\n"), @r#"
    start0 -> n0;
    n0 -> n2 [label="n = 1; hits = 0", tooltip="count.c:2:3", labeltooltip="count.c:2:3"];
    n2 -> n2 [label="[n < 10]; {[n % 3 == 0]; hits = hits + 1 | [n % 3 != 0]}; n…", tooltip="count.c:4:3: [n < 10]; {[n % 3 == 0]; hits = hits + 1 | [n % 3 != 0]}; n = n + 1", labeltooltip="count.c:4:3: [n < 10]; {[n % 3 == 0]; hits = hits + 1 | [n % 3 != 0]}; n = n + 1"];
    n2 -> n8 [label="[n >= 10]; [hits <= 3]; return 0", tooltip="count.c:4:3", labeltooltip="count.c:4:3"];
    n2 -> n9 [label="[n >= 10]; [hits > 3]", tooltip="count.c:4:3", labeltooltip="count.c:4:3"];
    "#);
    let picture = svg(&program, &[FuncId(0)], Some(&blocks));
    assert!(picture.matches("<circle").count() == 5 && picture.contains(">n = 1; hits = 0<"), "{picture}");
    let function = &json(&program, &[FuncId(0)], Some(&blocks))["functions"][0];
    let names: Vec<_> = function["locations"].as_array().unwrap().iter().map(|l| l["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["L0", "L2", "L8", "L9"]);
    let round = &function["edges"][1];
    assert_eq!((&round["from"], &round["to"]), (&2.into(), &2.into()));
    assert_eq!(round["text"], "[n < 10]; {[n % 3 == 0]; hits = hits + 1 | [n % 3 != 0]}; n = n + 1");
    assert_eq!((&round["block"][0]["id"], &round["block"][0]["text"]), (&2.into(), &"[n < 10]".into()));
    assert_eq!(round["block"][1]["choice"][0][1]["text"], "hits = hits + 1");
    assert_eq!(round["block"][1]["choice"][1][0]["op"], "assume");
}

#[test]
fn dot_draws_like_the_papers() {
    insta::assert_snapshot!(dot(&counting(), &[FuncId(0)], None), @r##"
    digraph cfa {
      node [shape=circle, fontname="monospace", fontsize=11, margin=0.02];
      edge [fontname="monospace", fontsize=11];
      subgraph cluster_0 {
        label="i32 main()"; labeljust=l; fontname="monospace";
        start0 [shape=point, width=0.05, style=invis];
        n0 [label="L0", tooltip="entry"];
        n1 [label="L1"];
        n2 [label="L2", color="#1f5fbf", tooltip="loop head"];
        n3 [label="L3"];
        n4 [label="L4"];
        n5 [label="L5"];
        n6 [label="L6"];
        n7 [label="L7"];
        n8 [label="L8", style=bold, xlabel="exit", tooltip="exit"];
        n9 [label="L9", shape=doublecircle, color="#c00000", fontcolor="#c00000", xlabel="ERROR(assert: hits <= \"3\")", tooltip="ERROR(assert: hits <= \"3\")"];
        start0 -> n0;
        n0 -> n1 [label="n = 1", tooltip="count.c:2:3", labeltooltip="count.c:2:3"];
        n1 -> n2 [label="hits = 0", tooltip="count.c:3:3", labeltooltip="count.c:3:3"];
        n2 -> n3 [label="[n < 10]", tooltip="count.c:4:3", labeltooltip="count.c:4:3"];
        n2 -> n6 [label="[n >= 10]", tooltip="count.c:4:3", labeltooltip="count.c:4:3"];
        n3 -> n4 [label="[n % 3 == 0]", tooltip="count.c:5:3", labeltooltip="count.c:5:3"];
        n3 -> n5 [label="[n % 3 != 0]", tooltip="count.c:5:3", labeltooltip="count.c:5:3"];
        n4 -> n5 [label="hits = hits + 1", tooltip="count.c:6:3", labeltooltip="count.c:6:3"];
        n5 -> n2 [label="n = n + 1", tooltip="count.c:8:3", labeltooltip="count.c:8:3"];
        n6 -> n7 [label="[hits <= 3]", tooltip="count.c:9:3", labeltooltip="count.c:9:3"];
        n6 -> n9 [label="[hits > 3]", tooltip="count.c:9:3", labeltooltip="count.c:9:3"];
        n7 -> n8 [label="return 0", tooltip="count.c:10:3", labeltooltip="count.c:10:3"];
      }
    }
    "##);
}

#[test]
fn json_names_all_parts() {
    let value = json(&counting(), &[FuncId(0)], None);
    let function = &value["functions"][0];
    assert_eq!(value["variables"][1]["name"], "hits");
    assert_eq!(value["variables"][1]["type"], "int");
    assert_eq!(value["variables"][1]["scope"], 0);
    assert_eq!(function["locations"].as_array().map(Vec::len), Some(10));
    assert_eq!(function["locations"][2]["loop_head"], true);
    insta::assert_snapshot!(function["edges"][2], @r#"{"from":2,"id":2,"op":"assume","source":{"column":3,"file":"/home/someone/count.c","function":"main","line":4},"text":"[n < 10]","to":3}"#);
    let error = function["locations"].as_array().and_then(|all| all.iter().find(|l| l["kind"] == "error"));
    insta::assert_snapshot!(error.expect("an error location"), @r#"{"id":9,"kind":"error","loop_head":false,"name":"L9","property":{"kind":"assert","message":"hits <= \"3\"","source":null},"reachable":true,"text":"ERROR(assert: hits <= \"3\")"}"#);
}

#[test]
fn json_tells_regions_and_addresses() {
    let mut b = Builder::new();
    let main = b.function("main", 2, None);
    let (next, bytes) = (b.region("node.next", Cell::Bits(64)), b.region("b", Cell::Bits(8)));
    let (p, eight, address) = (b.fresh("p", I64), b.bits(64, 8), b.bits(64, 0x10100));
    let field = b.binary(Add, p, eight);
    let value = b.read(next, field, 1);
    b.edge(main, 0, 1, Op::Store { memory: bytes, address, value });
    let edge = &json(&b.finish(), &[main], None)["functions"][0]["edges"][0];
    assert_eq!(edge["text"], "*(u64 *)&b[0] = p->next");
    insta::assert_snapshot!(edge["accesses"], @r#"[{"address":65792,"kind":"write","region":"b","variable":1},{"address":"p + 8","kind":"read","region":"node.next","variable":0}]"#);
}

#[test]
fn json_follows_inlined_frames() {
    let mut b = Builder::new();
    let main = b.function("main", 2, None);
    b.at(3).edge(main, 0, 1, Op::Return(None));
    let outer = b.edges[0].source;
    let file = b.program.sources.file("util.h");
    let inner = SourcePlace { file, line: 7, column: 1, function: "twice".into(), inlined_at: outer };
    b.edges[0].source = b.program.sources.intern(inner);
    let program = b.finish();
    insta::assert_snapshot!(json(&program, &[main], None)["functions"][0]["edges"][0]["source"], @r#"{"column":1,"file":"util.h","function":"twice","inlined_at":[{"column":3,"file":"/home/someone/count.c","function":"main","line":3}],"line":7}"#);
}

#[test]
fn unreachable_locations_are_said_to_be() {
    let mut b = Builder::new();
    let spin = b.function("spin", 3, None);
    b.edge(spin, 0, 0, Op::Skip);
    b.edge(spin, 1, 2, Op::Return(None));
    b.program.locations[0].loop_head = true;
    insta::assert_snapshot!(text(&b.finish(), &[spin], None), @r#"
    void spin()
      L0: entry, loop head
      L0 -> L0   skip
      L1: unreachable
      L1 -> L2   return
      L2: exit, unreachable
    "#);
}

/// The bounding boxes of all labels and circles of a drawing.
fn boxes(picture: &str) -> Vec<[f64; 4]> {
    let number = |tag: &str, name: &str| -> Option<f64> {
        let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
        tag[start..].split('"').next()?.parse().ok()
    };
    let label = |tag: &str| Some([number(tag, "x")?, number(tag, "y")?, number(tag, "width")?, number(tag, "height")?]);
    let circle = |tag: &str| {
        let r = number(tag, "r").filter(|&r| r == 15.0)?;
        Some([number(tag, "cx")? - r, number(tag, "cy")? - r, 2.0 * r, 2.0 * r])
    };
    picture
        .split('<')
        .filter_map(|tag| match tag {
            _ if tag.starts_with("rect class=\"back\"") => label(tag),
            _ if tag.starts_with("circle") => circle(tag),
            _ => None,
        })
        .collect()
}

/// Checks that no label or circle of `function` overlaps another.
fn check_picture(program: &Program, function: FuncId) -> String {
    let picture = svg(program, &[function], None);
    assert_eq!(picture, svg(program, &[function], None), "the same every time");
    let boxes = boxes(&picture);
    let labels = program.edges_of(function).filter(|(_, edge)| edge.op != Op::Skip).count();
    assert_eq!(boxes.len(), program.function(function).locations.len() + labels);
    for (i, [x, y, width, height]) in boxes.iter().enumerate() {
        for [other_x, other_y, other_width, other_height] in &boxes[..i] {
            let apart_x = x + width <= *other_x || other_x + other_width <= *x;
            let apart_y = y + height <= *other_y || other_y + other_height <= *y;
            assert!(apart_x || apart_y, "something at {x}, {y} covers something at {other_x}, {other_y}");
        }
    }
    picture
}

#[test]
fn nothing_overlaps_in_pictures() {
    let picture = check_picture(&counting(), FuncId(0));
    assert!(picture.contains("ERROR(assert: hits &lt;= &quot;3&quot;)"));

    let mut b = Builder::new();
    let tangle = b.function("tangle", 60, None);
    let (x, ten) = (b.fresh("counter", I32), b.int(10));
    let less = b.compare(SignedLess, x, ten);
    let more = b.not(less);
    for i in 0..58 {
        b.edge(tangle, i, i + 1, Op::Assume(less));
        match i % 6 {
            0 => b.edge(tangle, i, i + 1, Op::Assume(more)),
            1 => b.edge(tangle, i, i, Op::Assume(more)),
            2 => b.edge(tangle, i, (i + 7).min(58), Op::Assume(more)),
            3 => b.edge(tangle, i, i - 3, Op::Assume(more)),
            4 => b.edge(tangle, i, i - 1, Op::Skip),
            _ => {}
        }
    }
    b.edge(tangle, 58, 59, Op::Return(None));
    check_picture(&b.finish(), tangle);
}

#[test]
fn huge_functions_are_not_drawn() {
    let mut b = Builder::new();
    let huge = b.function("huge", 5000, None);
    let picture = svg(&b.finish(), &[huge], None);
    assert!(picture.contains("void huge(): 5000 locations, too many to draw") && !picture.contains("<circle"));
}
