//! Canonical texts and limits of the documents.

use inklings_core::Digest;
use inklings_registry::format::{
    Document, FileReference, FormatError, IndexLine, PackageEntry, Publisher, RegistryId, Revocation, Revocations, Role, RootDocument,
    Shard, ShardId, Signed, Snapshot,
};
use inklings_registry::keys::{Purpose, SecretKey};
use inklings_registry::{limits, package};
use proptest::prelude::*;

use crate::support::{Keys, day, key, package as skill, slug, version};

fn registry() -> RegistryId {
    "test.example".parse().unwrap()
}

fn root() -> RootDocument {
    let keys = Keys::new();
    let options = keys.init_options();
    RootDocument {
        format: 1,
        registry: registry(),
        title: options.title,
        version: 1,
        expires: day(365),
        minimum_client: version("0.1.0"),
        root: options.root,
        snapshot: options.snapshot,
        publishers: options.publishers,
    }
}

fn snapshot() -> Snapshot {
    Snapshot { format: 1, registry: registry(), serial: 1, expires: day(7), revoked: FileReference::of(b""), shards: [].into() }
}

fn entry(name: &str, number: &str) -> PackageEntry {
    let statement = package::Statement { published_at: day(0), minimum_client: None, count_tokens: &str::len };
    package::encode(&skill(name, number, "Text."), statement).unwrap().0
}

fn shard_of(entries: &[PackageEntry]) -> Shard {
    let mut shard = Shard::default();
    for entry in entries {
        shard.put(IndexLine::sign(entry.clone(), &registry(), &key(3)).unwrap());
    }
    shard
}

fn validity<T: Document>(document: &T) -> Result<(), FormatError> {
    document.validate()
}

#[test]
fn documents_read_back_and_other_spellings_are_refused() {
    let text = String::from_utf8(root().to_text().unwrap()).unwrap();
    assert_eq!(RootDocument::parse(text.as_bytes()).unwrap(), root());
    for (altered, expected) in [
        (text.replacen(':', ": ", 1), "canonically"),
        (format!("{text}\n"), "canonically"),
        (text.replacen("Test", "\\u0054est", 1), "canonically"),
        (text.replacen('{', "{\"extra\":1,", 1), "unknown field"),
        (text.replacen("\"format\":1", "\"format\":1,\"format\":1", 1), "duplicate field"),
        (text.replacen("\"format\":1", "\"format\":2,\"extra\":1", 1), "newer than this app"),
        (text.replacen("\"format\":1", "\"format\":0", 1), "invalid format"),
        (text.replacen(".000Z", "Z", 1), "canonically"),
        (text[..text.len() - 1].to_owned(), "JSON"),
    ] {
        assert_ne!(altered, text, "{expected}");
        let error = RootDocument::parse(altered.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{altered}: {error}");
    }
}

#[test]
fn roots_have_usable_keys_and_thresholds() {
    let change = |edit: &dyn Fn(&mut RootDocument)| {
        let mut document = root();
        edit(&mut document);
        validity(&document)
    };
    let keys = |count: usize| (0..count).map(|number| key(u8::try_from(number).unwrap()).public());
    let publisher = |number: u64| {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&number.to_le_bytes());
        Publisher { key: SecretKey::from_seed(&seed).public(), name: "P".to_owned() }
    };
    let publishers = |count: usize| {
        let mut list: Vec<_> = (0..count as u64).map(publisher).collect();
        list.sort_by_key(|publisher| publisher.key);
        list
    };
    assert_eq!(change(&|_| ()), Ok(()));
    assert_eq!(change(&|root| root.root = Role::new(16, keys(limits::ROLE_KEYS))), Ok(()));
    assert_eq!(change(&|root| root.publishers = publishers(limits::PUBLISHERS)), Ok(()));
    for (what, error) in [
        ("version", change(&|root| root.version = 0)),
        ("no threshold", change(&|root| root.root.threshold = 0)),
        ("threshold", change(&|root| root.snapshot.threshold = 2)),
        ("keys", change(&|root| root.root = Role::new(1, keys(limits::ROLE_KEYS + 1)))),
        ("order", change(&|root| root.root.keys = vec![key(1).public(), key(1).public()])),
        ("publishers", change(&|root| root.publishers = publishers(limits::PUBLISHERS + 1))),
        ("publisher order", change(&|root| root.publishers = [root.publishers.clone(), root.publishers.clone()].concat())),
        ("weak key", change(&|root| root.snapshot.keys = vec![format!("ed25519:01{}", "0".repeat(62)).parse().unwrap()])),
        ("title", change(&|root| root.title = "x".repeat(limits::LABEL_CHARS + 1))),
    ] {
        assert!(error.is_err(), "{what}");
    }
}

