//! Links and paths in Markdown that follow moved files.

use inklings_core::{Package, SkillPath, TreeFile};
use inklings_prompt::PromptEngine;
use inklings_symbols::{Role, Symbol, Texts};

use super::api::FileMove;

/// Corrects the Markdown files before the files are moved: links to moved files, and links in them. Files in `unsaved` stay as they are,
/// since their drafts would bring the old links back.
pub(super) fn relink(package: &mut Package, prompts: &PromptEngine, moves: &[FileMove], unsaved: &[SkillPath]) {
    let texts = Texts::new(package, prompts, []);
    let corrected = |(path, text): (&SkillPath, &str)| Some((path.clone(), text.to_owned(), relinked(&texts, path, text, moves)?));
    let changed: Vec<_> = texts.files().filter(|(path, _)| !unsaved.contains(path)).filter_map(corrected).collect();
    for (path, before, after) in changed {
        if let Some(artifact) = package.artifacts.iter_mut().find(|artifact| artifact.path == path) {
            // The content of SKILL.md begins after its frontmatter, which has no links.
            if let Some(content) = before.strip_suffix(&*artifact.content).and_then(|front| after.strip_prefix(front)) {
                artifact.content = content.into();
            }
        } else if let Some(file) = package.files.iter_mut().find(|file| file.path == path) {
            file.entry = TreeFile { executable: file.entry.executable, ..TreeFile::new(after.into_bytes()) };
        }
    }
}

/// None if no link changes.
fn relinked(texts: &Texts<'_>, from: &SkillPath, text: &str, moves: &[FileMove]) -> Option<String> {
    if !matches!(from.extension().as_str(), "md" | "markdown") {
        return None;
    }
    let mut new = text.to_owned();
    // From the end, so that the ranges before stay valid.
    for mention in texts.mentions(from).into_iter().rev().filter(|mention| mention.role == Role::Uses) {
        let (Symbol::File { path: target } | Symbol::Heading { path: target, .. }) = &mention.symbol else { continue };
        let up_to_end = text.get(..mention.range.end);
        let Some((before, written)) = up_to_end.and_then(|text| text.split_at_checked(mention.range.start)) else { continue };
        // Elsewhere, it is the text of a reference link, whose target stands in another place.
        let opening = before.chars().next_back();
        let encode: fn(&str) -> String = match opening {
            Some('(') => percent_encoded,
            Some('<' | '`') => str::to_owned,
            _ => continue,
        };
        if texts.has(target)
            && let Some(link) = followed(written, from, target, moves, encode, opening == Some('`'))
        {
            new.replace_range(mention.range, &link);
        }
    }
    (new != text).then_some(new)
}

/// The link after the moves, if it changes. It stays relative to the file, or to the skill's folder.
fn followed(
    written: &str,
    from: &SkillPath,
    target: &SkillPath,
    moves: &[FileMove],
    encode: fn(&str) -> String,
    is_code: bool,
) -> Option<String> {
    let (path, anchor) = written.split_at(written.find('#').unwrap_or(written.len()));
    let path_after = |path: &SkillPath| moves.iter().find(|one| one.from == *path).map_or_else(|| path.clone(), |one| one.to.clone());
    let (new_from, new_target) = (path_after(from), path_after(target));
    let beside = relative(from, target);
    // Of a file in the skill's folder, a link is relative to the file. Agents run paths in code in the skill's folder.
    let is_at_top = (is_code || beside != target.as_str()) && [target.to_string(), encode(target.as_str())].iter().any(|top| top == path);
    let (old, new) = if is_at_top { (target.to_string(), new_target.to_string()) } else { (beside, relative(&new_from, &new_target)) };
    let dot = if path.starts_with("./") && !new.starts_with("../") { "./" } else { "" };
    (!path.is_empty() && old != new).then(|| format!("{dot}{}{anchor}", encode(&new)))
}

fn relative(from: &SkillPath, to: &SkillPath) -> String {
    let folders: Vec<&str> = from.as_str().rsplit_once('/').map_or_else(Vec::new, |(folder, _)| folder.split('/').collect());
    let parts: Vec<&str> = to.as_str().split('/').collect();
    let common = folders.iter().zip(&parts).take_while(|(one, other)| one == other).count();
    let up = std::iter::repeat_n("..", folders.len() - common);
    up.chain(parts.into_iter().skip(common)).collect::<Vec<_>>().join("/")
}

/// As a link target between parentheses.
fn percent_encoded(path: &str) -> String {
    path.replace('%', "%25").replace(' ', "%20").replace('(', "%28").replace(')', "%29").replace('#', "%23")
}
