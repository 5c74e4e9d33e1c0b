//! The rules about templates and scripts, with words about each.

use inklings_core::Rule;

/// See [`Rule`].
pub const RULES: &[Rule] = &[
    Rule::error(
        "script/syntax",
        "a script is no Python",
        "A script is rendered first and then read as Python: what is rendered has to be a program. Correct it at the line that the finding names.",
    ),
    Rule::error(
        "template/failed",
        "a template does something that its values don’t allow",
        "Such as adding a number to a list. Look at the values that this place is given.",
    ),
    Rule::error(
        "template/limit",
        "a template is too long, too deeply nested or takes too many steps",
        "Limits keep one template from taking all of the machine. Loop over less, split what is nested, move long material into `references/`.",
    ),
    Rule::error(
        "template/other-template",
        "a template wants to load another one",
        "Templates stand alone: `include`, `import` and `extends` have nothing to load. Put the text here, or use a macro.",
    ),
    Rule::error(
        "template/syntax",
        "a template can’t be read",
        "Something is left open or misspelt. Literal braces stand between `{% raw %}` and `{% endraw %}`.",
    ),
    Rule::error(
        "template/undefined",
        "a template uses a value that was not given",
        "Give the run that value, or write `| default('')` behind it.",
    ),
    Rule::error(
        "template/unknown-filter",
        "a template uses a filter that doesn’t exist",
        "Most often it is a spelling; completion lists the filters that there are.",
    )
    .fixed(),
    Rule::error(
        "template/unknown-function",
        "a template calls a function that doesn’t exist",
        "Most often it is a spelling; completion lists the functions that there are.",
    )
    .fixed(),
    Rule::error(
        "template/unknown-method",
        "a template calls a method of a value",
        "Values have no methods here. Use the filter that the hint names.",
    ),
    Rule::error(
        "template/unknown-test",
        "a template uses a test that doesn’t exist",
        "Most often it is a spelling; completion lists the tests that there are.",
    )
    .fixed(),
    Rule::error(
        "template/value-place",
        "a script’s value stands where none can: in an f-string, a comment, a name",
        "A value is put into a script as a literal, so that it can never become code. Assign it to a variable first and use that.",
    ),
];
