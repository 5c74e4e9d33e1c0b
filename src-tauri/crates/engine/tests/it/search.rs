//! Which skills fit a message, as skills change.

use inklings_app::features::chat::{CreateChat, CreateChatParams, SendMessage, SendParams};
use inklings_app::features::search::{GetSearchStatus, LeftOutReason, SearchSkills, SearchSkillsParams, SearchStatus, SkillSearchResult};
use inklings_app::features::skill::{
    Create, CreateParams, Delete, DeleteParams, Describe, DescribeParams, Enable, EnableParams, SkillValues,
};
use inklings_core::chat::ChatStep;
use inklings_core::skill::{Relation, RelationKind};
use inklings_core::trace::Usage;
use inklings_core::{Scope, SkillFormat as _};
use inklings_engine::{Engine, Options, Resources};
use inklings_rpc::{CallContext, Code, Failure, NoParams};

use crate::support::{ask, wait_for};

fn start(home: &std::path::Path) -> Engine {
    let options =
        Options { home: home.to_owned(), resources: Resources::find(), launcher: None, agents: None, clients: None, maintain: false };
    Engine::start(options).unwrap()
}

/// A skill of the account.
fn create(engine: &Engine, name: &str, description: &str) {
    let params =
        CreateParams { name: name.to_owned(), description: Some(description.to_owned()), content: None, scope: Some(Scope::Account) };
    ask::<Create>(engine, None, params).unwrap();
}

fn search(engine: &Engine, message: &str) -> Result<SkillSearchResult, Failure> {
    ask::<SearchSkills>(engine, None, SearchSkillsParams { message: message.to_owned(), limit: None })
}

fn slugs(engine: &Engine, message: &str) -> Vec<String> {
    search(engine, message).unwrap().skills.into_iter().map(|one| one.slug.to_string()).collect()
}

#[test]
fn a_message_finds_skills_as_they_are_now() {
    let home = tempfile::tempdir().unwrap();
    let engine = start(home.path());
    let create = |name: &str, description: &str| {
        let params =
            CreateParams { name: name.to_owned(), description: Some(description.to_owned()), content: None, scope: Some(Scope::Account) };
        ask::<Create>(&engine, None, params).unwrap();
    };
    create("Tea Maker", "Brews tea. Use it when somebody is thirsty.");
    create("Invoice Booker", "Books invoices to accounts. Use it for bills.");
    assert_eq!(slugs(&engine, "use the tea maker")[0], "tea-maker");
    assert_eq!(slugs(&engine, "I would like a hot drink")[0], "tea-maker", "by its meaning");
    assert_eq!(slugs(&engine, "Which links in my notes are broken?")[0], "workspace-link-auditor");
    assert!(slugs(&engine, "How many moons has Jupiter?").is_empty());
    assert_eq!(search(&engine, " \n").unwrap_err().code, Code::Invalid);
    let padded = |spaces| search(&engine, &format!("tea{}invoice", " ".repeat(spaces))).unwrap().words;
    assert_eq!((padded(100), padded(10_000)), (vec!["tea".to_owned(), "invoice".to_owned()], vec!["tea".to_owned()]), "a message is cut");
    let first = search(&engine, "book this bill").unwrap();
    for _ in 0..100 {
        assert_eq!(format!("{:?}", search(&engine, "book this bill").unwrap()), format!("{first:?}"), "the same each time");
    }

    let describe = DescribeParams {
        skill: "tea-maker".to_owned(),
        scope: None,
        expected: None,
        values: SkillValues { description: Some("Waters the plants in the garden.".to_owned()), ..SkillValues::default() },
    };
    ask::<Describe>(&engine, None, describe).unwrap();
    assert!(!slugs(&engine, "I would like a hot drink").contains(&"tea-maker".to_owned()));
    assert_eq!(slugs(&engine, "the flowers are dry")[0], "tea-maker");
    let enable = EnableParams { skill: "tea-maker".to_owned(), scope: None, enabled: false };
    ask::<Enable>(&engine, None, enable).unwrap();
    let found = search(&engine, "use the tea maker skill").unwrap();
    assert!(found.skills.iter().all(|one| one.slug.as_str() != "tea-maker"));
    assert_eq!((found.left_out[0].found.slug.as_str(), found.left_out[0].reason), ("tea-maker", LeftOutReason::Disabled));
    ask::<Delete>(&engine, None, DeleteParams { skill: "invoice-booker".to_owned(), scope: None, expected: None }).unwrap();
    assert!(!slugs(&engine, "book this bill").contains(&"invoice-booker".to_owned()));

    let before = format!("{:?}", search(&engine, "the flowers are dry").unwrap());
    drop(engine);
    let again = start(home.path());
    assert_eq!(format!("{:?}", search(&again, "the flowers are dry").unwrap()), before, "and after a restart");
    assert!(search(&again, "tea").unwrap().words_only.is_none());
}

fn status(engine: &Engine) -> SearchStatus {
    ask::<GetSearchStatus>(engine, None, NoParams {}).unwrap()
}

#[test]
fn without_the_model_words_decide_and_the_result_says_so() {
    let place = tempfile::tempdir().unwrap();
    let resources = Resources::at(place.path().join("resources"));
    std::fs::create_dir_all(place.path().join("resources/embedding")).unwrap();
    let home = place.path().join("home");
    let engine = Engine::start(Options { home, resources, launcher: None, agents: None, clients: None, maintain: false }).unwrap();
    let description = Some("Brews tea. Use it when somebody is thirsty.".to_owned());
    ask::<Create>(&engine, None, CreateParams { name: "Tea Maker".to_owned(), description, content: None, scope: None }).unwrap();
    let mut changes = engine.changes();
    assert_eq!(status(&engine).words_only, None, "the model wasn't loaded yet");
    let found = search(&engine, "somebody is thirsty").unwrap();
    assert!(changes.blocking_recv().is_ok_and(|event| event.kind == "search"));
    assert!(status(&engine).words_only.unwrap().contains("tokenizer.json"));
    assert_eq!((found.skills[0].slug.as_str(), found.skills[0].similarity), ("tea-maker", None));
    assert!(found.words_only.unwrap().contains("tokenizer.json"));
    assert!(slugs(&engine, "I would like a hot drink").is_empty());
}

