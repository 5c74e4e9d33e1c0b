//! Malicious and damaged files are refused with a reason, quickly, in little memory, and without a panic.

use std::io::{Cursor, Write};

use inklings_core::check::Diagnostic;
use inklings_core::skill::Package;
use inklings_folder::package::{MAX_FILE_BYTES, PackageFormat, UnpackedFile, pack, unpack};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::packing::{checker, one, read_packed};
use crate::support::folder;

const MAIN: &str = "---\nname: my-skill\ndescription: Does it.\n---\nBody.\n";

/// An archive of `(name, content, mode)`; mode 0 is a regular file.
fn archive(files: &[(&str, &[u8], u32)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content, mode) in files {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        if mode & 0o170_000 == 0o120_000 {
            writer.add_symlink(*name, String::from_utf8_lossy(content), options).unwrap();
        } else {
            writer.start_file(*name, options.unix_permissions(if *mode == 0 { 0o644 } else { *mode })).unwrap();
            writer.write_all(content).unwrap();
        }
    }
    writer.finish().unwrap().into_inner()
}

/// The rules of the errors of a file, or of its skills.
fn refusals(file: &str, bytes: &[u8]) -> Vec<String> {
    let findings = match unpack(file, bytes) {
        Err(errors) => errors,
        Ok(UnpackedFile { skills, .. }) => skills.into_iter().flat_map(|skill| skill.findings).filter(Diagnostic::is_error).collect(),
    };
    assert!(findings.iter().all(|finding| finding.hint.is_some() && finding.file.is_some()), "{findings:?}");
    findings.into_iter().map(|finding| finding.rule).collect()
}

/// Replaces bytes everywhere, also in only one of two headers.
fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = bytes.to_vec();
    let mut at = 0;
    while let Some(found) = bytes[at..].windows(from.len()).position(|part| part == from) {
        bytes[at + found..at + found + to.len()].copy_from_slice(to);
        at += found + to.len();
    }
    bytes
}

/// The offset of the only central header, or of the last local one.
fn header(bytes: &[u8], signature: &[u8]) -> usize {
    bytes.windows(4).rposition(|part| part == signature).unwrap()
}
const CENTRAL: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";
const END: &[u8] = b"PK\x05\x06";

#[test]
fn names_that_leave_the_archive_refuse_it() {
    let good = archive(&[("my-skill/SKILL.md", MAIN.as_bytes(), 0), ("my-skill/aaaaaaaaaaaa", b"x", 0)]);
    assert_eq!(refusals("x.zip", &good), [""; 0]);
    for bad in [
        "/etc/aaaaaaaaaaaa/pass",
        "../aaaaaaaaaaaaaaaaaa",
        "my-skill/../../aaaaaaa",
        "my-skill/./aaaaaaaaaaa",
        "my-skill//aaaaaaaaaaaa",
        "C:/aaaaaaaaaaaaaaaaaaa",
        "c:aaaaaaaaaaaaaaaaaaaa",
        "my-skill\\..\\aaaaaaaaaa",
        "\\\\server\\aaaaaaaaaaaaa",
        "my-skill/aaaaaaaaaaa\0b",
    ] {
        let name = format!("{bad:x<22}");
        let good = format!("my-skill/{:a<13}", "");
        let bytes = archive(&[("my-skill/SKILL.md", MAIN.as_bytes(), 0), (&good, b"x", 0)]);
        let bytes = replaced(&bytes, good.as_bytes(), &name.as_bytes()[..good.len()]);
        assert_eq!(refusals("x.zip", &bytes), ["package/name"], "{bad}");
    }
    let bytes = replaced(&good, b"my-skill/aaaaaaaaaaaa", b"my-skill/aaaaaaaaaa\xff\xfe");
    assert_eq!(refusals("x.zip", &bytes), ["package/name"]);
    let long = format!("my-skill/{}", "a/".repeat(600));
    assert_eq!(refusals("x.zip", &archive(&[(&long, b"", 0)])), ["package/name"]);
}