#[test]
fn the_largest_allowed_documents_fit() {
    let mut largest = root();
    largest.publishers = (0..limits::PUBLISHERS as u64)
        .map(|number| {
            let mut seed = [0; 32];
            seed[..8].copy_from_slice(&number.to_le_bytes());
            Publisher { key: SecretKey::from_seed(&seed).public(), name: "x".repeat(limits::LABEL_CHARS) }
        })
        .collect();
    largest.publishers.sort_by_key(|publisher| publisher.key);
    assert!((largest.to_text().unwrap().len() as u64) < limits::ROOT_BYTES - 32 * 1024);
    let mut full = snapshot();
    let longest = FileReference { sha256: Digest::of(b""), length: limits::SHARD_BYTES };
    full.shards = (0..limits::SHARDS).map(|id| (format!("{id:02x}").parse::<ShardId>().unwrap(), longest)).collect();
    assert!((full.to_text().unwrap().len() as u64) < limits::SNAPSHOT_BYTES - 32 * 1024);
    assert_eq!(validity(&full), Ok(()));
}

#[test]
fn snapshots_name_no_file_that_is_too_long() {
    let shard = |length: u64| {
        let mut document = snapshot();
        document.shards.insert("00".parse().unwrap(), FileReference { sha256: Digest::of(b""), length });
        validity(&document)
    };
    let revoked = |length: u64| validity(&Snapshot { revoked: FileReference { sha256: Digest::of(b""), length }, ..snapshot() });
    assert_eq!((shard(limits::SHARD_BYTES), revoked(limits::REVOCATIONS_BYTES)), (Ok(()), Ok(())));
    assert!(shard(limits::SHARD_BYTES + 1).is_err() && revoked(limits::REVOCATIONS_BYTES + 1).is_err());
    assert!(validity(&Snapshot { serial: 0, ..snapshot() }).is_err());
    for id in ["0", "000", "+0", "0A", "g0", ""] {
        assert!(id.parse::<ShardId>().is_err(), "{id}");
    }
}

#[test]
fn entries_are_within_their_limits() {
    let change = |edit: &dyn Fn(&mut PackageEntry)| {
        let mut document = entry("a", "1.0.0");
        edit(&mut document);
        validity(&document)
    };
    let labels = |count: usize| (0..count).map(|number| format!("label {number}"));
    let tools = |count: usize| labels(count).map(|name| format!("tools:{name}").parse().unwrap()).collect();
    let names = |count: usize| (0..count).map(|number| slug(&format!("s{number}"))).collect();
    assert_eq!(change(&|entry| entry.tags = labels(limits::TAGS).collect()), Ok(()));
    assert_eq!(change(&|entry| entry.permissions = tools(limits::PERMISSIONS)), Ok(()));
    assert_eq!(change(&|entry| entry.requires.skills = names(limits::REQUIRED_SKILLS)), Ok(()));
    assert_eq!(change(&|entry| entry.length = limits::PACKAGE_BYTES), Ok(()));
    for (what, error) in [
        ("tags", change(&|entry| entry.tags = labels(limits::TAGS + 1).collect())),
        ("permissions", change(&|entry| entry.permissions = tools(limits::PERMISSIONS + 1))),
        ("skills", change(&|entry| entry.requires.skills = names(limits::REQUIRED_SKILLS + 1))),
        ("length", change(&|entry| entry.length = limits::PACKAGE_BYTES + 1)),
        ("files", change(&|entry| entry.files = 513)),
        ("build", change(&|entry| entry.version = version("1.0.0+a"))),
        ("title", change(&|entry| entry.title = "x".repeat(121))),
        ("description", change(&|entry| entry.description = "x".repeat(1_025))),
        ("category", change(&|entry| entry.category = String::new())),
        ("author", change(&|entry| entry.author = Some("a\u{202e}".to_owned()))),
    ] {
        assert!(error.is_err(), "{what}");
    }
}