/// Slugs of the skills that a chat without a model recommends.
fn recommended(engine: &Engine, message: &str) -> Vec<String> {
    let session = ask::<CreateChat>(engine, None, CreateChatParams::default()).unwrap().id;
    let params = SendParams { session, text: message.to_owned(), attachments: Vec::new(), skill: None, edits: None };
    let detail = ask::<SendMessage>(engine, None, params).unwrap();
    let skills = detail.messages[1].message.steps.iter().find_map(|step| match step {
        ChatStep::Recommended { skills } => Some(skills.iter().map(|skill| skill.slug.to_string()).collect()),
        _ => None,
    });
    skills.unwrap_or_default()
}

#[test]
fn an_answer_does_not_wait_for_the_vectors_of_all_skills() {
    let home = tempfile::tempdir().unwrap();
    let engine = start(home.path());
    for number in 0..60 {
        create(&engine, &format!("Filler {number:02}"), &format!("Files the papers of case {number} in a cabinet."));
    }
    create(&engine, "Zz Kettle", "Brews tea. Use it when somebody is thirsty.");
    let kettle = "zz-kettle".to_owned();
    let mut changes = engine.changes();
    assert!(!recommended(&engine, "I would like a hot drink").contains(&kettle), "it is beyond the first vectors");
    // One for what was computed first, and one for the end.
    for _ in 0..2 {
        assert!(std::iter::from_fn(|| changes.blocking_recv().ok()).any(|event| event.kind == "search"));
    }
    // The next message has the rest, whether the background was faster or not.
    assert_eq!(recommended(&engine, "I would like a hot drink")[0], kettle, "by its meaning");
    assert!(recommended(&engine, "brews tea").contains(&kettle));
}

#[test]
fn a_window_computes_vectors_after_a_write_without_a_search() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().to_owned();
    let engine =
        Engine::start(Options { home, resources: Resources::find(), launcher: None, agents: None, clients: None, maintain: true }).unwrap();
    let mut changes = engine.changes();
    for number in 0..60 {
        create(&engine, &format!("Filler {number:02}"), &format!("Files the papers of case {number} in a cabinet."));
    }
    create(&engine, "Zz Kettle", "Brews tea. Use it when somebody is thirsty.");
    wait_for(&mut changes, |event| event.kind == "search" && status(&engine).indexing.is_some());
    wait_for(&mut changes, |event| event.kind == "search" && status(&engine).indexing.is_none());
    // Only some missing vectors are computed for an answer, and this skill would be the last one.
    assert_eq!(recommended(&engine, "I would like a hot drink")[0], "zz-kettle");
}

#[test]
fn an_index_that_was_kept_has_what_changed_since() {
    let home = tempfile::tempdir().unwrap();
    let before = {
        let engine = start(home.path());
        for number in 0..60 {
            let (name, description) = (format!("Filler {number:02}"), format!("Files the papers of case{number} in a cabinet."));
            create(&engine, &name, &description);
        }
        format!("{:?}", search(&engine, "papers of case42").unwrap())
    };
    {
        let engine = start(home.path());
        assert_eq!(format!("{:?}", search(&engine, "papers of case42").unwrap()), before);
    }
    let engine = start(home.path());
    ask::<Delete>(&engine, None, DeleteParams { skill: "filler-42".to_owned(), scope: None, expected: None }).unwrap();
    create(&engine, "Zz Kettle", "Brews tea.");
    assert!(!slugs(&engine, "papers of case42").contains(&"filler-42".to_owned()));
    assert_eq!(slugs(&engine, "brews tea")[0], "zz-kettle");
}

#[test]
fn a_skill_that_fails_falls_behind_and_one_that_conflicts_is_left_out() {
    let home = tempfile::tempdir().unwrap();
    let engine = start(home.path());
    create(&engine, "Aa Tea", "Brews tea for guests.");
    create(&engine, "Bb Tea", "Brews tea for guests.");
    let [first, second] = slugs(&engine, "brews tea for guests")[..2].to_vec().try_into().unwrap();
    let catalog = engine.app().catalog(&CallContext::local(None, "test")).unwrap();
    let account = catalog.repository(Scope::Account).unwrap();
    let id = catalog.require(&first, None).unwrap().head.id;
    for _ in 0..5 {
        account.record_use(id, false, Usage::default()).unwrap();
    }
    assert_eq!(slugs(&engine, "brews tea for guests")[..2], [second.clone(), first.clone()], "without another change");
    let mut skill = account.present(id).unwrap();
    skill.package.relations.push(Relation { kind: RelationKind::ConflictsWith, target: second });
    engine.app().folder.sync_sources_strictly(&mut skill.package).unwrap();
    account.update_skill(&skill, "test").unwrap();
    let found = search(&engine, "brews tea for guests").unwrap();
    let left_out = found.left_out.iter().find(|one| one.found.slug.as_str() == first).unwrap();
    assert_eq!(left_out.reason, LeftOutReason::Conflict);
    assert!(!slugs(&engine, "brews tea for guests").contains(&first));
}