#[test]
fn what_is_no_file_or_no_path_refuses_its_skill_only() {
    let refused = |name: &str, content: &[u8], mode: u32, patch: &dyn Fn(Vec<u8>) -> Vec<u8>| {
        let bytes = patch(archive(&[
            ("good/SKILL.md", MAIN.as_bytes(), 0),
            ("my-skill/SKILL.md", MAIN.as_bytes(), 0),
            (&format!("my-skill/{name}"), content, mode),
        ]));
        let skills = unpack("x.skill", &bytes).unwrap().skills;
        assert_eq!(
            skills.iter().map(|skill| (skill.location.as_str(), skill.is_refused())).collect::<Vec<_>>(),
            [("good", false), ("my-skill", true)]
        );
        assert!(skills[1].tree.is_empty());
        skills[1].findings[0].rule.clone()
    };
    let as_it_is = |bytes| bytes;
    assert_eq!(refused("link", b"/etc/passwd", 0o120_777, &as_it_is), "folder/symlink");
    let device = |mut bytes: Vec<u8>| {
        let at = header(&bytes, CENTRAL);
        bytes[at + 38..at + 42].copy_from_slice(&(0o020_644_u32 << 16).to_le_bytes());
        bytes
    };
    assert_eq!(refused("null", b"", 0, &device), "folder/device");
    assert_eq!(refused("nul.txt", b"", 0, &as_it_is), "folder/path");
    assert_eq!(refused("a:b", b"", 0, &as_it_is), "folder/path");
    assert_eq!(refused(&format!("{}x", "d/".repeat(120)), b"", 0, &as_it_is), "folder/path");
    let encrypted = |mut bytes: Vec<u8>| {
        for signature in [CENTRAL, LOCAL] {
            let at = header(&bytes, signature);
            bytes[at + if signature == LOCAL { 6 } else { 8 }] |= 1;
        }
        bytes
    };
    assert_eq!(refused("secret", b"x", 0, &encrypted), "package/encrypted");
    let bzip = |mut bytes: Vec<u8>| {
        for signature in [CENTRAL, LOCAL] {
            let at = header(&bytes, signature);
            bytes[at + if signature == LOCAL { 8 } else { 10 }] = 12;
        }
        bytes
    };
    assert_eq!(refused("other", b"x", 0, &bzip), "package/zip");
    assert_eq!(refused("big", &noise(17 << 20), 0, &as_it_is), "limit/bytes");
}

/// Incompressible bytes.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[0]
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn conflicting_names_are_refused() {
    let conflicting = |a: &str, b: &str| archive(&[("s/SKILL.md", MAIN.as_bytes(), 0), (a, b"1", 0), (b, b"2", 0)]);
    assert_eq!(refusals("x.zip", &replaced(&conflicting("s/same-1", "s/same-2"), b"same-2", b"same-1")), ["package/zip"]);
    assert_eq!(refusals("x.zip", &conflicting("s/Caf\u{e9}", "s/Cafe\u{301}")), ["folder/path-clash"]);
    // Case folding is a rule of the folder.
    for (a, b) in [("s/NOTE", "s/note"), ("s/note", "s/note/x")] {
        let skill = one("x.zip", &conflicting(a, b));
        let errors = inklings_core::SkillFormat::read(&folder(), &skill.tree, &skill.folder, None).unwrap_err();
        assert_eq!(errors[0].rule, "folder/path-clash", "{a} {b}");
    }
}

#[test]
fn bombs_are_refused_before_they_grow() {
    let zeros = vec![0; 64 << 20];
    let bomb = archive(&[("s/SKILL.md", MAIN.as_bytes(), 0), ("s/zero", &zeros, 0)]);
    assert!(bomb.len() < 100_000);
    assert_eq!(refusals("x.zip", &bomb), ["package/bomb"]);
    // Many skills, each within its limit.
    let names: Vec<(String, String)> = (0..12).map(|index| (format!("s{index}/SKILL.md"), format!("s{index}/zero"))).collect();
    let files: Vec<(&str, &[u8], u32)> =
        names.iter().flat_map(|(main, zero)| [(main.as_str(), MAIN.as_bytes(), 0), (zero.as_str(), &zeros[..8 << 20], 0)]).collect();
    assert_eq!(refusals("x.zip", &archive(&files)), ["package/bomb"]);
    let names: Vec<String> = (0..20_001).map(|index| format!("s/{index}")).collect();
    let files: Vec<(&str, &[u8], u32)> = names.iter().map(|name| (name.as_str(), b"".as_slice(), 0)).collect();
    assert_eq!(refusals("x.zip", &archive(&files)), ["package/entries"]);
    let names: Vec<String> = (0..600).map(|index| format!("s/{index}")).chain(["s/SKILL.md".to_owned()]).collect();
    let files: Vec<(&str, &[u8], u32)> = names.iter().map(|name| (name.as_str(), b"".as_slice(), 0)).collect();
    assert_eq!(refusals("x.zip", &archive(&files)), ["limit/files"]);
}

