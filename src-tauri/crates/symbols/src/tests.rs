use std::sync::Arc;

use inklings_core::{IdSource, SkillFormat as _, Tree, TreeFile};

use super::*;
use crate::lines::Lines;

struct Ids;
impl IdSource for Ids {
    fn uuid(&self) -> uuid::Uuid {
        uuid::Uuid::new_v4()
    }
}

fn path(text: &str) -> SkillPath {
    SkillPath::parse(text).unwrap()
}

const MAIN: &str = "---\nname: desk\ndescription: d\n---\n# First steps\n\nRead [the guide](references/guide.md#How%20to) and `scripts/run.py`, \
not `scripts/none.py`.\n\n## First steps\n\nSee [[Aria Vale]] and [up](#first-steps-1).\n";
const GUIDE: &str = "# How to\n\n[back](../SKILL.md) ![plan](../assets/plan.png) [web](https://example.org/a.md)\n";
const PROMPT: &str = "{% for claim in claims %}{{ claim.text }}{% endfor %}{{ outputs.run_it.summary }}{{ outputs['first-check'] }}\n";
const SCRIPT: &str = "import inklings\nx = inklings.run_skill(\"other-skill\", {'a': inklings.get_page('aria')})  # run_skill('no')\n\
    inklings.submit({{ claims }})\n";
const JSON: &str = r#"{ // comments are fine
  "artifacts": [
    { "path": "prompts/check.j2", "kind": "prompt_template", "name": "First Check", "metadata": {
      "params": { "properties": { "claims": { "type": "array" } }, "required": ["claims"] } } },
    { "path": "scripts/run.py", "kind": "code_template", "name": "Run it", "metadata": { "outputs": ["summary"], "fallback_artifact": "First Check" } }
  ],
  "run": ["Run it", "First Check"],
  "relations": { "depends_on": ["other-skill"], "conflicts_with": ["rival"] }
}
"#;

fn package() -> Package {
    let files = [
        ("SKILL.md", MAIN),
        ("references/guide.md", GUIDE),
        ("prompts/check.j2", PROMPT),
        ("scripts/run.py", SCRIPT),
        ("skill.json", JSON),
        ("assets/plan.png", "\0"),
    ];
    let tree: Tree = files.into_iter().map(|(name, text)| (path(name), TreeFile::new(text.as_bytes()))).collect();
    inklings_folder::Folder::new(Arc::new(Ids)).read(&tree, "desk", None).unwrap().package
}

fn with<T>(unsaved: &[(&str, &str)], run: impl FnOnce(&Texts<'_>) -> T) -> T {
    let (package, prompts) = (package(), PromptEngine::new());
    run(&Texts::new(&package, &prompts, unsaved.iter().map(|(file, text)| (path(file), (*text).to_owned()))))
}

/// The mentions in a file, as kind and text.
fn named(file: &str) -> Vec<String> {
    with(&[], |texts| {
        let text = texts.text(&path(file)).unwrap();
        texts.mentions(&path(file)).into_iter().map(|one| format!("{} <- {}", described(&one.symbol), &text[one.range])).collect()
    })
}

fn described(symbol: &Symbol) -> String {
    match symbol {
        Symbol::Variable { name } => format!("variable {name}"),
        Symbol::Artifact { name } => format!("artifact {name}"),
        Symbol::Skill { name } => format!("skill {name}"),
        Symbol::File { path } => format!("file {path}"),
        Symbol::Page { name } => format!("page {name}"),
        Symbol::Heading { path, anchor } => format!("heading {path}#{anchor}"),
    }
}

#[test]
fn markdown_names_headings_files_and_pages() {
    assert_eq!(
        named("SKILL.md"),
        [
            "heading SKILL.md#first-steps <- # First steps",
            "heading references/guide.md#how to <- references/guide.md#How%20to",
            "file scripts/run.py <- scripts/run.py",
            "heading SKILL.md#first-steps-1 <- ## First steps",
            "page Aria Vale <- Aria Vale",
            "heading SKILL.md#first-steps-1 <- #first-steps-1",
        ]
    );
    assert_eq!(
        named("references/guide.md"),
        ["heading references/guide.md#how-to <- # How to", "file SKILL.md <- ../SKILL.md", "file assets/plan.png <- ../assets/plan.png"]
    );
}

#[test]
fn templates_name_what_they_ask_for_and_outputs_in_both_spellings() {
    assert_eq!(
        named("prompts/check.j2"),
        ["variable claims <- claims", "artifact Run it <- run_it", "artifact First Check <- first-check"]
    );
}

#[test]
fn scripts_name_variables_and_what_their_calls_name() {
    assert_eq!(named("scripts/run.py"), ["skill other-skill <- other-skill", "page aria <- aria", "variable claims <- claims"]);
}

#[test]
fn skill_json_names_all_that_it_declares() {
    assert_eq!(
        named("skill.json"),
        [
            "file prompts/check.j2 <- prompts/check.j2",
            "artifact First Check <- First Check",
            "variable claims <- claims",
            "variable claims <- claims",
            "file scripts/run.py <- scripts/run.py",
            "artifact Run it <- Run it",
            "variable summary <- summary",
            "artifact First Check <- First Check",
            "artifact Run it <- Run it",
            "artifact First Check <- First Check",
            "skill other-skill <- other-skill",
            "skill rival <- rival",
        ]
    );
}

#[test]
fn a_symbol_is_found_everywhere_and_at_the_cursor() {
    with(&[], |texts| {
        let found = texts.everywhere(&Symbol::Variable { name: "claims".to_owned() });
        let counts: Vec<_> = found.iter().map(|(path, mentions)| (path.as_str(), mentions.len())).collect();
        assert_eq!(counts, [("prompts/check.j2", 1), ("scripts/run.py", 1), ("skill.json", 2)]);
        let prompt = path("prompts/check.j2");
        let at = |column| texts.at(&prompt, Lines::new(PROMPT).offset(1, column)).map(|one| described(&one.symbol));
        // At its first letter, inside, and directly after it.
        let start = PROMPT.find("claims").unwrap() + 1;
        assert_eq!([at(start), at(start + 3), at(start + 6)], [(); 3].map(|()| Some("variable claims".to_owned())));
        assert_eq!([at(start - 1), at(start + 7)], [None, None]);
    });
}

#[test]
fn unsaved_text_counts_and_broken_text_names_nothing() {
    with(&[("prompts/check.j2", "{{ subject }}"), ("gone.md", "# Gone")], |texts| {
        assert_eq!(texts.mentions(&path("prompts/check.j2")).len(), 1);
        assert!(!texts.has(&path("gone.md")));
    });
    with(&[("prompts/check.j2", "{{ subject"), ("skill.json", "{ \"run\": [")], |texts| {
        assert_eq!(texts.mentions(&path("prompts/check.j2")), []);
        assert_eq!(texts.mentions(&path("skill.json")), []);
    });
}
