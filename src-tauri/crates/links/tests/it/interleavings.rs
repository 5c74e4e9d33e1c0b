use std::collections::BTreeSet;
use std::fs;

use inklings_core::change::RevisionFilter;
use inklings_core::{SkillPath, SkillStorageRepository as _};

use crate::support::{Home, read};

/// Lines of the file that both sides edit.
const LINES: usize = 30;

/// Replaces a line by a text that is nowhere else.
fn edited(text: &str, line: usize, with: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    if let Some(line) = lines.get_mut(line) {
        *line = with;
    }
    lines.join("\n") + "\n"
}

#[test]
fn in_200_interleavings_of_both_sides_every_text_is_on_disk_or_in_a_revision() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut home = Home::new();
    let body = (0..LINES).map(|n| format!("line {n}")).collect::<Vec<_>>().join("\n") + "\n";
    let file = home.write_skill(".claude", "checker", "Body\n").join("notes.md");
    fs::write(&file, body).unwrap();
    home.scan();
    let path = SkillPath::parse("notes.md").unwrap();
    let id = home.skill("checker").unwrap().head.id;
    let mut texts = BTreeSet::new();
    for n in 0..200 {
        let token = format!("edit {n}.");
        let line = random.usize(..LINES);
        match random.u8(..10) {
            // Saved here, from what is stored or from an older state.
            0..=3 => {
                let mut opened = home.skill("checker").unwrap();
                let stored = opened.package.tree()[&path].text().unwrap().to_owned();
                if random.bool() {
                    let external = format!("external {n}.");
                    fs::write(&file, edited(&read(&file), random.usize(..LINES), &external)).unwrap();
                    texts.insert(external);
                }
                opened.head.revision = home.skill("checker").unwrap().head.revision;
                if home.save(&opened, "notes.md", &edited(&stored, line, &token)).is_ok() {
                    texts.insert(token);
                }
            }
            // On disk, in place or by another file.
            4..=7 => {
                let text = edited(&read(&file), line, &token);
                if random.bool() {
                    fs::write(&file, text).unwrap();
                } else {
                    fs::write(file.with_extension("tmp"), text).unwrap();
                    fs::rename(file.with_extension("tmp"), &file).unwrap();
                }
                texts.insert(token);
            }
            // In the store alone, as if the process had been killed before it wrote to the folder.
            8 => {
                let skill = home.skill("checker").unwrap();
                let text = edited(skill.package.tree()[&path].text().unwrap(), line, &token);
                let edit = inklings_core::edit::TreeEdit::Write(path.clone(), text.into_bytes().into());
                let inner = home.scope.repository.as_ref();
                inklings_core::edit::save(inner, id, &[edit], skill.head.revision, "test", "edited").unwrap();
                texts.insert(token);
                home = home.restart();
            }
            _ => home.scan(),
        }
        // A change on disk is seen before the next one overwrites it.
        home.links.sync(&home.scope, id).unwrap();
    }
    home.links.sync(&home.scope, id).unwrap();
    let revisions = home.repository.revisions(id, &RevisionFilter::default(), 1_000).unwrap().revisions;
    let mut found: String = revisions
        .iter()
        .filter_map(|revision| home.repository.revision_file(id, revision.number, &path).unwrap())
        .map(|file| file.text().unwrap().to_owned())
        .collect();
    found.push_str(&read(&file));
    let lost: Vec<_> = texts.iter().filter(|text| !found.contains(text.as_str())).collect();
    assert!(lost.is_empty(), "{lost:?}");
    assert!(texts.len() > 120, "{}", texts.len());
    assert_eq!(home.text("checker", "notes.md"), Some(read(&file)));
}