#[test]
fn revocations_are_sorted_unique_and_have_a_reason() {
    let one = |text: &str, reason: &str| Revocation {
        sha256: Digest::of(text.as_bytes()),
        slug: slug("a"),
        version: version("1.0.0"),
        reason: reason.to_owned(),
        revoked_at: day(0),
    };
    let list = |packages: Vec<Revocation>| validity(&Revocations { packages, ..Revocations::empty(registry()) });
    let (a, b) = (one("a", "bad"), one("b", "bad"));
    assert!(a.sha256 > b.sha256);
    assert_eq!(list(vec![b.clone(), a.clone()]), Ok(()));
    assert!(list(vec![a.clone(), b]).is_err() && list(vec![a.clone(), a]).is_err());
    assert!(list(vec![one("a", "")]).is_err() && list(vec![one("a", &"x".repeat(limits::REASON_CHARS + 1))]).is_err());
    let mut many: Vec<_> = (0..=limits::REVOCATIONS).map(|number| one(&number.to_string(), "bad")).collect();
    many.sort_by_key(|one| one.sha256);
    assert!(list(many.clone()).is_err());
    many.pop();
    assert_eq!(list(many), Ok(()));
}

#[test]
fn shards_are_canonical_and_skip_lines_of_newer_formats() {
    let shard = shard_of(&[entry("b", "1.0.0"), entry("a", "1.10.0"), entry("a", "1.9.0"), entry("a", "1.9.0-beta")]);
    let bytes = shard.to_bytes().unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert_eq!(Shard::parse(&bytes).unwrap(), shard);
    let versions: Vec<_> = shard.lines.iter().map(|line| line.entry.version.to_string()).collect();
    assert_eq!(versions, ["1.9.0-beta", "1.9.0", "1.10.0", "1.0.0"]);
    let lines: Vec<&str> = text.lines().collect();
    let newer = lines[0].replacen("\"format\":1", "\"format\":2,\"new\":true", 1);
    let mixed = Shard::parse(format!("{newer}\n{}\n", lines[1]).as_bytes()).unwrap();
    assert_eq!((mixed.lines.len(), mixed.skipped), (1, 1));
    for (what, bad) in [
        ("order", format!("{}\n{}\n", lines[1], lines[0])),
        ("duplicate", format!("{}\n{}\n", lines[0], lines[0])),
        ("end", lines[0].to_owned()),
        ("empty line", format!("{}\n\n", lines[0])),
        ("blank", format!("{} \n", lines[0])),
        ("field", format!("{}\n", lines[0].replacen('{', "{\"extra\":1,", 1))),
        ("length", format!("{}\n", "x".repeat(limits::LINE_BYTES + 1))),
    ] {
        assert!(Shard::parse(bad.as_bytes()).is_err(), "{what}");
    }
    assert!(Shard::parse(&vec![b'x'; usize::try_from(limits::SHARD_BYTES).unwrap() + 1]).is_err());
    assert_eq!(Shard::parse(b"").unwrap(), Shard::default());
}

