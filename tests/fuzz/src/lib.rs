//! What must hold for whatever a fuzzer makes up: it is refused with a reason, or it is read, and then it is kept byte for
//! byte, can be changed, and comes back from the forms that hold whole skills.
//!
//! A target is a program in `src/bin` named after what it reads; `seeds` writes what each begins with. `cargo xtask fuzz`
//! builds them with the fuzzer's counters and runs them all. To add one: a program, its seeds, a line in `xtask/src/fuzz.rs`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use inklings_core::check::Diagnostic;
use inklings_core::limits;
use inklings_core::path::SkillPath;
use inklings_core::ports::{IdSource, SkillFormat};
use inklings_core::skill::Package;
use inklings_core::tree::{Tree, TreeFile};
use inklings_folder::Folder;
use inklings_folder::package::{Form, Unpacked, pack, unpack};

pub mod archive;

/// What the description of an archive begins with; anything else is taken for an archive as it stands.
pub const DESCRIBED: u8 = b'!';

/// Ids that count, so that a run can be repeated.
struct Counting(AtomicU64);

impl IdSource for Counting {
    fn uuid(&self) -> uuid::Uuid {
        uuid::Uuid::from_u64_pair(1, self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// A mapping whose ids count from one.
#[must_use]
pub fn folder() -> Folder {
    Folder::new(Arc::new(Counting(AtomicU64::new(1))))
}

/// A path that is known to be good.
///
/// # Panics
/// When it isn't.
#[must_use]
pub fn path(text: &str) -> SkillPath {
    SkillPath::parse(text).expect("a good path")
}

/// A folder of texts.
#[must_use]
pub fn tree(files: &[(&str, &[u8])]) -> Tree {
    files.iter().map(|(name, bytes)| (path(name), TreeFile::new(*bytes))).collect()
}

/// Findings say where, what, and what to do.
///
/// # Panics
/// When one doesn't.
pub fn explains(findings: &[Diagnostic]) {
    for finding in findings {
        assert!(finding.rule.contains('/') && !finding.message.is_empty() && finding.file.is_some(), "{finding:?}");
        assert!(finding.hint.as_ref().is_some_and(|hint| !hint.is_empty()), "no hint: {finding:?}");
        let places = [finding.line, finding.column, finding.end_line, finding.end_column];
        assert!(places.iter().flatten().all(|place| *place > 0), "{finding:?}");
        let ends = (finding.line, finding.column).le(&(finding.end_line, finding.end_column));
        assert!(finding.end_line.is_none() || ends, "ends before it begins: {finding:?}");
    }
}

/// Reads a folder. What is read is kept byte for byte, settled for good, can be changed, and can be packed.
///
/// # Panics
/// When it isn't.
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
    assert!(findings.is_empty() && package == read, "not settled: {findings:?}\n{}", shown(tree));
    for form in [Form::Json, Form::Skill] {
        comes_back(&package, form);
    }
    changes(&folder, package);
}

/// Without execute bits, which not every file keeps.
fn contents(tree: &Tree) -> impl Iterator<Item = (&SkillPath, &[u8])> {
    tree.iter().map(|(path, entry)| (path, &*entry.bytes))
}

/// A changed description is in the folder afterwards, and everything else as it was.
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

/// Packs in a form that holds everything, and unpacks the same folder.
fn comes_back(package: &Package, form: Form) {
    let Ok(packed) = pack(form, package) else { return };
    let unpacked = unpack(&packed.name, &packed.bytes).unwrap_or_else(|errors| panic!("{form} can't be unpacked: {errors:?}"));
    let [skill] = &unpacked.skills[..] else { panic!("{form} became {} skills", unpacked.skills.len()) };
    assert!(!skill.is_refused(), "{form} is refused: {:?}", skill.findings);
    assert!(skill.tree == package.tree(), "{form} came back changed:\n{}\n{}", shown(&skill.tree), shown(&package.tree()));
}

/// Unpacks a file, and reads every skill of it.
///
/// # Panics
/// When something that must hold doesn't.
pub fn unpacks(file: &str, bytes: &[u8]) {
    match unpack(file, bytes) {
        Err(errors) => {
            assert!(errors.iter().any(Diagnostic::is_error), "refused without an error: {errors:?}");
            explains(&errors);
        }
        Ok(Unpacked { skills, findings }) => {
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
