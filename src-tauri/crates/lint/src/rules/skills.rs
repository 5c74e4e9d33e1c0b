//! The validator's rules for the contents of a skill.

use inklings_core::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule::warning(
        "artifact/params",
        "invalid JSON Schema in the parameters of an artifact",
        "Without a valid schema, values aren’t checked before a run. A schema may only reference parts of itself, and its alternatives must not multiply.",
    ),
    Rule::error("assertion/check", "unknown or missing check of an assertion", "The assertion can’t run. Use one of the listed checks.")
        .fixed(),
    Rule::error("assertion/missing-key", "a required key of an assertion is missing", "The assertion can’t run. Add the key."),
    Rule::error(
        "assertion/pattern",
        "invalid regular expression in an assertion",
        "Look-around and backreferences aren’t supported. In JSON, write `\\\\` for `\\`.",
    ),
    Rule::error(
        "assertion/schema",
        "invalid JSON Schema in an assertion",
        "A schema may only reference parts of itself, and its alternatives must not multiply.",
    ),
    Rule::error("assertion/shape", "assertions isn’t an array of objects", "Use `\"assertions\": [{ \"type\": … }]`."),
    Rule::error("assertion/type", "unknown or missing assertion type", "The assertion can’t run. Use one of the listed types.").fixed(),
    Rule::warning(
        "assertion/unknown-key",
        "unknown key in an assertion",
        "Unknown keys have no effect, so the check may be less strict than intended. Check the spelling.",
    )
    .fixed(),
    Rule::error("assertion/value", "invalid value in an assertion", "Use a value of the expected type."),
    Rule::error(
        "dspy/fallback",
        "missing or invalid fallback of a DSPy module",
        "The fallback is the prompt that runs if DSPy is unavailable. Set `metadata.fallback_artifact` to a prompt of the skill.",
    )
    .fixed(),
    Rule::error(
        "dspy/shape",
        "a DSPy module has no template_id or signature",
        "Both are required: `{ \"template_id\": …, \"signature\": … }`.",
    ),
    Rule::error("dspy/signature", "invalid DSPy signature", "Use a signature such as `question, context: list[str] -> answer: str`."),
    Rule::error("dspy/template", "unknown DSPy template", "Use one of the listed templates.").fixed(),
    Rule::error("json/syntax", "invalid JSON", "JSON doesn’t allow comments, trailing commas or single quotes. Fix the reported error.")
        .fixed(),
    Rule::error("relation/contradiction", "a skill both depends on and conflicts with another skill", "Keep one of the two relations.")
        .fixed(),
    Rule::error("relation/self", "a skill relates to itself", "Remove the relation.").fixed(),
    Rule::error(
        "run/unknown",
        "the run plan contains something that isn’t an artifact",
        "The skill can’t run. Use the name of an artifact, or remove the entry.",
    )
    .fixed(),
    Rule::warning(
        "script/import",
        "a script imports a module that doesn’t work in the sandbox",
        "The sandbox has the Python standard library without network, processes and threads, and the module `inklings`.",
    ),
    Rule::warning(
        "script/no-submit",
        "a script never submits a result",
        "Call `inklings.submit(value)` once with the result of the script.",
    ),
    Rule::error("script/rights", "unknown capability in metadata.rights", "Unknown capabilities grant nothing. Use the listed ones.")
        .fixed(),
    Rule::warning(
        "script/unknown-function",
        "a script uses an unknown member of the module inklings",
        "The script will fail. Check the spelling.",
    )
    .fixed(),
    Rule::hint(
        "skill/description-short",
        "the description is very short",
        "Agents select a skill by its description. Describe what the skill does and when to use it.",
    ),
    Rule::hint(
        "skill/description-when",
        "the description doesn’t say when to use the skill",
        "Agents select a skill by its description. Add a sentence such as “Use when …”.",
    ),
    Rule::info(
        "skill/long",
        "the instructions have more than 5,000 tokens",
        "Every use of the skill loads all of them. Move details into `references/` and say when to read them.",
    ),
    Rule::error("skill/title", "the title is empty", "Lists show the title. Add one."),
    Rule::warning("template/empty", "a prompt is empty", "Add instructions for the model."),
    Rule::warning(
        "template/undeclared",
        "a template uses a variable that its parameters don’t declare",
        "A run doesn’t ask for it. Check the spelling, or declare it in `metadata.params`. Outputs of earlier artifacts need no declaration.",
    )
    .fixed(),
    Rule::warning(
        "template/variants",
        "variants of a prompt use different variables",
        "A variant receives the same values as the prompt that it replaces. Use the same variables in all variants.",
    ),
];