#[test]
fn a_skill_has_a_limited_number_of_versions() {
    let base = IndexLine::sign(entry("a", "1.0.0"), &registry(), &key(3)).unwrap();
    let line = |number: usize| {
        let mut line = base.clone();
        line.entry.version = version(&format!("1.0.{number}"));
        line
    };
    let shard = |count: usize| Shard { lines: (0..count).map(line).collect(), skipped: 0 };
    assert!(shard(limits::VERSIONS).to_bytes().is_ok());
    assert!(shard(limits::VERSIONS + 1).to_bytes().is_err());
}

#[test]
fn signatures_are_counted_once_per_key() {
    let role = Role::new(2, [key(1).public(), key(2).public()]);
    let (one, other) = (key(1), key(7));
    let signed = Signed::sign(snapshot(), Purpose::Snapshot, &registry(), &[&one, &one, &other]).unwrap();
    assert_eq!(signed.count_valid(Purpose::Snapshot, &registry(), &role), 1);
    assert_eq!(signed.count_valid(Purpose::Root, &registry(), &role), 0);
    let file = String::from_utf8(signed.to_file().unwrap()).unwrap();
    assert_eq!(Signed::<Snapshot>::parse(file.as_bytes()).unwrap(), signed);
    for (altered, what) in [
        (file.replacen(':', ": ", 1), "blank"),
        (format!("{file}\n"), "line break"),
        (file.trim_end().to_owned(), "no line break"),
        (file.replacen('{', "{\"extra\":1,", 1), "field"),
        (file.replacen("\"signatures\":", "\"signatures\": ", 1), "inner blank"),
    ] {
        assert!(Signed::<Snapshot>::parse(altered.as_bytes()).is_err(), "{what}");
    }
    let first = &file[file.find("[{\"key\"").unwrap() + 1..file.len() - 3];
    let twice = file.replace(first, &format!("{first},{first}"));
    assert!(Signed::<Snapshot>::parse(twice.as_bytes()).is_err(), "{twice}");
    let many: Vec<SecretKey> = (0..=limits::SIGNATURES).map(|number| key(u8::try_from(number).unwrap())).collect();
    let many = Signed::sign(snapshot(), Purpose::Snapshot, &registry(), &many.iter().collect::<Vec<_>>()).unwrap();
    assert!(Signed::<Snapshot>::parse(&many.to_file().unwrap()).is_err());
}

proptest! {
    #[test]
    fn any_bytes_are_refused_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(Signed::<RootDocument>::parse(&bytes).is_err());
        prop_assert!(Snapshot::parse(&bytes).is_err());
        prop_assert!(bytes.is_empty() || Shard::parse(&bytes).is_err());
    }

    #[test]
    fn an_altered_file_never_keeps_its_signature(at in 0_usize..10_000, bit in 0_u8..8) {
        let (keys, role) = (Keys::new(), root().root);
        let mut file = Signed::sign(root(), Purpose::Root, &registry(), &[&keys.root]).unwrap().to_file().unwrap();
        let at = at % file.len();
        file[at] ^= 1 << bit;
        if let Ok(signed) = Signed::<RootDocument>::parse(&file) {
            prop_assert_eq!(signed.count_valid(Purpose::Root, &registry(), &role), 0);
        }
    }

    #[test]
    fn a_shard_is_the_same_in_any_order_of_publishing(order in Just((0..12_usize).collect::<Vec<_>>()).prop_shuffle()) {
        let entries: Vec<_> = (0..12).map(|number| entry(&format!("s{}", number % 4), &format!("1.{number}.0"))).collect();
        let shuffled: Vec<_> = order.iter().map(|at| entries[*at].clone()).collect();
        let bytes = shard_of(&shuffled).to_bytes().unwrap();
        prop_assert_eq!(&bytes, &shard_of(&entries).to_bytes().unwrap());
        prop_assert_eq!(Shard::parse(&bytes).unwrap().to_bytes().unwrap(), bytes);
    }
}
