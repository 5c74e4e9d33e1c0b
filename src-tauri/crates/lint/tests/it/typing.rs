use inklings_core::SkillPath;
use inklings_lint::{Context, check_file};
use proptest::prelude::*;

use crate::{check_typed, folder, skill};

const SKILL: &str = r#"
//- skill.json
{ "artifacts": [
  { "path": "p.j2", "kind": "prompt_template", "name": "P" },
  { "path": "p.openai.j2", "kind": "prompt_template", "name": "P", "variant": "openai" },
  { "path": "d.json", "kind": "dspy_module", "name": "D", "state": "d.state.json" },
  { "path": "notes.md", "kind": "approach", "name": "N" }
] }
//- p.j2
{{ a }}
//- p.openai.j2
{{ a }}
//- d.json
{}
//- d.state.json
{}
//- notes.md
{{ not a template
"#;

#[test]
fn the_text_being_typed_counts_and_only_its_file_is_named() {
    check_typed(SKILL, "p.j2", "{{ a | uper }}", &["p.j2 1:8-12 error template/unknown-filter: unknown filter \"uper\""]);
    check_typed(SKILL, "p.j2", "{{ b }}", &[]);
    check_typed(
        SKILL,
        "p.openai.j2",
        "{{ b }}",
        &["p.openai.j2 1:1 warning template/variants: this variant and p.j2 use different variables: it also uses b and doesn't use a"],
    );
    check_typed(SKILL, "d.json", "{ \"template_id\": \"predict\", \"signature\": \"a -> b\" }", &[]);
    check_typed(SKILL, "d.state.json", "{", &["d.state.json 1:1-2 error json/syntax: invalid JSON: EOF while parsing an object"]);
    check_typed(SKILL, "notes.md", "{{ x | nothing", &[]);
    check_typed(SKILL, "new.json", "[1 2]", &["new.json 1:4-5 error json/syntax: invalid JSON: expected `,` or `]`"]);
    check_typed(SKILL, "new.j2", "{{", &[]);
}

#[test]
fn declaring_files_are_read_anew() {
    check_typed(SKILL, "SKILL.md", "---\nname: x\n---\n", &["SKILL.md 1:1 error fake/description: no description"]);
    check_typed(
        SKILL,
        "SKILL.md",
        "---\nname: x\ndescription: Short.\n---\nbody",
        &[
            "SKILL.md 3:1 hint skill/description-short: the description is very short",
            "SKILL.md 3:1 hint skill/description-when: the description doesn't say when to use the skill",
        ],
    );
    check_typed(SKILL, "skill.json", "{", &["skill.json 1:1 error fake/json: not JSON"]);
    check_typed(
        SKILL,
        "skill.json",
        "{\n  \"run\": [\"Overvew\"]\n}\n",
        &["skill.json 2:11-20 error run/unknown: the run plan contains \"Overvew\", which isn't an artifact of this skill"],
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_harms_the_validator(text in "[\\[\\]{}\":,/%a-z0-9\\\\ \n\u{feff}é-]{0,80}") {
        let package = skill(SKILL);
        let context = Context { package: &package, format: &folder::Fake };
        for path in ["p.j2", "d.json", "d.state.json", "x.json"] {
            for finding in check_file(&context, &SkillPath::parse(path).unwrap(), &text) {
                prop_assert_eq!(finding.file.as_deref(), Some(path));
                prop_assert!(finding.line != Some(0) && finding.column != Some(0));
            }
        }
        let _ = inklings_lint::signature::parse(&text);
    }
}
