//! Find and replace in all skills, with the real command.

use serde_json::json;

use crate::support::{World, finish};

fn two(world: &World) {
    for name in ["first", "second"] {
        world.file(
            &format!("{name}/SKILL.md"),
            format!("---\nname: {name}\ndescription: Tells of the Colour.\n---\n\nEvery colour counts.\n"),
        );
        world.file(&format!("{name}/prompts/ask.j2"), "Which colour has {{ thing }}?\n");
        let imported = finish(world.command().arg("import").arg(world.root.path().join(name)));
        assert!(imported.ok, "{imported:?}");
    }
}

#[test]
fn a_text_is_found_everywhere_and_replaced_as_one_revision_of_each_skill() {
    let world = World::new();
    two(&world);
    let found = world.json(&["skill", "grep", "colour", "--word", "--scope", "account", "--path", ".j2"]);
    assert_eq!((&found["matches"], &found["files"], &found["more"]), (&json!(2), &json!(2), &json!(false)), "{found}");
    let one = &found["skills"][0]["files"][0]["matches"][0];
    assert_eq!((&one["line"], &one["column"], &one["before"]), (&json!(1), &json!(7), &json!("Which ")), "{one}");

    // The changes are shown before anything is written.
    let seen = finish(world.command().args(["skill", "grep", "(c)olou(r)", "-e", "--skill", "first", "--replace", "${1}olo${2}"]));
    assert!(seen.ok && seen.stdout.contains("first/SKILL.md:6:7: Every colour counts.\n    Every color counts."), "{}", seen.stdout);
    assert_eq!(world.json(&["skill", "show", "first"])["revision"], 1);

    let done = world.json(&["skill", "grep", "colour", "--case-sensitive", "--skill", "first", "--replace", "hue $1", "--apply"]);
    assert_eq!((&done["changed"][0]["revision"], &done["changed"][0]["matches"]), (&json!(2), &json!(2)), "{done}");
    let shown = finish(world.command().args(["skill", "show", "first", "--path", "prompts/ask.j2"]));
    assert_eq!(shown.stdout, "Which hue $1 has {{ thing }}?\n", "a dollar is a dollar in plain text");
    assert!(world.json(&["skill", "history", "first"]).to_string().contains("replaced \u{201c}colour\u{201d} with \u{201c}hue $1\u{201d}"));
    assert_eq!(world.json(&["skill", "show", "second"])["revision"], 1);
    assert_eq!(world.json(&["skill", "rollback", "first", "--to", "1"])["revision"], 3);
}

#[test]
fn what_is_locked_or_would_break_stays_and_is_named() {
    let world = World::new();
    two(&world);
    let done = finish(world.command().args(["skill", "grep", "contradictions", "--replace", "disagreements", "--apply", "--json"]));
    let answer: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((done.ok, answer["changed"].as_array().unwrap().len()), (false, 0), "{answer}");
    assert!(answer["refused"][0]["failure"]["code"] == "locked", "{answer}");

    // An invalid result is refused for the whole skill, and the other skill is still changed.
    let done =
        finish(world.command().args(["skill", "grep", "name: first\ndescription", "-e", "--replace", "name: [", "--apply", "--json"]));
    let answer: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(answer["changed"].as_array().unwrap().len() + answer["refused"].as_array().unwrap().len(), 1, "{answer}");
    assert!(finish(world.command().args(["skill", "show", "first"])).ok);

    let refused = world.refused(&["skill", "grep", "a(", "-e"]);
    assert!(refused["message"].as_str().unwrap().contains("unclosed group"), "{refused}");
    assert_eq!(finish(world.command().args(["skill", "grep", "nowhere to be found"])).code, Some(1));
}

#[test]
fn a_variable_is_renamed_in_templates_parameters_and_saved_inputs() {
    let world = World::new();
    world.file("asks/SKILL.md", "---\nname: asks\ndescription: Asks about a topic.\n---\n\nThe topic counts.\n");
    world.file("asks/prompts/ask.j2", "{% for one in topic %}{{ one }} {{ topic }}{% endfor %} topic {{ x.topic }}\n");
    world.file("asks/scripts/look.py", "import inklings\ninklings.submit({{ topic }} or params['topic'])\n");
    let schema = json!({ "type": "object", "properties": { "other": {}, "topic": { "type": "string" }, "x": {} }, "required": ["topic"] });
    let declared = json!({ "artifacts": [
        { "path": "prompts/ask.j2", "kind": "prompt_template", "name": "Ask", "ordinal": 1, "metadata": { "params": schema } },
        { "path": "scripts/look.py", "kind": "code_template", "name": "Look", "ordinal": 2 },
    ] });
    world.file("asks/skill.json", declared.to_string());
    assert!(finish(world.command().arg("import").arg(world.root.path().join("asks"))).ok);
    let found = world.json(&["skill", "uses", "asks", "topic"]);
    let places = |list: &serde_json::Value| {
        let files = list.as_array().unwrap().iter().flat_map(|file| {
            let at = |one: &serde_json::Value| format!("{}:{}:{}", file["path"].as_str().unwrap(), one["line"], one["column"]);
            file["locations"].as_array().unwrap().iter().map(at).collect::<Vec<_>>()
        });
        files.filter(|one| !one.starts_with("skill.json")).collect::<Vec<_>>()
    };
    let in_templates = ["prompts/ask.j2:1:15", "prompts/ask.j2:1:36", "scripts/look.py:2:20"];
    assert_eq!(places(&found["uses"]), in_templates);
    assert_eq!(places(&found["mentions"]), ["scripts/look.py:2:40"]);
    let plan = world.json(&["skill", "rename", "asks", "topic", "subject", "--dry-run"]);
    assert_eq!((places(&plan["uses"]), &plan["inputs"]), (in_templates.map(str::to_owned).to_vec(), &json!(0)));
    assert_eq!(world.json(&["skill", "show", "asks"])["revision"], 1, "looking changes nothing");

    let done = world.json(&["skill", "rename", "asks", "topic", "subject"]);
    assert_eq!((&done["uses"], &done["result"]["revision"]), (&json!(5), &json!(2)), "{done}");
    assert_eq!(places(&done["mentions"]), ["scripts/look.py:2:42"], "what only a person can tell is named");
    let shown = |path: &str| finish(world.command().args(["skill", "show", "asks", "--path", path])).stdout;
    assert_eq!(shown("prompts/ask.j2"), "{% for one in subject %}{{ one }} {{ subject }}{% endfor %} topic {{ x.topic }}\n");
    let declared: serde_json::Value = serde_json::from_str(&shown("skill.json")).unwrap();
    let schema = &declared["artifacts"][0]["metadata"]["params"];
    assert_eq!((schema["properties"].get("subject").is_some(), &schema["required"]), (true, &json!(["subject"])), "{declared}");

    for (to, code) in [("one", "exists"), ("1x", "invalid"), ("x", "exists"), ("loop", "invalid")] {
        assert_eq!(world.refused(&["skill", "rename", "asks", "subject", to])["code"], code, "{to}");
    }
    assert_eq!(world.refused(&["skill", "rename", "asks", "nothing", "other"])["code"], "notFound");
    assert_eq!(world.json(&["skill", "show", "asks"])["revision"], 2);
}
