//! Horn clauses over relations, solved by Z3's Spacer.

use z3::ast::{Ast, Bool, Dynamic, forall_const};
use z3::{Fixedpoint, FuncDecl, Params, SatResult, Sort as Z3Sort};

/// How long Spacer may take for one system, in milliseconds.
const PATIENCE: u32 = 1_000;

/// A relation between numbers and truth values, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relation(usize);

impl Relation {
    /// What it is called in solutions.
    pub fn name(self) -> String {
        format!("relation{}", self.0)
    }
}

/// A system of clauses.
pub struct Horn {
    fixedpoint: Fixedpoint,
    relations: Vec<FuncDecl>,
    /// The relation without arguments that must be empty.
    error: FuncDecl,
}

impl Default for Horn {
    fn default() -> Horn {
        let fixedpoint = Fixedpoint::new();
        let mut params = Params::new();
        params.set_symbol("engine", "spacer");
        // All relations are to stay, with all arguments: they are what is asked for.
        for transformation in ["xform.slice", "xform.inline_linear", "xform.inline_eager"] {
            params.set_bool(transformation, false);
        }
        params.set_u32("timeout", PATIENCE);
        fixedpoint.set_params(&params);
        let error = FuncDecl::new("error", &[], &Z3Sort::bool());
        fixedpoint.register_relation(&error);
        Horn { fixedpoint, relations: Vec::new(), error }
    }
}

impl Horn {
    /// A new relation; tells for each argument whether it is a truth value, else it is a number.
    pub fn relation(&mut self, is_truth_value: impl IntoIterator<Item = bool>) -> Relation {
        let sort = |is_truth_value| if is_truth_value { Z3Sort::bool() } else { Z3Sort::int() };
        let sorts: Vec<Z3Sort> = is_truth_value.into_iter().map(sort).collect();
        let name = Relation(self.relations.len()).name();
        let relation = FuncDecl::new(name, &sorts.iter().collect::<Vec<_>>(), &Z3Sort::bool());
        self.fixedpoint.register_relation(&relation);
        self.relations.push(relation);
        Relation(self.relations.len() - 1)
    }

    /// Where `before` and `conditions` hold, for whatever `constants` stand for, `after` holds; `None` is the error.
    pub fn clause(
        &mut self,
        constants: &[Dynamic],
        before: Option<(Relation, &[Dynamic])>,
        conditions: &[Bool],
        after: Option<(Relation, &[Dynamic])>,
    ) {
        // There is none that is empty.
        let mut body = vec![Bool::from_bool(true)];
        body.extend_from_slice(conditions);
        body.extend(before.map(|(relation, arguments)| self.apply(relation, arguments)));
        let head = match after {
            Some((relation, arguments)) => self.apply(relation, arguments),
            None => truth_value(self.error.apply(&[])),
        };
        let bound: Vec<&dyn Ast> = constants.iter().map(|constant| constant as &dyn Ast).collect();
        let clause = forall_const(&bound, &[], &Bool::and(&body).implies(&head));
        self.fixedpoint.add_rule(&clause, None);
    }

    fn apply(&self, relation: Relation, arguments: &[Dynamic]) -> Bool {
        let arguments: Vec<&dyn Ast> = arguments.iter().map(|argument| argument as &dyn Ast).collect();
        truth_value(self.relations[relation.0].apply(&arguments))
    }

    /// If there is no error: what holds of the arguments of relations, as text: a conjunction of
    /// `(forall ((A Int) …) (! (= (relation0 A …) …) …))`. Nothing need hold of those that are not mentioned. An error says why
    /// there is nothing.
    pub fn solve(&self) -> Result<String, String> {
        match self.fixedpoint.query_relations(&[&self.error]) {
            SatResult::Unsat => {}
            SatResult::Sat => return Err("numbers do not exclude the trace".into()),
            SatResult::Unknown => return Err(self.fixedpoint.get_reason_unknown()),
        }
        // Covers of single relations would be simpler to read, but asking for that of one that Z3 has done without crashes it.
        let answer = self.fixedpoint.get_answer();
        answer.map(|answer| answer.to_string()).ok_or_else(|| "Spacer gives no solution".into())
    }
}

fn truth_value(term: Dynamic) -> Bool {
    term.as_bool().unwrap_or_else(|| Bool::from_bool(true))
}
