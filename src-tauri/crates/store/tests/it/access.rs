//! Tokens and the audit log, in the account's database.

use inklings_core::access::{AccessStore as _, AccessToken, AuditEntry, MAX_AUDIT_ENTRIES, RemoteRole};
use inklings_core::{Digest, StorageError, Time};

use crate::support::world;

fn token(id: &str, name: &str) -> AccessToken {
    AccessToken {
        id: id.to_owned(),
        name: name.to_owned(),
        role: RemoteRole::Member,
        external: false,
        created_at: Time::from_millis(1_000),
        expires_at: Some(Time::from_millis(9_000)),
        revoked_at: None,
        last_used_at: None,
    }
}

#[test]
fn a_name_is_taken_for_ever_and_a_token_is_revoked_once() {
    let world = world();
    let (first, hash) = (token("a", "laptop"), Digest::of(b"one"));
    world.store.put_token(&first, hash).unwrap();
    assert_eq!(world.store.token("a").unwrap(), Some((first.clone(), hash)));
    assert!(world.store.revoke_token("a").unwrap() && !world.store.revoke_token("b").unwrap());
    let (revoked, _) = world.store.token("a").unwrap().unwrap();
    assert!(revoked.revoked_at.is_some() && !revoked.is_valid(Time::from_millis(2_000)));
    assert!(world.store.revoke_token("a").unwrap());
    assert_eq!(world.store.token("a").unwrap().unwrap().0.revoked_at, revoked.revoked_at, "it was revoked when it was first revoked");
    for again in [token("b", "laptop"), token("a", "other")] {
        let refused = world.store.put_token(&again, Digest::of(b"two"));
        assert!(matches!(refused, Err(StorageError::Exists { .. })), "{again:?}");
    }
    assert_eq!(world.store.tokens().unwrap().len(), 1);
}

#[test]
fn a_token_expires_at_its_end() {
    let one = token("a", "laptop");
    assert!(one.is_valid(Time::from_millis(8_999)) && !one.is_valid(Time::from_millis(9_000)));
    assert!(AccessToken { expires_at: None, ..one }.is_valid(Time::from_millis(i64::MAX / 2)));
}

#[test]
fn the_audit_log_keeps_the_newest_entries_and_failed_calls_push_out_no_others() {
    let world = world();
    let entry = |number: usize, code: Option<&str>| AuditEntry {
        at: Time::from_millis(1_000),
        actor: "token:laptop".to_owned(),
        role: "member".to_owned(),
        operation: format!("skill/{number}"),
        workspace: String::new(),
        code: code.map(str::to_owned),
    };
    let write = entry(0, None);
    world.store.append_audit(&write).unwrap();
    // Old ones are deleted after each hundred.
    let last = MAX_AUDIT_ENTRIES + 99;
    for number in 1..=last {
        world.store.append_audit(&entry(number, Some("forbidden"))).unwrap();
    }
    let kept = world.store.audit(usize::MAX).unwrap();
    assert_eq!(kept.len(), MAX_AUDIT_ENTRIES + 1);
    let refused = |number| entry(number, Some("forbidden"));
    assert_eq!((&kept[0], &kept[MAX_AUDIT_ENTRIES - 1], &kept[MAX_AUDIT_ENTRIES]), (&refused(last), &refused(100), &write));
    assert_eq!(world.store.audit(2).unwrap(), [refused(last), refused(last - 1), write.clone()], "two of each kind");
    for number in 1..=100 {
        world.store.append_audit(&entry(number, None)).unwrap();
    }
    let kept = world.store.audit(usize::MAX).unwrap();
    assert_eq!((kept.len(), kept.last()), (MAX_AUDIT_ENTRIES + 101, Some(&write)));
}
