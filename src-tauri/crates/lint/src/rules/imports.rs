//! The rules of what is around the validator: bringing skills in, looking for them, and reading examples.

use inklings_core::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule::warning(
        "import/conflict",
        "a skill was changed here and where it comes from",
        "Nothing of it is stored until you choose one side, merge them, or keep both.",
    ),
    Rule::error(
        "import/duplicate",
        "two folders of one import are the same skill",
        "The first in the order of names comes in. Import them one by one, or keep both under different names.",
    ),
    Rule::warning(
        "import/locked",
        "a skill of that name is here and locked",
        "What came with the app or from others isn’t overwritten. Import it into a workspace, where it overrides the locked one, or rename it.",
    ),
    Rule::info(
        "import/older",
        "the skill here has everything that would come in, and more",
        "It was changed here since it came from there. There is nothing to do.",
    ),
    Rule::error("import/refused", "a skill can’t be stored", "The finding says why; nothing of this skill was changed."),
    Rule::error("import/unreadable", "a folder can’t be read", "Check that it is there and may be read."),
    Rule::warning(
        "optimize/example",
        "a line of the examples is left out",
        "An example needs a value for every input of the program. Correct the line that the finding names.",
    ),
    Rule::warning(
        "target/dead-link",
        "a link in another agent’s folder leads nowhere",
        "The skill that it stood for was moved or deleted. Remove the link, or make the skill anew.",
    ),
    Rule::warning("target/unreadable", "another agent’s folder can’t be read", "Check the permissions of the folder."),
];