#[test]
fn headers_that_lie_are_refused() {
    let good = archive(&[("s/SKILL.md", MAIN.as_bytes(), 0)]);
    let change = |central: usize, local: usize, value: u32| {
        let mut bytes = good.clone();
        for (signature, at) in [(CENTRAL, central), (LOCAL, local)] {
            let at = header(&bytes, signature) + at;
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        refusals("x.zip", &bytes)
    };
    for size in [0, 1, 1 << 20, u32::MAX - 1, u32::MAX] {
        assert_eq!(change(24, 22, size), ["package/zip"], "size {size}");
        assert_eq!(change(20, 18, size), ["package/zip"], "packed size {size}");
        assert_eq!(change(42, 14, size), ["package/zip"], "offset {size}");
    }
    assert_eq!(change(16, 14, 7), ["package/zip"], "checksum");
    // Two entries with the same content.
    let mut both = archive(&[("s/SKILL.md", MAIN.as_bytes(), 0), ("s/again.md", MAIN.as_bytes(), 0)]);
    let at = header(&both, CENTRAL) + 42;
    both[at..at + 4].copy_from_slice(&0_u32.to_le_bytes());
    assert_eq!(refusals("x.zip", &both), ["package/zip"]);
    // A wrong number of entries, a wrong directory offset, leading data.
    let end = header(&good, END);
    for at in [8, 10, 16] {
        let mut bytes = good.clone();
        bytes[end + at] ^= 0x41;
        assert_eq!(refusals("x.zip", &bytes), ["package/zip"], "{at}");
    }
    assert_eq!(refusals("x.zip", &[b"PK, says the prefix", &good[..]].concat()), ["package/zip"]);
    assert_eq!(refusals("x.zip", &good[..good.len() - 30]), ["package/zip"]);
    assert_eq!(refusals("x.zip", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), ["package/no-skill"]);
    for length in 0..good.len() {
        assert!(unpack("x.zip", &good[..length]).is_err(), "{length}");
    }
}

#[test]
fn zip64_is_read_and_checked() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("s/SKILL.md", SimpleFileOptions::default().large_file(true)).unwrap();
    writer.write_all(MAIN.as_bytes()).unwrap();
    let good = writer.finish().unwrap().into_inner();
    read_packed(&one("x.zip", &good));
    // The sizes of the local extra field.
    let at = header(&good, LOCAL) + 30 + "s/SKILL.md".len() + 4;
    let mut bytes = good.clone();
    bytes[at..at + 16].fill(0xfe);
    assert_eq!(refusals("x.zip", &bytes), ["package/zip"]);
    // An end record that points to a missing zip64 record.
    let mut bytes = archive(&[("s/SKILL.md", MAIN.as_bytes(), 0)]);
    let end = header(&bytes, END);
    bytes[end + 8..end + 20].fill(0xff);
    assert_eq!(refusals("x.zip", &bytes), ["package/zip"]);
}

