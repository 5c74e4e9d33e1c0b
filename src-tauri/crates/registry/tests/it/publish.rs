//! Publishing, and what `verify` finds.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use inklings_core::ports::SkillFormat as _;
use inklings_core::skill::Package;
use inklings_registry::format::{Publisher, Role};
use inklings_registry::publish::{PublishError, PublishRequest, RegistryFolder, Revoke, SigningKeys};
use inklings_registry::trust::TrustError;

use crate::support::{Keys, at, day, folder, key, package, package_of, slug, version};

/// All files with their contents.
fn files(top: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![top.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                found.insert(path.strip_prefix(top).unwrap().display().to_string(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn skills(count: usize) -> Vec<Package> {
    (0..count).map(|number| package(&format!("skill-{number}"), "1.0.0", &format!("Do {number}."))).collect()
}

#[test]
fn equal_skills_give_equal_bytes_in_any_order() {
    let keys = Keys::new();
    let written: Vec<_> = [false, true]
        .into_iter()
        .map(|reversed| {
            let top = tempfile::tempdir().unwrap();
            let mut skills = skills(20);
            if reversed {
                skills.reverse();
            }
            keys.publish(&keys.init(top.path()), &skills, 1).unwrap();
            files(top.path())
        })
        .collect();
    assert!(written[0].len() > 20);
    assert_eq!(written[0], written[1]);
}

#[test]
fn publishing_in_steps_gives_the_bytes_of_the_same_steps_and_writes_only_what_changed() {
    let keys = Keys::new();
    let top = tempfile::tempdir().unwrap();
    let registry = keys.init(top.path());
    let skills = skills(30);
    let first = keys.publish(&registry, &skills[..29], 1).unwrap();
    assert_eq!((first.added.len(), first.unchanged, first.serial), (29, 0, 2));
    let before = files(top.path());
    let nothing = keys.publish(&registry, &skills[..29], 2).unwrap();
    assert_eq!((nothing.added.len(), nothing.unchanged, nothing.serial), (0, 29, 2));
    assert_eq!(files(top.path()), before, "nothing is written");
    let second = keys.publish(&registry, &skills, 2).unwrap();
    assert_eq!((second.added.len(), second.unchanged, second.serial), (1, 29, 3));
    let after = files(top.path());
    let new: Vec<_> = after.iter().filter(|(path, bytes)| before.get(*path) != Some(bytes)).map(|(path, _)| path).collect();
    assert_eq!(new.len(), 3, "a package, a shard and the snapshot: {new:?}");
}

#[test]
fn a_snapshot_is_signed_again_when_half_of_its_validity_has_passed() {
    let keys = Keys::new();
    let top = tempfile::tempdir().unwrap();
    let registry = keys.init(top.path());
    let signing = SigningKeys { snapshot: &[&keys.snapshot] };
    assert_eq!(registry.refresh(&signing, at(3)).unwrap(), 1);
    assert_eq!(registry.refresh(&signing, at(4)).unwrap(), 2);
    assert_eq!(registry.verify(&folder(), day(10)).unwrap().serial, 2);
    let error = registry.verify(&folder(), day(11)).unwrap_err();
    assert!(matches!(error, PublishError::Trust(TrustError::Expired { .. })), "{error}");
}

#[test]
fn published_versions_are_immutable() {
    let keys = Keys::new();
    let top = tempfile::tempdir().unwrap();
    let registry = keys.init(top.path());
    keys.publish(&registry, &[package("a", "1.0.0", "One.")], 1).unwrap();
    let before = files(top.path());
    let error = keys.publish(&registry, &[package("b", "1.0.0", "B."), package("a", "1.0.0", "Two.")], 1).unwrap_err();
    assert!(matches!(error, PublishError::Published { .. }), "{error}");
    assert_eq!(files(top.path()), before, "either all are published or none");
    keys.publish(&registry, &[package("a", "1.0.1", "Two.")], 1).unwrap();
    let report = registry.verify(&folder(), day(2)).unwrap();
    assert_eq!((report.skills, report.versions), (1, 2));
}

#[test]
fn skills_that_clients_would_refuse_are_not_published() {
    let keys = Keys::new();
    let top = tempfile::tempdir().unwrap();
    let registry = keys.init(top.path());
    let error = |packages: &[Package]| keys.publish(&registry, packages, 1).unwrap_err().to_string();
    assert!(error(&[package("a", "1.0", "One.")]).contains("isn't a semantic version"));
    assert!(error(&[package("a", "1.0.0+build", "One.")]).contains("build metadata"));
    assert!(error(&[package("a", "1.0.0", "One."), package("a", "1.1.0", "One.")]).contains("two skills"));
    let long = format!("---\nname: a\ndescription: {}\n---\nText\n", "x".repeat(1_025));
    assert!(error(&[package_of("a", &[("SKILL.md", &long)])]).contains("description"));
    assert_eq!(registry.verify(&folder(), day(1)).unwrap().versions, 0);
}

#[test]
fn another_publisher_can_not_take_over_a_skill() {
    let keys = Keys::new();
    let top = tempfile::tempdir().unwrap();
    let mut registry = keys.init(top.path());
    keys.publish(&registry, &[package("a", "1.0.0", "One.")], 1).unwrap();
    let other = Keys { publisher: key(4), ..Keys::new() };
    let update = [package("a", "1.1.0", "Two.")];
    assert!(matches!(other.publish(&registry, &update, 1), Err(PublishError::Publisher)));
    let signing = SigningKeys { snapshot: &[&keys.snapshot] };
    let publisher = Publisher { key: other.publisher.public(), name: "Other".to_owned() };
    registry.update_root(|root| root.publishers.push(publisher), &[&keys.root], &signing, at(1)).unwrap();
    assert!(matches!(other.publish(&registry, &update, 1), Err(PublishError::OtherPublisher { .. })));
    other.publish(&registry, &[package("b", "1.0.0", "Two.")], 1).unwrap();
}

#[test]
fn yanked_versions_can_be_offered_again_and_revoked_ones_can_not() {
    let keys = Keys::new();
    let top = tempfile::tempdir().unwrap();
    let registry = keys.init(top.path());
    let signing = SigningKeys { snapshot: &[&keys.snapshot] };
    keys.publish(&registry, &[package("a", "1.0.0", "One."), package("b", "1.0.0", "One.")], 1).unwrap();
    let one = version("1.0.0");
    assert_eq!(registry.yank(&slug("a"), &one, Some("broken"), &signing, at(1)).unwrap(), 3);
    assert_eq!(registry.verify(&folder(), day(1)).unwrap().yanked, 1);
    assert_eq!(registry.yank(&slug("a"), &one, Some("broken"), &signing, at(1)).unwrap(), 3, "nothing changes");
    registry.yank(&slug("a"), &one, None, &signing, at(1)).unwrap();
    assert_eq!(registry.verify(&folder(), day(1)).unwrap().yanked, 0);
    let missing = registry.yank(&slug("a"), &version("2.0.0"), None, &signing, at(1)).unwrap_err();
    assert!(matches!(missing, PublishError::NotFound { .. }));

    let revoke = Revoke { slug: &slug("b"), version: &one, reason: "steals keys" };
    registry.revoke(revoke, &signing, at(1)).unwrap();
    let report = registry.verify(&folder(), day(1)).unwrap();
    assert_eq!((report.revoked, report.versions), (1, 2));
    assert_eq!(files(top.path()).keys().filter(|path| path.starts_with("packages")).count(), 1, "its archive is deleted");
    assert_eq!(
        keys.publish(&registry, &[package("b", "1.0.0", "One.")], 1).unwrap_err().to_string(),
        "b 1.0.0 was revoked; increase its version"
    );
}

#[test]
fn files_are_readable_by_a_web_server_and_leave_no_temporary_ones() {
    let keys = Keys::new();
    let top = tempfile::tempdir().unwrap();
    keys.publish(&keys.init(top.path()), &skills(3), 1).unwrap();
    for path in files(top.path()).keys().filter(|path| *path != ".lock") {
        assert_eq!(fs::metadata(top.path().join(path)).unwrap().permissions().mode() & 0o777, 0o644, "{path}");
        assert!(!path.contains(".writing"), "{path}");
    }
}

#[test]
fn each_snapshot_has_another_second() {
    let keys = Keys::new();
    let top = tempfile::tempdir().unwrap();
    let registry = keys.init(top.path());
    let mut seconds = Vec::new();
    for number in 0..4 {
        keys.publish(&registry, &[package("a", &format!("1.0.{number}"), "One.")], 1).unwrap();
        let modified = fs::metadata(top.path().join("snapshot.json")).unwrap().modified().unwrap();
        seconds.push(modified.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs());
    }
    assert!(seconds.is_sorted_by(|a, b| a < b), "{seconds:?}");
}

#[test]
fn keys_that_are_missing_stop_a_change_before_anything_is_written() {
    let keys = Keys { snapshot: key(9), ..Keys::new() };
    let top = tempfile::tempdir().unwrap();
    let mut registry = Keys::new().init(top.path());
    let before = files(top.path());
    let error = keys.publish(&registry, &skills(1), 1).unwrap_err();
    assert!(matches!(error, PublishError::Keys { role: "snapshot", valid: 0, needed: 1 }), "{error}");
    assert_eq!(files(top.path()), before);
    let wrong = SigningKeys { snapshot: &[&keys.snapshot] };
    assert!(registry.update_root(|root| root.title = "New".to_owned(), &[&keys.root], &wrong, at(1)).is_err());
    let right = SigningKeys { snapshot: &[&Keys::new().snapshot] };
    let error = registry.update_root(|root| root.title = "New".to_owned(), &[&key(8)], &right, at(1)).unwrap_err();
    assert!(matches!(error, PublishError::Keys { role: "root", .. }), "{error}");
    assert_eq!(registry.root().document().version, 1);
    assert!(!top.path().join("roots/2.json").exists());
}

#[test]
fn root_keys_are_rotated_by_old_and_new_ones() {
    let keys = Keys::new();
    let top = tempfile::tempdir().unwrap();
    let mut registry = keys.init(top.path());
    let signing = SigningKeys { snapshot: &[&keys.snapshot] };
    let (first, second) = (key(11), key(12));
    let role = Role::new(2, [first.public(), second.public()]);
    let rotate = |role: Role| move |root: &mut inklings_registry::format::RootDocument| root.root = role;
    assert!(registry.update_root(rotate(role.clone()), &[&keys.root, &first], &signing, at(1)).is_err());
    registry.update_root(rotate(role), &[&keys.root, &first, &second], &signing, at(1)).unwrap();
    assert!(registry.update_root(|_| (), &[&keys.root], &signing, at(1)).is_err(), "the old key alone doesn't count any more");
    registry.update_root(|root| root.expires = day(700), &[&first, &second], &signing, at(1)).unwrap();
    drop(registry);
    let registry = RegistryFolder::open(top.path()).unwrap();
    assert_eq!(registry.root().document().version, 3);
    registry.verify(&folder(), day(2)).unwrap();
}

#[test]
fn a_publisher_that_was_killed_after_rotating_the_snapshot_key_can_go_on() {
    let keys = Keys::new();
    let top = tempfile::tempdir().unwrap();
    let mut registry = keys.init(top.path());
    let old = fs::read(top.path().join("snapshot.json")).unwrap();
    let new = Keys { snapshot: key(5), ..Keys::new() };
    let signing = SigningKeys { snapshot: &[&new.snapshot] };
    let role = Role::new(1, [new.snapshot.public()]);
    registry.update_root(|root| root.snapshot = role, &[&keys.root], &signing, at(1)).unwrap();
    drop(registry);
    fs::write(top.path().join("snapshot.json"), old).unwrap();
    let registry = RegistryFolder::open(top.path()).unwrap();
    assert_eq!(registry.refresh(&signing, at(1)).unwrap(), 2);
    new.publish(&registry, &skills(1), 1).unwrap();
    registry.verify(&folder(), day(1)).unwrap();
}

#[test]
fn a_new_publisher_key_signs_what_the_old_one_did() {
    let keys = Keys::new();
    let top = tempfile::tempdir().unwrap();
    let mut registry = keys.init(top.path());
    keys.publish(&registry, &skills(3), 1).unwrap();
    let signing = SigningKeys { snapshot: &[&keys.snapshot] };
    registry.yank(&slug("skill-0"), &version("1.0.0"), Some("Old."), &signing, at(1)).unwrap();
    let new = Keys { publisher: key(41), ..Keys::new() };
    assert!(registry.sign_again(&keys.publisher.public(), &new.publisher, &signing, at(1)).is_err(), "it isn't a publisher");
    let publisher = Publisher { key: new.publisher.public(), name: "New".to_owned() };
    registry.update_root(|root| root.publishers.push(publisher), &[&keys.root], &signing, at(1)).unwrap();
    registry.sign_again(&keys.publisher.public(), &new.publisher, &signing, at(1)).unwrap();
    let old = keys.publisher.public();
    registry.update_root(|root| root.publishers.retain(|known| known.key != old), &[&keys.root], &signing, at(1)).unwrap();
    let contents = registry.contents().unwrap();
    assert_eq!((contents.lines.len(), contents.distrusted), (3, 0));
    assert!(contents.lines.iter().all(|line| line.publisher == new.publisher.public()));
    assert_eq!(contents.lines.iter().filter(|line| line.yanked.is_some()).count(), 1);
    registry.verify(&folder(), day(2)).unwrap();
    new.publish(&registry, &skills(4), 2).unwrap();
}

#[test]
fn one_process_publishes_at_a_time() {
    let keys = Keys::new();
    let top = tempfile::tempdir().unwrap();
    let registry = keys.init(top.path());
    assert!(matches!(RegistryFolder::open(top.path()), Err(PublishError::Busy(_))));
    drop(registry);
    RegistryFolder::open(top.path()).unwrap();
    let empty = tempfile::tempdir().unwrap();
    assert!(matches!(RegistryFolder::open(empty.path()), Err(PublishError::NotARegistry(_))));
    let signing = SigningKeys { snapshot: &[&keys.snapshot] };
    let again = RegistryFolder::init(top.path(), keys.init_options(), &[&keys.root], &signing, at(0));
    assert!(matches!(again, Err(PublishError::NotEmpty(_))));
}

#[test]
fn verify_finds_each_altered_file() {
    let keys = Keys::new();
    let top = tempfile::tempdir().unwrap();
    let registry = keys.init(top.path());
    keys.publish(&registry, &skills(3), 1).unwrap();
    registry.verify(&folder(), day(1)).unwrap();
    drop(registry);
    let originals = files(top.path());
    for (path, bytes) in originals.iter().filter(|(path, _)| !matches!(path.as_str(), ".lock" | "config.json")) {
        let mut altered = bytes.clone();
        let middle = altered.len() / 2;
        altered[middle] ^= 1;
        fs::write(top.path().join(path), altered).unwrap();
        let result = RegistryFolder::open(top.path()).and_then(|registry| registry.verify(&folder(), day(1)));
        assert!(result.is_err(), "{path}");
        fs::write(top.path().join(path), bytes).unwrap();
    }
    let registry = RegistryFolder::open(top.path()).unwrap();
    fs::write(top.path().join("packages/stray.skill"), "x").unwrap();
    assert_eq!(registry.verify(&folder(), day(1)).unwrap().unreferenced, ["packages/stray.skill"]);
}

#[test]
fn an_expired_root_stops_publishing() {
    let keys = Keys::new();
    let top = tempfile::tempdir().unwrap();
    let registry = keys.init(top.path());
    let error = keys.publish(&registry, &skills(1), 366).unwrap_err();
    assert!(matches!(error, PublishError::Trust(TrustError::Expired { .. })), "{error}");
}

#[test]
fn the_entry_has_token_cost_permissions_and_requirements() {
    let keys = Keys::new();
    let top = tempfile::tempdir().unwrap();
    let registry = keys.init(top.path());
    let text = "---\nname: a\ndescription: About.\n---\nfive5";
    let json = r#"{"relations": {"depends_on": ["b"]}}"#;
    let packages = [package_of("a", &[("SKILL.md", text), ("scripts/run.sh", "#!/bin/sh\n"), ("skill.json", json)])];
    let minimum = version("2.0.0");
    let request = PublishRequest {
        packages: &packages,
        format: &folder(),
        publisher: &keys.publisher,
        minimum_client: Some(&minimum),
        count_tokens: &str::len,
    };
    registry.publish(&request, &SigningKeys { snapshot: &[&keys.snapshot] }, at(1)).unwrap();
    let all = files(top.path());
    let line = all.iter().find(|(path, _)| path.starts_with("index")).unwrap().1;
    let line: serde_json::Value = serde_json::from_slice(line).unwrap();
    let entry = &line["package"];
    assert_eq!(entry["token_cost"], 5);
    assert_eq!(entry["permissions"], serde_json::json!(["network", "native-scripts"]));
    assert_eq!(entry["requires"], serde_json::json!({"client": "2.0.0", "skills": ["b"]}));
}

#[test]
fn the_shipped_skills_can_be_published() {
    let keys = Keys::new();
    let top = tempfile::tempdir().unwrap();
    let registry = keys.init(top.path());
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../seed/skills");
    let names = fs::read_dir(shipped).unwrap().map(|entry| entry.unwrap().path());
    let packages: Vec<Package> = names
        .map(|path| {
            let tree = inklings_folder::disk::read_dir(&path).unwrap().0;
            let name = path.file_name().unwrap().to_str().unwrap();
            let mut package = folder().read(&tree, name, None).unwrap().package;
            folder().sync_sources(&mut package);
            package
        })
        .collect();
    assert_eq!(keys.publish(&registry, &packages, 1).unwrap().added.len(), packages.len());
    assert_eq!(registry.verify(&folder(), day(1)).unwrap().skills, packages.len());
}
