use inklings_lint::check_skill;
use inklings_prompt::tokens;

use crate::{check, folder, hint_of, skill};

#[test]
fn a_good_skill_has_no_findings() {
    check(
        r#"
//- skill.json
{
  "artifacts": [
    { "path": "prompts/check.j2", "kind": "prompt_template", "name": "Check Prompt", "ordinal": 1, "metadata": {
      "assertions": [
        { "type": "structural", "check": "json_schema", "schema": { "type": "object", "required": ["contradictions"] } },
        { "type": "length", "check": "char_range", "min": 100, "max": 5000 },
        { "type": "semantic", "check": "llm_eval", "prompt": "Does it name pages? Answer yes or no.", "expected": "yes" }
      ]
    } },
    { "path": "prompts/check.openai.j2", "kind": "prompt_template", "name": "Check Prompt", "variant": "openai" },
    { "path": "scripts/cross.py", "kind": "code_template", "name": "Cross-Reference" },
    { "path": "dspy/check.json", "kind": "dspy_module", "name": "Checker", "state": "dspy/check.state.json",
      "metadata": { "fallback_artifact": "Check Prompt" } }
  ],
  "run": ["Cross-Reference", "Check Prompt"],
  "relations": { "depends_on": ["reader"], "conflicts_with": ["writer"] },
  "metadata": { "manifest": { "version": 1, "requiredTools": ["webSearch"] } }
}
//- prompts/check.j2
{% for claim in claims %}{{ claim.text | trim }}{% endfor %}
//- prompts/check.openai.j2
{{ claims | length }}
//- scripts/cross.py
import inklings
pages = inklings.search({{ entity_type | tojson }})
inklings.submit({"a": 1, "b": f"{pages}"})
//- dspy/check.json
{ "template_id": "chain_of_thought", "signature": "claims: list[str] -> contradictions: list[str]" }
//- dspy/check.state.json
{ "demos": [] }
//- references/data.json
[1, 2]
"#,
        &[],
    );
}

#[test]
fn templates_are_read() {
    check(
        r#"
//- skill.json
{ "artifacts": [
  { "path": "p.j2", "kind": "prompt_template", "name": "P" },
  { "path": "q.j2", "kind": "prompt_template", "name": "Q" },
  { "path": "e.j2", "kind": "prompt_template", "name": "E" },
  { "path": "s.py", "kind": "code_template", "name": "S" }
] }
//- p.j2
Größe {{ x | uper }} and {% if y is defned %}{% endif %}
//- q.j2
one
{% for x in %}
//- e.j2

//- s.py
a = '{{ name }}'
b = "{{ name | tojson }}" + "{{ other | trim }}"
inklings.submit(a + b)
"#,
        &[
            "e.j2 - warning template/empty: the prompt is empty",
            "p.j2 1:14-18 error template/unknown-filter: unknown filter \"uper\"",
            "p.j2 1:37-43 error template/unknown-test: unknown test \"defned\"",
            "q.j2 2:13-15 error template/syntax: unexpected end of block",
        ],
    );
}

#[test]
fn variants_use_the_same_variables() {
    check(
        r#"
//- skill.json
{ "artifacts": [
  { "path": "p.j2", "kind": "prompt_template", "name": "P", "ordinal": 5 },
  { "path": "p.openai.j2", "kind": "prompt_template", "name": "P", "variant": "openai", "ordinal": 1 },
  { "path": "q.j2", "kind": "prompt_template", "name": "Q" }
] }
//- p.j2
{{ a }}{{ b }}
//- p.openai.j2
{{ a }}{{ c }}
//- q.j2
{{ z }}
"#,
        &["p.openai.j2 1:1 warning template/variants: this variant and p.j2 use different variables: it also uses c and doesn't use b"],
    );
}

