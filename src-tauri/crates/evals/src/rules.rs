//! Summary and advice for each rule about files with cases.

use inklings_core::Rule;

pub const RULES: &[Rule] = &[
    Rule::error("eval/duplicate", "two cases of a file have the same id", "Results are stored by id. Give each case its own."),
    Rule::error("eval/entry", "invalid eval case", "The case is skipped. Correct the reported value."),
    Rule::warning(
        "eval/shape",
        "a file in `evals/` has no cases",
        "Cases are a list, or the list `evals` of an object. Move other files to another folder.",
    ),
    Rule::error("eval/syntax", "invalid JSON or YAML in a file with eval cases", "Its cases are skipped until the syntax is correct."),
    Rule::warning("eval/unchecked", "an eval case checks nothing", "Add `assertions` or an `expected_output`; else every output passes."),
];
