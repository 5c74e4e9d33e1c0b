//! Rules for importing and finding skills, and for reading examples.

use inklings_core::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule::warning(
        "import/conflict",
        "a skill changed both here and at its source",
        "Nothing is imported until you choose a version, merge them, or keep both.",
    ),
    Rule::error(
        "import/duplicate",
        "two folders of an import contain the same skill",
        "Only the first is imported. Import them one by one, or keep both under different names.",
    ),
    Rule::warning(
        "import/locked",
        "a locked skill of this name already exists",
        "Built-in and imported skills aren’t overwritten. Import it into a workspace, or rename it.",
    ),
    Rule::info("import/older", "the existing skill is newer", "It already contains all incoming changes. Nothing to do."),
    Rule::error("import/refused", "a skill can’t be imported", "The skill wasn’t changed. Fix the reported error."),
    Rule::error("import/unreadable", "a folder can’t be read", "Check its path and permissions."),
    Rule::warning(
        "optimize/example",
        "an invalid example was skipped",
        "An example needs a value for every input of the program. Fix the reported line.",
    ),
    Rule::warning(
        "target/dead-link",
        "a broken link in the folder of another agent",
        "The linked skill was moved or deleted. Remove the link, or create the skill again.",
    ),
    Rule::warning("target/unreadable", "the folder of another agent can’t be read", "Check the permissions of the folder."),
];
