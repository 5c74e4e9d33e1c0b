//! Parses the number of passed tests from the output of test runners, and prints the summary.

use std::fmt::Write as _;

/// Maximum lines of a failed stage in the summary.
const TAIL: usize = 60;

/// Counts of one stage or of all stages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Tally {
    pub(crate) fn failure() -> Self {
        Self { passed: 0, failed: 1 }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }

    /// The last line of a run.
    pub(crate) fn closing_line(self) -> String {
        format!("{} passed, {} failed", self.passed, self.failed)
    }
}

/// The output format of a test runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counting {
    /// A single check.
    Whole,
    /// A build, of which each warning is a failure. It passed if there is something to test.
    Build,
    /// `test result: ok. 3 passed; 0 failed; …`, once per binary.
    Cargo,
    /// `Tests  1 failed | 12 passed (13)`.
    Vitest,
    /// `# pass 5` and `# fail 0`, with any prefix.
    Node,
    /// `3 failed, 40 passed, 1 skipped in 2.10s`.
    Pytest,
}

impl Counting {
    /// The counts in `output`. A failed runner has at least one failure, and a runner without results has failed.
    pub(crate) fn tally(self, output: &str, ok: bool) -> Tally {
        let plain = without_color(output);
        let lines = plain.lines().map(str::trim);
        let mut tally = match self {
            Self::Whole => Tally { passed: u64::from(ok), failed: 0 },
            Self::Build => Tally { passed: u64::from(ok), failed: lines.filter(|line| is_warning(line)).count() as u64 },
            Self::Cargo => lines.filter_map(cargo_line).fold(Tally::default(), sum),
            Self::Vitest => lines.filter_map(vitest_line).fold(Tally::default(), sum),
            Self::Node => lines.filter_map(node_line).fold(Tally::default(), sum),
            Self::Pytest => lines.filter_map(pytest_line).fold(Tally::default(), sum),
        };
        if (!ok || tally.passed == 0) && tally.failed == 0 {
            tally.failed = 1;
        }
        tally
    }

    /// Additional notes for the summary: tests that passed on the second attempt, and files of tests that weren't run again.
    pub(crate) fn note(self, output: &str) -> String {
        if self != Self::Node {
            return String::new();
        }
        let flaky = output.lines().find_map(|line| line.strip_prefix("flaky: ")?.split_once(' ')?.0.parse::<u64>().ok());
        let current = match output.lines().filter(|line| line.ends_with(".test.mjs: up to date")).count() {
            0 => None,
            1 => Some("1 file up to date".to_owned()),
            count => Some(format!("{count} files up to date")),
        };
        let notes = [flaky.map(|count| format!("{count} flaky")), current];
        notes.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// The relevant part of a failed stage's output.
    pub(crate) fn excerpt(self, output: &str) -> String {
        let plain = without_color(output);
        let lines: Vec<&str> = plain.lines().collect();
        let failures = match self {
            Self::Cargo => cargo_failures(&lines, |line| line.starts_with("error")),
            Self::Build => cargo_failures(&lines, |line| line.starts_with("error") || is_warning(line)),
            _ => Vec::new(),
        };
        let (chosen, most) = if failures.is_empty() { (&lines, TAIL) } else { (&failures, TAIL * 4) };
        chosen[chosen.len().saturating_sub(most)..].join("\n")
    }
}

fn sum(mut left: Tally, right: Tally) -> Tally {
    left.add(right);
    left
}

fn cargo_line(line: &str) -> Option<Tally> {
    let counts = line.strip_prefix("test result: ")?.split_once(". ")?.1;
    let mut parts = counts.split("; ");
    Some(Tally { passed: number_before(parts.next()?, " passed")?, failed: number_before(parts.next()?, " failed")? })
}

fn vitest_line(line: &str) -> Option<Tally> {
    let counts = line.strip_prefix("Tests  ")?.split('(').next()?;
    let count = |what: &str| counts.split('|').find_map(|part| number_before(part.trim(), what)).unwrap_or(0);
    Some(Tally { passed: count(" passed"), failed: count(" failed") })
}

fn node_line(line: &str) -> Option<Tally> {
    let mut words = line.split_whitespace();
    let (mark, what, count) = (words.next()?, words.next()?, words.next()?);
    if mark.chars().count() != 1 || words.next().is_some() {
        return None;
    }
    let count = count.parse().ok()?;
    match what {
        "pass" => Some(Tally { passed: count, failed: 0 }),
        // A test that is cut off by its time limit is reported as cancelled, not as failed.
        "fail" | "cancelled" => Some(Tally { passed: 0, failed: count }),
        _ => None,
    }
}

fn pytest_line(line: &str) -> Option<Tally> {
    let counts = line.trim_matches(['=', ' ']).rsplit_once(" in ")?.0;
    let count = |what: &str| counts.split(", ").find_map(|part| number_before(part, what)).unwrap_or(0);
    let tally = Tally { passed: count(" passed"), failed: count(" failed") + count(" error") + count(" errors") };
    (tally != Tally::default()).then_some(tally)
}

fn number_before(text: &str, unit: &str) -> Option<u64> {
    text.strip_suffix(unit)?.trim().parse().ok()
}

/// A finding of the compiler, not the sum of a crate's findings.
fn is_warning(line: &str) -> bool {
    line.starts_with("warning: ") && !(line.contains(" generated ") && line.contains(" warning"))
}

/// The `failures:` blocks of each test binary, and the compiler's findings.
fn cargo_failures<'a>(lines: &[&'a str], is_finding: impl Fn(&str) -> bool) -> Vec<&'a str> {
    #[derive(Clone, Copy, PartialEq)]
    enum Block {
        Outside,
        /// Ends at an empty line.
        Finding,
        /// Ends at the binary's result.
        Failures,
    }
    let mut block = Block::Outside;
    let mut chosen = Vec::new();
    for line in lines {
        block = match block {
            _ if *line == "failures:" => Block::Failures,
            Block::Outside if is_finding(line) => Block::Finding,
            Block::Finding if line.trim().is_empty() => Block::Outside,
            unchanged => unchanged,
        };
        if block != Block::Outside {
            chosen.push(*line);
        }
        if line.starts_with("test result:") {
            block = Block::Outside;
        }
    }
    chosen
}

