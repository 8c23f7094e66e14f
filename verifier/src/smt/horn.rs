//! Horn clauses over relations, solved by Z3's Spacer.

use std::time::Duration;

use z3::ast::{Ast, Bool, Dynamic, forall_const};
use z3::{Fixedpoint, FuncDecl, Params, SatResult, Sort as Z3Sort};

/// A relation over numbers and truth values, by index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relation(usize);

impl Relation {
    /// Its name in solutions.
    pub fn name(self) -> String {
        format!("relation{}", self.0)
    }
}

/// A system of Horn clauses.
pub struct Horn {
    fixedpoint: Fixedpoint,
    relations: Vec<FuncDecl>,
    /// The nullary relation that must be empty.
    error: FuncDecl,
}

impl Horn {
    /// A system without clauses, on which Spacer may spend `time`.
    pub fn new(time: Duration) -> Horn {
        let fixedpoint = Fixedpoint::new();
        let mut params = Params::new();
        params.set_symbol("engine", "spacer");
        // Keep all relations with all arguments: their interpretations are the result.
        for transformation in ["xform.slice", "xform.inline_linear", "xform.inline_eager"] {
            params.set_bool(transformation, false);
        }
        params.set_u32("timeout", u32::try_from(time.as_millis()).unwrap_or(u32::MAX));
        fixedpoint.set_params(&params);
        let error = FuncDecl::new("error", &[], &Z3Sort::bool());
        fixedpoint.register_relation(&error);
        Horn { fixedpoint, relations: Vec::new(), error }
    }
}

impl Horn {
    /// Adds a relation. For each argument: whether it is a truth value; otherwise it is a number.
    pub fn relation(&mut self, is_truth_value: impl IntoIterator<Item = bool>) -> Relation {
        let sort = |is_truth_value| if is_truth_value { Z3Sort::bool() } else { Z3Sort::int() };
        let sorts: Vec<Z3Sort> = is_truth_value.into_iter().map(sort).collect();
        let name = Relation(self.relations.len()).name();
        let relation = FuncDecl::new(name, &sorts.iter().collect::<Vec<_>>(), &Z3Sort::bool());
        self.fixedpoint.register_relation(&relation);
        self.relations.push(relation);
        Relation(self.relations.len() - 1)
    }

    /// Adds the clause `before ∧ conditions ⇒ after`, universally quantified over `constants`. `None` after it is the
    /// error.
    pub fn clause(
        &mut self,
        constants: &[Dynamic],
        before: Option<(Relation, &[Dynamic])>,
        conditions: &[Bool],
        after: Option<(Relation, &[Dynamic])>,
    ) {
        // An empty conjunction is not allowed.
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

    /// If the error is unreachable, interpretations of the relations as text: a conjunction of `(forall ((A Int) …) (!
    /// (= (relation0 A …) …) …))`. Relations that are not mentioned are unconstrained. An error says why there is no
    /// solution.
    pub fn solve(&self) -> Result<String, String> {
        match self.fixedpoint.query_relations(&[&self.error]) {
            SatResult::Unsat => {}
            SatResult::Sat => return Err("numbers do not exclude the trace".into()),
            SatResult::Unknown => return Err(self.fixedpoint.get_reason_unknown()),
        }
        // Covers of single relations would be simpler, but Z3 crashes when asked for one that it has eliminated.
        let answer = self.fixedpoint.get_answer();
        answer.map(|answer| answer.to_string()).ok_or_else(|| "Spacer gives no solution".into())
    }
}

fn truth_value(term: Dynamic) -> Bool {
    term.as_bool().unwrap_or_else(|| Bool::from_bool(true))
}
