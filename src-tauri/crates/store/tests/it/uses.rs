//! Uses of skills: their counts, and what the user's judgements of answers make of them.

use inklings_core::chat::Feedback;
use inklings_core::reliability::Judgement;
use inklings_core::trace::Usage;
use inklings_core::{MessageId, SkillStorageRepository as _};
use uuid::Uuid;

use crate::support::world;

#[test]
fn a_use_is_counted_without_a_revision() {
    let world = world();
    let skill = world.stored("Used");
    let usage = Usage { input_tokens: Some(100), output_tokens: Some(10), cost: None };
    let version = world.store.version().unwrap();
    assert!(world.store.usage().unwrap().is_empty(), "not run yet");
    world.store.record_use(skill.head.id, true, usage).unwrap();
    world.store.record_use(skill.head.id, false, Usage::default()).unwrap();
    let [used] = world.store.usage().unwrap()[..] else { panic!("one skill was run") };
    assert_eq!(world.store.usage_of(skill.head.id).unwrap(), Some(used.signals));
    assert_eq!((used.id, used.signals.invocations, used.signals.outcomes, used.signals.successes), (skill.head.id, 2, 2, 1));
    assert!((used.signals.utility - 0.55).abs() < 1e-6, "{used:?}");
    assert_eq!(world.store.version().unwrap(), version);
    assert_eq!(world.store.present(skill.head.id).unwrap().head, skill.head);
    let connection = rusqlite::Connection::open(world.store.path()).unwrap();
    let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, f64>(2)?));
    let counts = connection.query_row("SELECT invocation_count, success_count, token_cost FROM skills", [], row).unwrap();
    assert_eq!(counts, (2, 1, 55.0));
    assert_eq!(world.store.usage_of(world.stored("Unused").head.id).unwrap(), None);
}

#[test]
fn a_load_counts_neither_way_until_the_user_judges_its_answer() {
    let world = world();
    let (skill, other) = (world.stored("Loaded"), world.stored("Other"));
    let answer = MessageId::new(Uuid::from_u128(7));
    let signals = |id| world.store.usage().unwrap().into_iter().find(|one| one.id == id).unwrap().signals;
    let version = world.store.version().unwrap();
    world.store.record_use(skill.head.id, true, Usage { input_tokens: Some(90), ..Usage::default() }).unwrap();
    for _ in 0..2 {
        world.store.record_load(skill.head.id, Some(answer)).unwrap();
    }
    world.store.record_load(other.head.id, Some(MessageId::new(Uuid::from_u128(8)))).unwrap();
    let ran = signals(skill.head.id);
    assert_eq!((ran.invocations, ran.outcomes, ran.successes, ran.judged), (2, 1, 1, 0), "an answer loads a skill once");
    let judge = |judgement| {
        world.store.judge_loads(answer, judgement).unwrap();
        let now = signals(skill.head.id);
        (now.outcomes, now.successes, now.judged, now.accepted, (now.utility * 100.0).round())
    };
    let (unknown, good, bad) = ((1, 1, 0, 0, 60.0), (2, 2, 1, 1, 70.0), (2, 1, 1, 0, 55.0));
    assert_eq!(judge(Judgement::Marked(Some(Feedback::Up))), good);
    assert_eq!(judge(Judgement::Marked(Some(Feedback::Up))), good, "the same mark again");
    assert_eq!(judge(Judgement::Marked(Some(Feedback::Down))), bad);
    assert_eq!(judge(Judgement::Marked(None)), unknown);
    assert_eq!(judge(Judgement::Accepted), good);
    assert_eq!(judge(Judgement::Marked(Some(Feedback::Down))), bad, "a mark outweighs an accepted proposal");
    assert_eq!(judge(Judgement::Marked(None)), good);
    assert_eq!(signals(other.head.id).outcomes, 0);
    assert_eq!(world.store.version().unwrap(), version);
    assert_eq!(world.store.present(skill.head.id).unwrap().head, skill.head);
    assert_eq!(world.store.last_used().unwrap().len(), 2);
    // A load has no tokens, so it doesn't dilute those of the runs.
    world.store.record_use(skill.head.id, true, Usage { input_tokens: Some(30), ..Usage::default() }).unwrap();
    let connection = rusqlite::Connection::open(world.store.path()).unwrap();
    let cost: f64 = connection.query_row("SELECT token_cost FROM skills WHERE slug = 'loaded'", [], |row| row.get(0)).unwrap();
    assert!((cost - 60.0).abs() < 1e-9, "{cost}");
    // The answer of a skill that was deleted meanwhile can still be marked.
    world.store.delete_skill(skill.head.id, "local").unwrap();
    world.store.judge_loads(answer, Judgement::Marked(Some(Feedback::Down))).unwrap();
    world.store.record_load(skill.head.id, Some(MessageId::new(Uuid::from_u128(9)))).unwrap();
}

#[test]
fn a_withdrawn_mark_takes_back_what_it_added_at_the_limits_of_the_utility() {
    let world = world();
    let skill = world.stored("Limited").head.id;
    let utility = || world.store.usage().unwrap()[0].signals.utility;
    for _ in 0..5 {
        world.store.record_use(skill, true, Usage::default()).unwrap();
    }
    let answer = MessageId::new(Uuid::from_u128(7));
    world.store.record_load(skill, Some(answer)).unwrap();
    world.store.judge_loads(answer, Judgement::Marked(Some(Feedback::Up))).unwrap();
    assert!((utility() - 1.0).abs() < 1e-6);
    world.store.judge_loads(answer, Judgement::Marked(None)).unwrap();
    assert!((utility() - 1.0).abs() < 1e-6, "the mark added nothing");
}

#[test]
fn a_load_outside_of_chats_is_counted_without_a_row() {
    let world = world();
    let skill = world.stored("Loaded").head.id;
    for _ in 0..100 {
        world.store.record_load(skill, None).unwrap();
    }
    let connection = rusqlite::Connection::open(world.store.path()).unwrap();
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT count(*) FROM skill_invocations"), 0);
    assert_eq!((count("SELECT invocation_count FROM skills"), count("SELECT load_count FROM skills")), (100, 100));
    let signals = world.store.usage_of(skill).unwrap().unwrap();
    assert_eq!((signals.invocations, signals.outcomes), (100, 0));
}
