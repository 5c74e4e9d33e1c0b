//! `seeds OUT FOLDER...`: writes what each target begins with, made of the skills below the folders.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use inklings_core::path::{SKILL_JSON, SKILL_MD};
use inklings_core::ports::SkillFormat;
use inklings_core::tree::Tree;
use inklings_evals::cases::is_case_file;
use inklings_folder::disk::{discover, folder_name, read_dir};
use inklings_folder::package::{PackageFormat, pack};
use inklings_fuzz::{DESCRIPTION_PREFIX, folder, path};
use inklings_lint::schema;
// Its runtime defines the coverage counters.
use libfuzzer_sys as _;

/// Longer seeds slow down fuzzing.
const MAX_SEED_BYTES: usize = 16 * 1024;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let out = arguments.next().ok_or("seeds OUT FOLDER...")?;
    for place in arguments {
        for skill in discover(&place)?.0 {
            seeds(&out, &skill)?;
        }
    }
    Ok(())
}

fn seeds(out: &Path, skill: &Path) -> Result<(), Box<dyn Error>> {
    let (tree, _) = read_dir(skill)?;
    let name = folder_name(skill);
    let put = |target: &str, form: &str, bytes: &[u8]| -> std::io::Result<()> {
        if bytes.len() > MAX_SEED_BYTES {
            return Ok(());
        }
        fs::create_dir_all(out.join(target))?;
        fs::write(out.join(target).join(format!("{name}.{form}")), bytes)
    };
    for file in [SKILL_MD, "skill.md"] {
        if let Some(entry) = tree.get(&path(file)) {
            put("frontmatter", "md", &entry.bytes)?;
            put("strict", "md", &entry.bytes)?;
        }
    }
    if let Some(entry) = tree.get(&path(SKILL_JSON)) {
        put("skill_json", "json", &entry.bytes)?;
    }
    put("package_zip", "described", &[&[DESCRIPTION_PREFIX], &*described(&format!("{name}/"), &tree)].concat())?;
    put("skill", "described", &described("", &tree))?;
    for (path, entry) in &tree {
        let file = path.as_str().replace('/', "-");
        if matches!(path.extension().as_str(), "j2" | "md" | "py") {
            put("template", &file, &entry.bytes)?;
        }
        if is_case_file(path.as_str()) {
            put("cases", &file, &entry.bytes)?;
        }
        if path.as_str() == SKILL_JSON {
            for (schema, form) in [(schema::skill_json(), "skill"), (schema::dspy_module(), "program")] {
                put("json_schema", form, &[schema.to_string().as_bytes(), &*entry.bytes].join(&0))?;
            }
        }
    }
    let Ok(reading) = folder().read(&tree, &name, None) else { return Ok(()) };
    for (target, form) in
        [("package_json", PackageFormat::Json), ("package_json", PackageFormat::Amble), ("package_zip", PackageFormat::Skill)]
    {
        if let Ok(packed) = pack(form, &reading.package) {
            put(target, form.as_str(), &packed.bytes)?;
        }
    }
    Ok(())
}

/// The files as `archive::of` reads them. `folder` is empty or ends with a slash.
fn described(folder: &str, tree: &Tree) -> Vec<u8> {
    let entries = tree.iter().map(|(path, entry)| {
        let kind = if entry.executable { b"x" } else { b"f" };
        [kind, folder.as_bytes(), path.as_str().as_bytes(), b"\0", &entry.bytes].concat()
    });
    entries.collect::<Vec<_>>().join(&0xff)
}
