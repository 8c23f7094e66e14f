//! The report as JUnit XML, which most CI systems show.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::compare::{Compared, State};
use super::harness::Harness;
use super::text::Style;

/// The XML document.
pub fn document(harnesses: &[Harness], all: &[Compared]) -> Result<String, String> {
    let mut suite = TestSuite::new("clew test");
    for (harness, compared) in harnesses.iter().zip(all) {
        let mut case = TestCase::new(harness.name.as_str(), status(compared));
        case.set_classname(harness.file.as_str()).set_time(compared.outcome.time);
        suite.add_test_case(case);
    }
    let mut report = Report::new("clew test");
    report.add_test_suite(suite);
    report.to_string().map_err(|error| error.to_string())
}

/// A difference is a failure; a harness that could not be checked is an error.
fn status(compared: &Compared) -> TestCaseStatus {
    let (kind, message, text) = match (&compared.outcome.result, compared.state) {
        (Err(broken), _) => (NonSuccessKind::Error, broken.what.clone(), broken.message.clone()),
        (Ok(_), State::Expected | State::Accepted) => return TestCaseStatus::success(),
        (Ok(verdict), State::New) => {
            (NonSuccessKind::Failure, format!("new verdict: {}", verdict.line()), difference(compared))
        }
        (Ok(verdict), _) => {
            let expected = compared.expected.as_deref().unwrap_or_default().trim_end().replace('\n', " ");
            let message = format!("expected {expected}, found {}", verdict.line());
            (NonSuccessKind::Failure, message, difference(compared))
        }
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(compared.state.name()).set_message(message).set_description(text);
    status
}

fn difference(compared: &Compared) -> String {
    Style { color: false }.difference(compared)
}