#[test]
fn json_files_are_read() {
    check(
        "
//- references/a.json
{ \"é\": [1, 2,] }
//- references/b.json
//- references/c.json
{
  \"a\": { \"b/c\": [ {}, 'x' ] }
}
//- references/d.txt
{ not json
",
        &[
            "references/a.json 1:14-15 error json/syntax: invalid JSON: trailing comma",
            "references/b.json 1:1-1 error json/syntax: invalid JSON: EOF while parsing a value",
            "references/c.json 2:23-24 error json/syntax: invalid JSON: expected value",
        ],
    );
    let findings = inklings_lint::check_package(&crate::skill("\n//- c.json\n{\n  \"a\": { \"b/c\": [ {}, 'x' ] }\n}\n"));
    assert_eq!(findings[0].pointer.as_deref(), Some("/a/b~1c/1"));
    assert_eq!(findings[0].hint.as_deref(), Some("use double quotes"));
}

#[test]
fn dspy_modules_are_read() {
    check(
        r#"
//- skill.json
{ "artifacts": [
  { "path": "a.json", "kind": "dspy_module", "name": "A", "metadata": { "fallback_artifact": "P" } },
  { "path": "b.json", "kind": "dspy_module", "name": "B", "metadata": { "fallback_artifact": "Overview" } },
  { "path": "c.json", "kind": "dspy_module", "name": "C", "metadata": { "fallback_artifact": "p" } },
  { "path": "d.json", "kind": "dspy_module", "name": "D", "metadata": { "fallback_artifact": 3 } },
  { "path": "e.json", "kind": "dspy_module", "name": "E" },
  { "path": "p.j2", "kind": "prompt_template", "name": "P" }
] }
//- a.json
{
  "template_id": "chain_of_thoughts",
  "signature": "claims -> "
}
//- b.json
{ "templateId": "predict", "signature": 3 }
//- c.json
[]
//- d.json
{ "template_id": "predict", "signature": "a: strng -> b" }
//- e.json
{ "template_id": "predict", "signature": "a -> b"
//- p.j2
x
"#,
        &[
            "a.json 2:18-37 error dspy/template: unknown template \"chain_of_thoughts\"",
            "a.json 3:26-27 error dspy/signature: the signature has no outputs",
            "b.json 1:1-2 error dspy/shape: missing key \"template_id\"",
            "b.json 1:41-42 error dspy/shape: \"signature\" must be a string",
            "c.json 1:1-2 error dspy/shape: a DSPy module must be an object with template_id and signature",
            "d.json 1:43-52 error dspy/signature: unknown type \"strng\"",
            "e.json 2:1-1 error json/syntax: invalid JSON: EOF while parsing an object",
            "skill.json 3:94-104 error dspy/fallback: the fallback \"Overview\" must be a prompt_template, found description",
            "skill.json 4:94-97 error dspy/fallback: the fallback \"p\" isn't an artifact of this skill",
            "skill.json 5:94-95 error dspy/fallback: fallback_artifact must be the name of a prompt_template",
            "skill.json 6:3-4 warning dspy/fallback: \"E\" has no fallback: it can't run if DSPy is unavailable",
        ],
    );
}

#[test]
fn a_modules_settings_and_rights_are_read() {
    check(
        r#"
//- skill.json
{ "artifacts": [
  { "path": "a.json", "kind": "dspy_module", "name": "A", "metadata": { "fallback_artifact": "P", "rights": ["page", 3] } },
  { "path": "b.json", "kind": "dspy_module", "name": "B", "metadata": { "fallback_artifact": "P", "rights": "pages" } },
  { "path": "p.j2", "kind": "prompt_template", "name": "P" }
] }
//- a.json
{ "template_id": "predict", "signature": "a -> b", "adapter": "xml", "instructions": 3, "parameters": [] }
//- b.json
{ "template_id": "predict", "signature": "a -> b", "adapter": "json", "instructions": "Be brief.", "parameters": { "n": 2 }, "other": 1 }
//- p.j2
x
"#,
        &[
            "a.json 1:63-68 error dspy/shape: unknown adapter",
            "a.json 1:86-87 error dspy/shape: \"instructions\" must be a string",
            "a.json 1:89-101 error dspy/shape: \"parameters\" must be an object",
            "skill.json 2:110-116 error script/rights: unknown capability \"page\"",
            "skill.json 2:118-119 error script/rights: unknown capability 3",
            "skill.json 3:109-116 error script/rights: rights must be an array of strings",
        ],
    );
}

#[test]
fn a_schema_of_parameters_must_be_usable() {
    check(
        r##"
//- skill.json
{ "artifacts": [
  { "path": "p.j2", "kind": "prompt_template", "name": "P", "metadata": {
    "params": { "anyOf": [{ "$ref": "#" }, { "$ref": "#" }] } } },
  { "path": "q.j2", "kind": "prompt_template", "name": "Q", "metadata": {
    "params": { "type": "object", "properties": { "a": { "$ref": "#/$defs/a" } }, "$defs": { "a": { "type": "string" } } } } }
] }
//- p.j2
one
//- q.j2
{{ a }}
"##,
        &["skill.json 3:5-13 warning artifact/params: invalid JSON Schema of the parameters: circular reference at the root"],
    );
}

#[test]
fn the_plan_and_relations_name_what_is_there() {
    check(
        r#"
//- skill.json
{
  "artifacts": [{ "path": "p.j2", "kind": "prompt_template", "name": "Check" }],
  "run": ["Check", "Chek", "Overview"],
  "relations": { "depends_on": ["Memo", "reader"], "conflicts_with": ["Reader"] }
}
//- p.j2
x
"#,
        &[
            "skill.json 3:20-26 error run/unknown: the run plan contains \"Chek\", which isn't an artifact of this skill",
            "skill.json 4:33-39 error relation/self: the skill lists itself in depends_on",
            "skill.json 4:71-79 error relation/contradiction: the skill both depends on and conflicts with \"Reader\"",
        ],
    );
}

#[test]
fn the_manifest_is_placed_in_its_file() {
    check(
        r#"
//- skill.json
{ "metadata": { "manifest": {
  "version": 1,
  "requiredTool": ["a"],
  "humanGates": [{ "key": "g", "label": "G", "when": "beforeRun" }],
  "evals": { "optimization": { "promotion": {
    "mode": "autonomous_threshold"
  } } }
} } }
"#,
        &[
            "skill.json 3:3-17 error manifest/unknown-key: unknown key \"requiredTool\"",
            "skill.json 4:54-65 error manifest/value: unknown value \"beforeRun\" for \"when\"",
        ],
    );
    assert_eq!(hint_of("\n//- skill.json\n{ \"metadata\": { \"manifest\": { \"version\": 3 } } }\n"), "use \"version\": 1");
}

#[test]
fn descriptions_say_what_and_when() {
    check(
        "\n//- SKILL.md\n---\nname: memo\ndescription: Writes memos.\n---\nx\n",
        &[
            "SKILL.md 3:1 hint skill/description-short: the description is very short",
            "SKILL.md 3:1 hint skill/description-when: the description doesn't say when to use the skill",
        ],
    );
    check(
        "\n//- SKILL.md\n---\nname: memo\ndescription: 企業のメモを書きます。投資家向けの要約を、情報源とともに、短く、正確に、読みやすく、まとめます。\n---\nx\n",
        &[],
    );
}

#[test]
fn long_instructions_get_advice() {
    let head = "---\nname: memo\ndescription: Writes a memo about a company. Use when a memo is asked for.\n---\n";
    let mut body = "Read the page.\n".repeat(1_240);
    while tokens::count(&body) < 5_000 {
        body.push_str(" a");
    }
    assert_eq!(tokens::count(&body), 5_000);
    check(&format!("\n//- SKILL.md\n{head}{body}"), &[]);
    body.push_str(" a");
    assert_eq!(tokens::count(&body), 5_001);
    check(
        &format!("\n//- SKILL.md\n{head}{body}"),
        &["SKILL.md 5:1 info skill/long: the instructions have about 5000 tokens, which every use of the skill loads"],
    );
}

#[test]
fn the_projections_findings_are_passed_on() {
    check(
        "\n//- SKILL.md\n---\ndescription: Writes a memo about a company. Use when a memo is asked for.\n---\nx\n",
        &["SKILL.md 1:1 warning fake/name: no name"],
    );
}

#[test]
fn the_assertions_of_eval_cases_follow_the_rules_of_artifacts() {
    let json = r#"[{ "prompt": "Do it", "assertions": ["It is done", { "type": "contians", "value": "done" }] }]"#;
    let yaml = "- prompt: Do it\n  expectations:\n    - It is done\n    - { type: contians, value: done }";
    let cases = [("evals/evals.json", json, 1, "/0/assertions/1/type"), ("evals/evals.yaml", yaml, 4, "/0/expectations/1/type")];
    for (path, text, line, pointer) in cases {
        let found = check_skill(&skill(&format!("//- {path}\n{text}\n")), &folder::Fake);
        let found: Vec<_> = found.iter().map(|one| (one.rule.as_str(), one.file.as_deref(), one.line, one.pointer.as_deref())).collect();
        assert_eq!(found, [("assertion/type", Some(path), Some(line), Some(pointer))]);
    }
}
