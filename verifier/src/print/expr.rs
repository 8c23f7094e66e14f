//! Writes expressions with minimal parentheses and bounded length.

use super::Printer;
use super::form::{Form, Level, Reading};
use crate::expr::{Expr, Node};

/// The maximum length in bytes, followed by `…`. Printing shared subexpressions as trees may be exponential.
const BUDGET: usize = 2000;
/// The maximum depth; deeper subexpressions become `…`, which bounds the recursion.
const MAX_DEPTH: usize = 200;

impl Printer<'_> {
    /// An expression in C notation. Long ones are truncated with `…`.
    pub fn expr(&self, expr: Expr) -> String {
        self.write(|writer| writer.expr(expr, Level::Ternary, Reading::Any))
    }

    /// The output of `part`, truncated at the budget.
    pub(super) fn write(&self, part: impl FnOnce(&mut Writer<'_>)) -> String {
        let mut writer = Writer { printer: self, out: String::new(), depth: 0, full: false };
        part(&mut writer);
        writer.out
    }
}

/// Collects the text of an expression up to the budget.
pub(super) struct Writer<'a> {
    pub(super) printer: &'a Printer<'a>,
    out: String,
    depth: usize,
    full: bool,
}

impl Writer<'_> {
    /// Appends `text`, if it fits.
    pub(super) fn put(&mut self, text: &str) {
        if self.full {
            return;
        }
        if self.out.len() + text.len() > BUDGET {
            self.full = true;
            self.out.push('…');
        } else {
            self.out.push_str(text);
        }
    }

    /// Writes an expression, parenthesised if its precedence is below `least`.
    pub(super) fn expr(&mut self, expr: Expr, least: Level, reading: Reading) {
        if self.full {
            return;
        }
        if self.depth == MAX_DEPTH {
            return self.put("…");
        }
        self.depth += 1;
        let form = self.printer.form(expr, reading);
        let parentheses = form.level() < least;
        if parentheses {
            self.put("(");
        }
        self.form(form);
        if parentheses {
            self.put(")");
        }
        self.depth -= 1;
    }

    fn form(&mut self, form: Form) {
        match form {
            Form::Text(_, text) => self.put(&text),
            Form::Prefix(op, a, reading) => {
                self.put(&op);
                // `--x` would be a different operator.
                let least = if op == "-" && self.starts_with_minus(a) { Level::Postfix } else { Level::Unary };
                self.expr(a, least, reading);
            }
            Form::Infix { level, left, op, right, reading, negated } => {
                self.expr(left, level, reading);
                self.put(" ");
                self.put(op);
                self.put(" ");
                if negated {
                    self.put(&self.printer.magnitude(right));
                } else {
                    self.expr(right, level.of_right_operand(), reading);
                }
            }
            Form::Apply(name, arguments) => {
                self.put(&name);
                self.put("(");
                for (i, &argument) in arguments.iter().enumerate() {
                    self.put(if i == 0 { "" } else { ", " });
                    self.expr(argument, Level::Ternary, Reading::Any);
                }
                self.put(")");
            }
            Form::Slice { of, high, low } => {
                self.expr(of, Level::Postfix, Reading::Any);
                self.put(&format!("[{high}:{low}]"));
            }
            Form::Choice(condition, then, otherwise) => {
                self.expr(condition, Level::Or, Reading::Any);
                self.put(" ? ");
                self.expr(then, Level::Ternary, Reading::Any);
                self.put(" : ");
                self.expr(otherwise, Level::Ternary, Reading::Any);
            }
            Form::Access { memory, address, cells } => {
                self.expr(memory, Level::Postfix, Reading::Any);
                self.cells(memory, address, cells);
                self.put("]");
            }
            Form::Region(_, memory, address, cells) => self.access(memory, address, cells),
            Form::Bit { of, low, set } => {
                self.put("(");
                self.expr(of, Level::BitAnd, Reading::Any);
                self.put(&format!(" & {}) {} 0", 1u128 << low, if set { "!=" } else { "==" }));
            }
            Form::Update { memory, address, value } => {
                self.expr(memory, Level::Postfix, Reading::Any);
                self.cells(memory, address, self.printer.cells_of(memory, value));
                self.put(" := ");
                self.expr(value, Level::Ternary, Reading::Any);
                self.put("]");
            }
        }
    }

    /// Writes the subscript of a memory, without the closing bracket.
    fn cells(&mut self, memory: Expr, address: Expr, cells: u16) {
        let var = match self.printer.pool.node(memory) {
            Node::Var(var) => Some(var),
            _ => None,
        };
        self.subscript(var, address);
        if cells > 1 {
            self.put(&format!("; {cells}"));
        }
    }

    fn starts_with_minus(&self, expr: Expr) -> bool {
        match self.printer.form(expr, Reading::Any) {
            Form::Text(_, text) => text.starts_with('-'),
            Form::Prefix(op, ..) => op == "-",
            _ => false,
        }
    }
}

impl Form {
    fn level(&self) -> Level {
        match self {
            Form::Text(level, _) | Form::Infix { level, .. } | Form::Region(level, ..) => *level,
            Form::Bit { .. } => Level::Equality,
            Form::Prefix(..) => Level::Unary,
            Form::Choice(..) => Level::Ternary,
            Form::Apply(..) | Form::Slice { .. } | Form::Access { .. } | Form::Update { .. } => Level::Postfix,
        }
    }
}
