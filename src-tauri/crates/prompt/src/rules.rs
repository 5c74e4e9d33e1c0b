//! Summary and advice for each rule about templates and scripts.

use inklings_core::Rule;

pub const RULES: &[Rule] = &[
    Rule::error("script/syntax", "invalid Python in a script", "The rendered script must be valid Python. Fix the reported line."),
    Rule::error(
        "template/failed",
        "an operation isn’t supported for its values",
        "For example, adding a number to a list. Check the values used here.",
    ),
    Rule::error(
        "template/limit",
        "a template is too long, too deeply nested or too expensive to render",
        "Reduce loops and nesting, or move long content into `references/`.",
    ),
    Rule::error(
        "template/other-template",
        "a template loads another template",
        "The statements `include`, `import` and `extends` aren’t supported. Copy the text into this template, or use a macro.",
    ),
    Rule::error(
        "template/syntax",
        "invalid template syntax",
        "Check for unclosed blocks and typos. Put literal braces between `{% raw %}` and `{% endraw %}`.",
    ),
    Rule::error("template/undefined", "undefined variable in a template", "Provide the value, or add `| default('')`."),
    Rule::error("template/unknown-filter", "unknown filter", "Check the spelling. Completion lists the available filters.").fixed(),
    Rule::error("template/unknown-function", "unknown function", "Check the spelling. Completion lists the available functions.").fixed(),
    Rule::error("template/unknown-method", "a template calls a method", "Values have no methods. Use a filter instead."),
    Rule::error("template/unknown-test", "unknown test", "Check the spelling. Completion lists the available tests.").fixed(),
    Rule::error(
        "template/value-place",
        "a value is inserted where a literal isn’t allowed",
        "Values are inserted as Python literals, so they can’t be part of an f-string, a comment or a name. Assign the value to a variable first.",
    ),
];