#[test]
fn folders_are_found_as_on_the_disk() {
    let files: Vec<(&str, &[u8], u32)> = vec![
        ("README.md", b"read", 0),
        ("all/b/skill.json", br#"{"description": "B"}"#, 0),
        ("all/a/SKILL.md", MAIN.as_bytes(), 0),
        ("all/a/inner/SKILL.md", b"not a skill of its own", 0),
        ("all/a/.git/config", b"x", 0),
        ("all/a/.git/hooks/x", b"x", 0),
        ("all/a/x/.DS_Store", b"x", 0),
        ("all/a/agents.db", b"x", 0),
        ("all/a/agents.db-wal", b"x", 0),
        (".inklings/skills/d/SKILL.md", MAIN.as_bytes(), 0),
        ("__MACOSX/all/a/._SKILL.md", b"x", 0),
        ("all/node_modules/c/SKILL.md", MAIN.as_bytes(), 0),
        ("all/a/empty/", b"", 0),
    ];
    let unpacked = unpack("bundle.zip", &archive(&files)).unwrap();
    let shown: Vec<_> = unpacked.skills.iter().map(|skill| (skill.location.as_str(), skill.folder.as_str(), skill.tree.len())).collect();
    assert_eq!(shown, [(".inklings/skills/d", "d", 1), ("all/a", "a", 2), ("all/b", "b", 1)]);
    let skipped: Vec<_> = unpacked.skills[1].findings.iter().map(|finding| finding.file.as_deref().unwrap()).collect();
    assert_eq!(skipped, [".git", "x/.DS_Store", "agents.db", "agents.db-wal"]);
    assert_eq!(
        unpacked.findings.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>(),
        ["README.md doesn't belong to a skill"]
    );
    // Files at the top level are a skill with the archive's name.
    let skill = one("dir/top-skill.skill", &archive(&[("SKILL.md", b"Just words.\n", 0), ("a/b", b"x", 0)]));
    assert_eq!((skill.location.as_str(), skill.folder.as_str()), ("", "top-skill"));
    assert_eq!(read_packed(&skill).slug.as_str(), "top-skill");
    assert_eq!(refusals("x.zip", &archive(&[("a/b", b"x", 0)])), ["package/no-skill"]);
}

fn json_refusal(value: &Value) -> (String, Option<String>, String) {
    let text = serde_json::to_string_pretty(value).unwrap();
    let findings = match unpack("x.json", text.as_bytes()) {
        Err(errors) => errors,
        Ok(mut unpacked) => unpacked.skills.remove(0).findings,
    };
    let finding = findings.into_iter().find(Diagnostic::is_error).unwrap();
    assert!(finding.line.is_some() && finding.column.is_some() && finding.hint.is_some() || finding.rule == "package/type", "{finding:?}");
    (finding.rule, finding.pointer, finding.message)
}

#[test]
fn what_is_wrong_in_a_package_has_its_pointer() {
    let wrong = |pointer: &str, value: Value, rule: &str, at: &str| {
        let mut package = checker();
        match pointer.rsplit_once('/').unwrap() {
            ("", key) => package[key] = value.clone(),
            (parent, key) => package.pointer_mut(parent).unwrap()[key] = value.clone(),
        }
        let found = json_refusal(&package);
        assert_eq!((found.0.as_str(), found.1.as_deref()), (rule, Some(at)), "{value} {found:?}");
        found.2
    };
    wrong("/name", json!(7), "package/type", "/name");
    wrong("/name", json!(" "), "package/value", "/name");
    wrong("/description", Value::Null, "package/type", "/description");
    wrong("/slug", json!("No Slug"), "package/slug", "/slug");
    wrong("/tags", json!(["a", 1]), "package/type", "/tags/1");
    wrong("/steps", json!([{"action": "x"}]), "package/missing-key", "/steps/0");
    wrong("/artifacts", json!({}), "package/type", "/artifacts");
    wrong("/artifacts/1/kind", json!("prompt"), "package/value", "/artifacts/1/kind");
    wrong("/artifacts/1/ordinal", json!(1.5), "package/type", "/artifacts/1/ordinal");
    wrong("/artifacts/1/path", json!("../x"), "package/path", "/artifacts/1/path");
    wrong("/artifacts/1/path", json!("skill.md"), "package/kind", "/artifacts/1");
    wrong("/artifacts/1/content", json!("a\0b"), "folder/not-text", "/artifacts/1");
    wrong("/artifacts/1/model_variant", json!("Big One"), "artifact/variant", "/artifacts/1");
    wrong("/files", json!([{"path": "a"}]), "package/file", "/files/0");
    wrong("/files", json!([{"path": "a", "base64": "%"}]), "package/base64", "/files/0/base64");
    wrong("/files", json!([{"path": "a", "text": "", "more": 1}]), "package/unknown-key", "/files/0/more");
    wrong(
        "/files",
        json!([{"path": "PROMPTS/check-prompt.j2", "text": ""}, {"path": "a/b", "text": ""}, {"path": "a", "text": ""}]),
        "folder/path-clash",
        "",
    );
    wrong("/metadata", json!({"claimed": 1}), "package/claimed", "/metadata/claimed");
    wrong("/main_path", json!("README.md"), "package/path", "/main_path");
    let message = wrong("/artifacts/4/state_blob", json!("<the state, in base64>"), "package/state", "/artifacts/4/state_blob");
    assert!(message.starts_with("the state of \"Checker\" isn't valid base64"), "{message}");
    let message = wrong("/artifacts/4/state_blob", json!("bm90IGpzb24="), "package/state", "/artifacts/4/state_blob");
    assert!(message.contains("isn't valid JSON"), "{message}");
    wrong("/artifacts/1/state_path", json!("dspy/x.json"), "package/state", "/artifacts/1/state_path");
    let missing = json_refusal(&json!({"name": "x", "artifacts": []}));
    assert_eq!((missing.0.as_str(), missing.1.as_deref()), ("package/missing-key", Some("")));
    assert_eq!(json_refusal(&json!("x")).0, "package/type");
    let many: Vec<Value> = (0..600).map(|index| json!({"kind": "example", "name": index.to_string(), "content": ""})).collect();
    assert_eq!(json_refusal(&json!({"name": "x", "description": "x", "artifacts": many})).0, "package/files");
    let long = json!({"name": "x", "description": "x", "artifacts": [], "metadata": {"a": "x".repeat(1 << 20)}});
    assert_eq!(json_refusal(&long).0, "package/metadata");
}

#[test]
fn texts_that_are_no_package_are_refused_fast() {
    assert_eq!(refusals("x.json", "[".repeat(1 << 20).as_bytes()), ["package/json"]);
    assert_eq!(refusals("x.json", "{\"a\":".repeat(1 << 18).as_bytes()), ["package/json"]);
    assert_eq!(refusals("x.json", format!("[{}0]", "0,".repeat(500_000)).as_bytes()), ["package/json"]);
    assert_eq!(refusals("x.json", &vec![b' '; MAX_FILE_BYTES + 1]), ["package/size"]);
    assert_eq!(refusals("x.json", b"{\"name\": \"\xff\"}"), ["package/unknown"]);
    assert_eq!(refusals("x.json", b"{\"name\": \"x\", \"name\": \"y\"}"), ["package/json"]);
    assert_eq!(refusals("x.json", b""), ["package/json"]);
    assert_eq!(refusals("x.skill", b"hello"), ["package/zip"]);
    assert_eq!(refusals("x.png", b"\x89PNG"), ["package/unknown"]);
    assert_eq!(refusals("notes.txt", b"hello"), ["package/unknown"]);
    let bundle = vec![json!({"name": "x", "description": "x", "artifacts": []}); 5_001];
    assert_eq!(refusals("x.json", json!(bundle).to_string().as_bytes()), ["package/bundle"]);
    read_packed(&one("x.json", format!("\u{feff} {}", checker()).as_bytes()));
}

fn sample(form: PackageFormat) -> Vec<u8> {
    let mut package: Package = read_packed(&one("x.json", checker().to_string().as_bytes()));
    "Größe".clone_into(&mut package.description);
    inklings_core::SkillFormat::sync_sources(&folder(), &mut package);
    pack(form, &package).unwrap().bytes
}

/// Unpacks a file and reads its skills.
fn survives(file: &str, bytes: &[u8]) {
    for skill in unpack(file, bytes).map(|unpacked| unpacked.skills).unwrap_or_default() {
        let _ = inklings_core::SkillFormat::read(&folder(), &skill.tree, &skill.folder, None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..200), front in prop_oneof![Just("PK\u{3}\u{4}"), Just("PK\u{5}\u{6}"), Just("{"), Just("[{"), Just("---\n"), Just("")]) {
        survives("x", &[front.as_bytes(), &bytes].concat());
    }

    #[test]
    fn damaged_archives_are_read_or_refused(edits in vec((any::<proptest::sample::Index>(), any::<u8>()), 1..6), cut in any::<proptest::sample::Index>(), cuts in any::<bool>()) {
        thread_local!(static GOOD: Vec<u8> = sample(PackageFormat::Skill));
        let mut bytes = GOOD.with(Clone::clone);
        for (at, byte) in edits {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if cuts {
            bytes.truncate(cut.index(bytes.len()));
        }
        survives("x.skill", &bytes);
    }

    #[test]
    fn damaged_packages_are_read_or_refused(edits in vec((any::<proptest::sample::Index>(), "[\\[\\]{},:\"\\\\0-9a-z]{0,3}"), 1..4)) {
        thread_local!(static GOOD: Vec<u8> = sample(PackageFormat::Json));
        let mut bytes = GOOD.with(Clone::clone);
        for (at, text) in edits {
            let at = at.index(bytes.len());
            bytes.splice(at..=at, text.into_bytes());
        }
        survives("x.json", &bytes);
    }
}