/// Removes ANSI escape sequences.
pub(crate) fn without_color(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        plain.push_str(&rest[..at]);
        let tail = &rest[at + 2..];
        let end = tail.find(|c: char| ('@'..='~').contains(&c)).map_or(tail.len(), |end| end + 1);
        rest = &tail[end..];
    }
    plain.push_str(rest);
    plain
}

/// A row of the table.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) tally: Tally,
    pub(crate) seconds: f64,
    pub(crate) note: String,
}

/// The stages with their counts and seconds.
pub(crate) fn table(rows: &[&Row]) -> String {
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(5);
    let mut text = format!("{:width$}  {:>7}  {:>6}  {:>8}\n", "stage", "passed", "failed", "seconds");
    for row in rows {
        let Row { name, tally, seconds, note } = *row;
        let line = format!("{name:width$}  {:>7}  {:>6}  {seconds:>8.1}  {note}", tally.passed, tally.failed);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn counts(counting: Counting, output: &str, ok: bool, passed: u64, failed: u64) {
        assert_eq!(counting.tally(output, ok), Tally { passed, failed });
    }

    #[test]
    fn a_check_counts_once() {
        counts(Counting::Whole, "anything", true, 1, 0);
        counts(Counting::Whole, "anything", false, 0, 1);
    }

    #[test]
    fn each_warning_of_a_build_is_a_failure() {
        let output =
            "   Compiling a\nwarning: unused import: `b`\n --> src/a.rs:1:1\n\nwarning: `a` (lib) generated 1 warning\n    Finished\n";
        counts(Counting::Build, output, true, 1, 1);
        counts(Counting::Build, "    Finished\n", true, 1, 0);
        counts(Counting::Build, "error: could not compile `a`\n", false, 0, 1);
        assert_eq!(Counting::Build.excerpt(output), "warning: unused import: `b`\n --> src/a.rs:1:1");
    }

    #[test]
    fn cargo_results_are_summed_over_binaries_and_doctests() {
        let output = "running 2 tests\ntest a ... ok\n\n\
            test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\
            test result: FAILED. 5 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.2s\n";
        counts(Counting::Cargo, output, false, 7, 1);
    }

    #[test]
    fn a_build_that_broke_before_any_test_is_one_failure() {
        counts(Counting::Cargo, "error[E0308]: mismatched types\n", false, 0, 1);
    }

    #[test]
    fn a_runner_that_ran_nothing_has_failed() {
        counts(Counting::Cargo, "", true, 0, 1);
        counts(Counting::Node, "# pass 0\n# fail 0", true, 0, 1);
    }

    #[test]
    fn vitest_counts_with_and_without_failures_and_color() {
        counts(Counting::Vitest, " Test Files  2 passed (2)\n      Tests  12 passed (12)\n", true, 12, 0);
        counts(Counting::Vitest, "      Tests  1 failed | 11 passed | 2 skipped (14)\n", false, 11, 1);
        let colored = "\u{1b}[2m      Tests \u{1b}[22m \u{1b}[1m\u{1b}[32m3 passed\u{1b}[39m\u{1b}[22m\u{1b}[90m (3)\u{1b}[39m";
        counts(Counting::Vitest, colored, true, 3, 0);
    }

    #[test]
    fn node_counts_in_both_reporters_and_a_cancelled_test_failed() {
        counts(Counting::Node, "# tests 3\n# pass 2\n# fail 1\n# cancelled 0", false, 2, 1);
        counts(Counting::Node, "ℹ tests 3\nℹ pass 2\nℹ fail 0\nℹ cancelled 1", false, 2, 1);
        counts(Counting::Node, "# pass the salt\n# pass 1", true, 1, 0);
    }

    #[test]
    fn tests_that_were_run_once_more_are_noted() {
        assert_eq!(Counting::Node.note("ℹ pass 2\nflaky: 1 of at most 2: a test\n"), "1 flaky");
        assert_eq!(Counting::Node.note("ℹ pass 2\nflaky: it all\n"), "");
        let output = "specs/a.test.mjs: up to date\nℹ pass 2\nspecs/b.test.mjs\nℹ pass 1\nflaky: 1 of at most 2: a test\n";
        assert_eq!(Counting::Node.note(output), "1 flaky, 1 file up to date");
        assert_eq!(Counting::Node.tally(output, true).passed, 3);
    }

    #[test]
    fn the_excerpt_of_failing_tests_shows_each_failure_and_not_the_rest() {
        let output = "test a ... ok\ntest b ... FAILED\n\nfailures:\n\n---- b stdout ----\nleft: 1\n\nfailures:\n    b\n\n\
            test result: FAILED. 1 passed; 1 failed; 0 ignored\n     Running other\ntest c ... ok\n\
            test result: ok. 1 passed; 0 failed; 0 ignored\n";
        let excerpt = Counting::Cargo.excerpt(output);
        assert!(excerpt.contains("left: 1"), "{excerpt}");
        assert!(excerpt.contains("test result: FAILED"), "{excerpt}");
        assert!(!excerpt.contains("test c"), "{excerpt}");
    }

    #[test]
    fn the_excerpt_of_a_broken_build_shows_the_errors() {
        let output =
            "warning: unused\n\nerror[E0308]: mismatched types\n --> src/a.rs:1:1\n  |\n\n   Compiling x\nerror: could not compile `x`\n";
        let excerpt = Counting::Cargo.excerpt(output);
        assert!(excerpt.contains("src/a.rs:1:1"), "{excerpt}");
        assert!(excerpt.contains("could not compile"), "{excerpt}");
        assert!(!excerpt.contains("warning: unused"), "{excerpt}");
        assert!(!excerpt.contains("Compiling"), "{excerpt}");
    }

    #[test]
    fn other_stages_show_their_tail() {
        let output: String = (0..200).fold(String::new(), |text, n| format!("{text}line {n}\n"));
        let excerpt = Counting::Whole.excerpt(&output);
        assert!(excerpt.ends_with("line 199"));
        assert!(!excerpt.contains("line 100\n"));
    }

    #[test]
    fn the_table_lines_up_and_the_closing_line_is_plain() {
        let tally = Tally { passed: 12, failed: 0 };
        let row = Row { name: "ui test".into(), tally, seconds: 3.25, note: String::new() };
        assert_eq!(table(&[&row]), "stage     passed  failed   seconds\nui test       12       0       3.2\n");
        assert_eq!(tally.closing_line(), "12 passed, 0 failed");
    }

    #[test]
    fn pytest_counts_errors_as_failures() {
        let tally = |line: &str, ok| Counting::Pytest.tally(&format!("..F\n{line}\n"), ok);
        assert_eq!(tally("346 passed in 26.61s", true), Tally { passed: 346, failed: 0 });
        assert_eq!(tally("== 2 failed, 40 passed, 1 skipped, 1 error in 2.10s ==", false), Tally { passed: 40, failed: 3 });
        assert_eq!(tally("1 failed, 345 passed in 63.00s (0:01:03)", false), Tally { passed: 345, failed: 1 });
        assert_eq!(tally("no tests ran in 0.01s", true), Tally { passed: 0, failed: 1 });
    }
}
