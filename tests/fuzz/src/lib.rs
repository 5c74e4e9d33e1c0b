//! Properties of all fuzzed inputs: they are refused with a reason, or read, and then written back byte for
//! byte, can be changed, and survive a round trip through lossless package formats.
//!
//! A target is a program in `src/bin` named after its input; `seeds` writes the initial corpora. `cargo xtask fuzz`
//! builds all targets with coverage counters and runs them. To add one: a program, its seeds, a line in `xtask/src/fuzz.rs`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use inklings_core::check::Diagnostic;
use inklings_core::limits;
use inklings_core::path::SkillPath;
use inklings_core::ports::{IdSource, SkillFormat};
use inklings_core::skill::Package;
use inklings_core::tree::{Tree, TreeFile};
use inklings_folder::Folder;
use inklings_folder::package::{PackageFormat, UnpackedFile, pack, unpack};

pub mod archive;

/// First byte of the description of an archive. Other input is an archive itself.
pub const DESCRIPTION_PREFIX: u8 = b'!';

/// Sequential ids, so that runs are reproducible.
struct Counting(AtomicU64);

impl IdSource for Counting {
    fn uuid(&self) -> uuid::Uuid {
        uuid::Uuid::from_u64_pair(1, self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// A folder format with sequential ids.
#[must_use]
pub fn folder() -> Folder {
    Folder::new(Arc::new(Counting(AtomicU64::new(1))))
}

/// Parses a valid path.
///
/// # Panics
/// If it isn't valid.
#[must_use]
pub fn path(text: &str) -> SkillPath {
    SkillPath::parse(text).expect("a good path")
}

/// A folder of files.
#[must_use]
pub fn tree(files: &[(&str, &[u8])]) -> Tree {
    files.iter().map(|(name, bytes)| (path(name), TreeFile::new(*bytes))).collect()
}

/// The files of a description in the form that [`archive::of`] reads, without those whose path is invalid.
#[must_use]
pub fn described(description: &[u8]) -> Tree {
    let file = |entry: &[u8]| {
        let mut parts = entry.get(1..)?.splitn(2, |byte| *byte == 0);
        let (name, bytes) = (parts.next()?, parts.next()?);
        let path = SkillPath::parse(std::str::from_utf8(name).ok()?).ok()?;
        Some((path, TreeFile::new(bytes)))
    };
    description.split(|byte| *byte == 0xff).filter_map(file).collect()
}

/// Asserts that each diagnostic has a message and a position, and a hint.
///
/// # Panics
/// If one hasn't.
pub fn explains(findings: &[Diagnostic]) {
    locates(findings);
    for finding in findings {
        assert!(finding.hint.as_ref().is_some_and(|hint| !hint.is_empty()), "no hint: {finding:?}");
    }
}

/// Asserts that each diagnostic has a message and a position.
///
/// # Panics
/// If one hasn't.
pub fn locates(findings: &[Diagnostic]) {
    for finding in findings {
        assert!(finding.rule.contains('/') && !finding.message.is_empty() && finding.file.is_some(), "{finding:?}");
        let places = [finding.line, finding.column, finding.end_line, finding.end_column];
        assert!(places.iter().flatten().all(|place| *place > 0), "{finding:?}");
        let ends = (finding.line, finding.column).le(&(finding.end_line, finding.end_column));
        assert!(finding.end_line.is_none() || ends, "ends before it begins: {finding:?}");
    }
}

/// Reads a folder. The result must write back byte for byte, be in sync, and survive a change and packing.
///
/// # Panics
/// If an assertion fails.
pub fn reads(tree: &Tree, name: &str) {
    let folder = folder();
    let reading = match folder.read(tree, name, None) {
        Ok(reading) => reading,
        Err(errors) => {
            assert!(errors.iter().any(Diagnostic::is_error), "refused without an error: {errors:?}");
            return explains(&errors);
        }
    };
    assert!(!reading.diagnostics.iter().any(Diagnostic::is_error), "read with errors: {:?}", reading.diagnostics);
    explains(&reading.diagnostics);
    let mut package = reading.package;
    assert!(contents(&package.tree()).eq(contents(tree)), "read and written differ:\n{}\n{}", shown(&package.tree()), shown(tree));
    let read = package.clone();
    let findings = folder.sync_sources(&mut package);
    assert!(findings.is_empty() && package == read, "not in sync: {findings:?}\n{}", shown(tree));
    for form in [PackageFormat::Json, PackageFormat::Skill] {
        comes_back(&package, form);
    }
    changes(&folder, package);
}

/// Without execute bits, which aren't kept for all files.
fn contents(tree: &Tree) -> impl Iterator<Item = (&SkillPath, &[u8])> {
    tree.iter().map(|(path, entry)| (path, &*entry.bytes))
}

/// Changing the description changes nothing else.
fn changes(folder: &Folder, mut package: Package) {
    if package.description.chars().count() >= limits::DESCRIPTION_CHARS {
        return;
    }
    package.description.push_str(": more");
    let findings = folder.sync_sources(&mut package);
    if findings.iter().any(Diagnostic::is_error) {
        return explains(&findings);
    }
    let tree = package.tree();
    let again = folder.read(&tree, package.slug.as_str(), Some(&package));
    let again = again.unwrap_or_else(|errors| panic!("what was changed can't be read: {errors:?}\n{}", shown(&tree))).package;
    assert!(again == package, "a change is read back as another:\n{}\n{package:#?}\n{again:#?}", shown(&tree));
}

/// Packs in a lossless format, and unpacks the same folder.
fn comes_back(package: &Package, form: PackageFormat) {
    let Ok(packed) = pack(form, package) else { return };
    let unpacked = unpack(&packed.name, &packed.bytes).unwrap_or_else(|errors| panic!("{form} can't be unpacked: {errors:?}"));
    let [skill] = &unpacked.skills[..] else { panic!("{form} became {} skills", unpacked.skills.len()) };
    assert!(!skill.is_refused(), "{form} is refused: {:?}", skill.findings);
    assert!(skill.tree == package.tree(), "{form} came back changed:\n{}\n{}", shown(&skill.tree), shown(&package.tree()));
}

/// Unpacks a file and reads its skills.
///
/// # Panics
/// If an assertion fails.
pub fn unpacks(file: &str, bytes: &[u8]) {
    match unpack(file, bytes) {
        Err(errors) => {
            assert!(errors.iter().any(Diagnostic::is_error), "refused without an error: {errors:?}");
            explains(&errors);
        }
        Ok(UnpackedFile { skills, findings }) => {
            assert!(!findings.iter().any(Diagnostic::is_error), "{findings:?}");
            explains(&findings);
            for skill in skills {
                explains(&skill.findings);
                assert!(skill.tree.is_empty() || !skill.is_refused(), "refused, and yet there are files");
                if !skill.is_refused() {
                    reads(&skill.tree, &skill.folder);
                }
            }
        }
    }
}

fn shown(tree: &Tree) -> String {
    tree.iter().map(|(path, entry)| format!("== {path}\n{}\n", entry.bytes.escape_ascii())).collect()
}
