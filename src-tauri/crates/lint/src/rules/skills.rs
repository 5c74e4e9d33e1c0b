//! The rules of this validator: what a skill's parts mean together.

use inklings_core::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule::warning(
        "artifact/params",
        "the JSON Schema of an artifact’s parameters can’t be used",
        "Without it values are not checked before a run. A schema may refer to parts of itself only, and its alternatives must not multiply.",
    ),
    Rule::error(
        "assertion/check",
        "an assertion’s check isn’t one of its type’s, or is missing where the type has several",
        "Without it the assertion can’t be run. Use one of the checks that the finding names.",
    )
    .fixed(),
    Rule::error(
        "assertion/missing-key",
        "an assertion lacks a key that its check needs",
        "Without it the assertion can’t be run. Add the key.",
    ),
    Rule::error(
        "assertion/pattern",
        "an assertion’s regular expression doesn’t compile",
        "Look-around and back-references are not available, so that no pattern can take forever. A text in JSON needs `\\\\` for one `\\`.",
    ),
    Rule::error(
        "assertion/schema",
        "an assertion’s JSON Schema can’t be used",
        "A schema may refer to parts of itself only, nothing is fetched, and its alternatives must not multiply.",
    ),
    Rule::error("assertion/shape", "assertions are not a list of objects", "Write `\"assertions\": [{ \"type\": … }]`."),
    Rule::error(
        "assertion/type",
        "an assertion’s type is unknown or missing",
        "Without a known type the assertion can’t be run. Use one of the types that the finding names.",
    )
    .fixed(),
    Rule::warning(
        "assertion/unknown-key",
        "an assertion has a key that its check doesn’t know",
        "Nothing reads it, so the check may be looser than it looks. Most often it is a spelling.",
    )
    .fixed(),
    Rule::error("assertion/value", "a value in an assertion is of the wrong form", "Write a value of the form that the finding names."),
    Rule::error(
        "dspy/fallback",
        "a DSPy module’s fallback is no prompt of the skill (a warning: it has none)",
        "The fallback is the prompt that runs where DSPy can’t. Name one of the skill’s prompts in `metadata.fallback_artifact`.",
    )
    .fixed(),
    Rule::error(
        "dspy/shape",
        "a DSPy module’s file has no template_id or signature",
        "Both are needed to build the program: `{ \"template_id\": …, \"signature\": … }`.",
    ),
    Rule::error("dspy/signature", "a DSPy signature can’t be read", "Write it like `question, context: list[str] -> answer: str`."),
    Rule::error(
        "dspy/template",
        "a DSPy module names a template that isn’t shipped",
        "Only the shipped templates can run. Use one of those that the finding names.",
    )
    .fixed(),
    Rule::error(
        "json/syntax",
        "a JSON file can’t be read",
        "JSON has no comments and no comma after the last item, and texts stand in double quotes. Correct it where the finding says.",
    )
    .fixed(),
    Rule::error("relation/contradiction", "a skill depends on another and conflicts with it", "Both can’t hold. Keep one of the two.")
        .fixed(),
    Rule::error("relation/self", "a skill relates to itself", "It means nothing. Remove it.").fixed(),
    Rule::error(
        "run/unknown",
        "the plan of a run names something that is no artifact",
        "The run is refused before anything executes. Name an artifact of the skill, or remove it.",
    )
    .fixed(),
    Rule::warning(
        "script/import",
        "a script imports a module that its sandbox doesn’t have, or that can’t work there",
        "The sandbox has Python’s own library without network, processes and threads, and the module `inklings`. Use what the hint names instead.",
    ),
    Rule::warning(
        "script/no-submit",
        "a script never hands in a result",
        "Call `inklings.submit(value)` once: what it is given is the result of the script.",
    ),
    Rule::error(
        "script/rights",
        "metadata.rights isn’t a list of rights that there are",
        "A right that isn’t known grants nothing. Use those that the finding names.",
    )
    .fixed(),
    Rule::warning(
        "script/unknown-function",
        "a script uses something that the module inklings doesn’t have",
        "The script will fail there. Most often it is a spelling.",
    )
    .fixed(),
    Rule::hint(
        "skill/description-short",
        "the description is too short to choose a skill by",
        "Agents choose by this text alone: say what the skill does and when to use it.",
    ),
    Rule::hint(
        "skill/description-when",
        "the description doesn’t say when to use the skill",
        "Agents choose by this text alone. Add a sentence such as “Use when …”.",
    ),
    Rule::info(
        "skill/long",
        "the instructions have more than 5,000 tokens",
        "Every use of the skill pays for all of them. Move what is not always needed into `references/` and say when to read it.",
    ),
    Rule::error("skill/title", "the title is empty", "Lists show the skill by it. Give one."),
    Rule::warning("template/empty", "a prompt has no text", "A model that is asked nothing answers anything. Write what it should do."),
    Rule::warning(
        "template/variants",
        "a prompt’s variants use different variables",
        "A variant stands in for the prompt with the same values, so one that needs others can’t run in its place.",
    ),
];
