use crate::{check, check_typed, hint_of};

/// A skill with a prompt whose schema declares `claims`, and these entries of further artifacts, keys and files.
fn judging(prompt: &str, artifacts: &str, keys: &str, files: &str) -> String {
    format!(
        r#"
//- skill.json
{{ "artifacts": [
  {{ "path": "p.j2", "kind": "prompt_template", "name": "Judge", "metadata": {{
    "params": {{ "type": "object", "properties": {{ "claims": {{ "type": "array" }} }} }} }} }}{artifacts}
]{keys} }}
//- p.j2
{prompt}
{files}"#
    )
}

#[test]
fn each_use_of_a_variable_that_nothing_declares_is_reported() {
    let prompt =
        "Judge {{ claims | length }}:\n{% for c in clams %}{{ c.text }}{{ loop.index }}{% endfor %}{{ tone | default('calm') }}{{ clams }}";
    check(
        &judging(prompt, "", "", ""),
        &[
            "p.j2 2:13-18 warning template/undeclared: the parameters don't declare \"clams\"",
            "p.j2 2:64-68 warning template/undeclared: the parameters don't declare \"tone\"",
            "p.j2 2:92-97 warning template/undeclared: the parameters don't declare \"clams\"",
        ],
    );
    assert_eq!(hint_of(&judging("{{ clams }}", "", "", "")), "did you mean \"claims\"?");
    assert_eq!(hint_of(&judging("{{ claims }}{{ mood }}", "", "", "")), "declare it in metadata.params of the artifact in skill.json");
}

#[test]
fn it_is_reported_while_the_template_is_typed() {
    check_typed(
        &judging("{{ claims }}", "", "", ""),
        "p.j2",
        "{{ claims }} {{ tone }}",
        &["p.j2 1:17-21 warning template/undeclared: the parameters don't declare \"tone\""],
    );
    check_typed(&judging("x", "", "", ""), "p.j2", "{{ outputs.collect }}{% set a = claims %}{{ a }}", &[]);
}

#[test]
fn templates_of_scripts_are_read_as_well() {
    let script = r#",
  { "path": "s.py", "kind": "code_template", "name": "Collect", "metadata": {
    "outputs": ["claims"], "params": { "properties": { "page": {} } } } }"#;
    check(
        &judging("{{ claims }}", script, "", "//- s.py\nimport inklings\ninklings.submit({{ page }} + {{ pge }})\n"),
        &["s.py 2:33-36 warning template/undeclared: the parameters don't declare \"pge\""],
    );
}

#[test]
fn a_schema_that_allows_others_declares_all() {
    let open = |schema: &str| {
        format!(
            "\n//- skill.json\n{{ \"artifacts\": [{{ \"path\": \"p.j2\", \"kind\": \"prompt_template\", \"name\": \"P\",\n\
             \"metadata\": {{ {schema} }} }}] }}\n//- p.j2\n{{{{ a }}}}{{{{ b }}}}\n"
        )
    };
    let two = ["a", "b"].map(|name| {
        let column = if name == "a" { "4-5" } else { "11-12" };
        format!("p.j2 1:{column} warning template/undeclared: the parameters don't declare \"{name}\"")
    });
    for schema in [
        r#""outputs": []"#,
        r#""params": { "type": "object" }"#,
        r#""params": { "properties": {}, "additionalProperties": true }"#,
        r#""params": { "properties": {}, "allOf": [{ "properties": { "a": {}, "b": {} } }] }"#,
    ] {
        check(&open(schema), &[]);
    }
    for schema in [r#""params": { "properties": {} }"#, r#""params": { "properties": {}, "additionalProperties": false }"#] {
        check(&open(schema), &two.each_ref().map(String::as_str));
    }
}

const COLLECT: &str = r#",
  { "path": "s.py", "kind": "code_template", "name": "Collect", "metadata": { "outputs": ["facts"] } }"#;
const COLLECT_ANY: &str = r#", { "path": "s.py", "kind": "code_template", "name": "Collect" }"#;
const EXTRACT: &str = r#",
  { "path": "m.json", "kind": "dspy_module", "name": "Extract", "metadata": { "fallback_artifact": "Judge" } }"#;
const SCRIPT: &str = "//- s.py\nimport inklings\ninklings.submit({})\n";
const MODULE: &str = "//- m.json\n{ \"template_id\": \"predict\", \"signature\": \"claims -> facts: list[str]\" }\n";
const FACTS: [&str; 1] = ["p.j2 1:4-9 warning template/undeclared: the parameters don't declare \"facts\""];

#[test]
fn outputs_of_other_artifacts_need_no_declaration() {
    check(&judging("{{ facts }}", COLLECT, "", SCRIPT), &[]);
    check(&judging("{{ facts }}", COLLECT_ANY, "", SCRIPT), &[]);
    let of_another = format!(r#"{}, {{ "path": "q.j2", "kind": "prompt_template", "name": "Spare" }}"#, EXTRACT.replace("Judge", "Spare"));
    check(&judging("{{ facts }}", &of_another, "", &format!("{MODULE}//- q.j2\nx\n")), &[]);
    check(&judging("{{ facts }}", EXTRACT, "", MODULE), &FACTS);
}

#[test]
fn only_what_runs_before_provides() {
    let ordered = |artifacts: &str, files: &str, run: &str| judging("{{ facts }}", artifacts, &format!(", \"run\": [{run}]"), files);
    check(&ordered(COLLECT, SCRIPT, r#""Collect", "Judge""#), &[]);
    check(&ordered(COLLECT, SCRIPT, r#""Judge", "Collect", "Judge""#), &[]);
    check(&ordered(COLLECT, SCRIPT, r#""Judge", "Collect""#), &FACTS);
    check(&ordered(COLLECT, SCRIPT, r#""Judge""#), &FACTS);
    check(&ordered(COLLECT_ANY, SCRIPT, r#""Judge", "Collect""#), &FACTS);
    // A fallback runs in the place of its module.
    let both = (format!("{COLLECT}{EXTRACT}"), format!("{SCRIPT}{MODULE}"));
    check(&ordered(&both.0, &both.1, r#""Collect", "Extract""#), &[]);
    check(&ordered(&both.0, &both.1, r#""Extract", "Collect""#), &FACTS);
}
