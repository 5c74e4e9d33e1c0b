//! `inklings skill …`

use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use inklings_app::features::file::{Bytes, BytesParams, DeleteFiles, DeleteFilesParams, Read};
use inklings_app::features::library::{BulkAction, Card, LibraryCard};
use inklings_app::features::skill::{
    Change, Create, CreateParams, DeletedContent, DeletedFileParams, DeletedList, Duplicate, Edit, EditParams, FindPlaces, Fork, Get,
    ListDeleted, MoveSkill, MoveSkillParams, Places, ReadDeleted, ReadDeletedFile, Restore, RestoreParams, SkillCopy, TokenParams, Tokens,
};
use inklings_app::wire::{EditResult, FileEntry, FileRef, SkillDetail, SkillRef};
use inklings_core::limits::SKILL_BYTES;
use inklings_core::{SkillId, SkillPath, SkillSummary};
use inklings_rpc::{Code, Failure, NoParams};
use serde::Serialize;

use crate::Ended;
use crate::args::{ScopeArg, SkillArg, SkillCommand};
use crate::commands::Session;
use crate::input::read_text;
use crate::out::{Out, table};

pub(crate) async fn run(session: &Session, command: SkillCommand, out: &Out) -> Result<(), Ended> {
    match command {
        SkillCommand::List(args) => super::library::list(session, args, out).await?,
        SkillCommand::Show { skill, path: None, .. } => {
            let skill = session.call::<Get>(named(skill)).await?;
            let here = SkillRef { skill: skill.summary.id.to_string(), scope: Some(skill.summary.scope) };
            let places = session.call::<FindPlaces>(here.clone()).await?;
            let card = session.call::<Card>(here).await?;
            out.result(&Shown { skill, places, card }, detail)?;
        }
        SkillCommand::Show { skill, path: Some(path), revision: None } => show_file(session, skill, &path, out).await?,
        SkillCommand::Show { skill, path: Some(path), revision: Some(revision) } => {
            super::history::show(session, skill, &path, revision, out).await?;
        }
        SkillCommand::Create { name, description, scope } => {
            let params = CreateParams { name, description, content: None, scope: scope.map(Into::into) };
            out.result(&session.call::<Create>(params).await?, |skill| format!("created {}", label(&skill.summary)))?;
        }
        SkillCommand::Edit { skill, path, from, remove, expected, message } => {
            edit(session, skill, &path, from, remove, expected, message, out).await?;
        }
        SkillCommand::Uses { skill, name, artifact } => {
            super::symbol::uses(session, skill, super::symbol::called(name, artifact), out).await?;
        }
        SkillCommand::Rename { skill, from, to, artifact, dry_run } => {
            super::symbol::rename(session, skill, super::symbol::called(from, artifact), to, dry_run, out).await?;
        }
        SkillCommand::Grep(args) => super::grep::run(session, args, out).await?,
        SkillCommand::Delete { skills } => super::library::delete(session, skills, out).await?,
        SkillCommand::Deleted { id: None, .. } => out.result(&session.call::<ListDeleted>(NoParams {}).await?, deleted)?,
        SkillCommand::Deleted { id: Some(id), path: None, scope } => {
            let params = RestoreParams { id: deleted_id(&id)?, scope: scope.into() };
            out.result(&session.call::<ReadDeleted>(params).await?, deleted_content)?;
        }
        SkillCommand::Deleted { id: Some(id), path: Some(path), scope } => {
            let path = parse_path(&path)?;
            let params = DeletedFileParams { id: deleted_id(&id)?, scope: scope.into(), path };
            let file = session.call::<ReadDeletedFile>(params).await?;
            out.content(&file, |file| file.text.clone().unwrap_or_else(|| "(binary file)".to_owned()))?;
        }
        SkillCommand::Restore { id, scope } => {
            let params = RestoreParams { id: deleted_id(&id)?, scope: scope.into() };
            out.result(&session.call::<Restore>(params).await?, |skill| format!("restored {}", label(&skill.summary)))?;
        }
        SkillCommand::Move { skill, to, keep } => move_to(session, skill, to, keep, out).await?,
        SkillCommand::Duplicate { skill } => {
            out.result(&session.call::<Duplicate>(named(skill)).await?, |skill| format!("duplicated as {}", label(&skill.summary)))?;
        }
        SkillCommand::Fork { skill } => {
            out.result(&session.call::<Fork>(named(skill)).await?, |skill| format!("duplicated as {}", label(&skill.summary)))?;
        }
        SkillCommand::Enable { skills } => super::library::switch(session, skills, true, out).await?,
        SkillCommand::Disable { skills } => super::library::switch(session, skills, false, out).await?,
        SkillCommand::Tag { tag, skills, remove: false } => {
            super::library::apply(session, skills, BulkAction::AddTag { tag }, "tagged", out).await?;
        }
        SkillCommand::Tag { tag, skills, remove: true } => {
            super::library::apply(session, skills, BulkAction::RemoveTag { tag }, "untagged", out).await?;
        }
        SkillCommand::Category { category, skills } => {
            super::library::apply(session, skills, BulkAction::SetCategory { category }, "moved", out).await?;
        }
        SkillCommand::Set(args) => super::library::set(session, args, out).await?,
        SkillCommand::Stats => super::library::stats(session, out).await?,
        SkillCommand::History { skill, path, limit } => super::history::list(session, skill, path, limit, out).await?,
        SkillCommand::Rollback { skill, to, path } => saved(&super::history::go_back(session, skill, to, path).await?, out)?,
        SkillCommand::Revert { skill, revision, to } => saved(&super::history::revert(session, skill, revision, to).await?, out)?,
        SkillCommand::Tokens { skill } => tokens(session, skill, out).await?,
        SkillCommand::Check(args) => super::check::run(session, args, out).await?,
        SkillCommand::Diff(args) => super::history::diff(session, args, out).await?,
    }
    Ok(())
}

pub(crate) fn named(skill: SkillArg) -> SkillRef {
    SkillRef { skill: skill.skill, scope: skill.scope.map(Into::into) }
}

async fn move_to(session: &Session, skill: SkillArg, to: ScopeArg, keep: bool, out: &Out) -> Result<(), Ended> {
    let params = MoveSkillParams { skill: skill.skill, scope: skill.scope.map(Into::into), to: to.into(), keep };
    let moved = session.call::<MoveSkill>(params).await?;
    let verb = if moved.removed { "moved" } else { "copied" };
    out.result(&moved, |moved| format!("{verb} as {}", label(&moved.skill.summary)))?;
    match moved.left {
        None => Ok(()),
        Some(left) => {
            let failure = Failure::new(Code::Invalid, format!("the original is still there: {}", left.message));
            Err(left.hint.into_iter().fold(failure, Failure::hint).into())
        }
    }
}

async fn tokens(session: &Session, skill: SkillArg, out: &Out) -> Result<(), Ended> {
    let SkillRef { skill, scope } = named(skill);
    let cost = session.call::<Tokens>(TokenParams { skill, scope, edits: Vec::new() }).await?;
    out.result(&cost, |cost| {
        let row = |name: &str, count: usize| vec![name.to_owned(), count.to_string()];
        let mut rows = vec![row("in every turn", cost.per_turn), row("when loaded", cost.on_load), row("on demand", cost.on_demand)];
        rows.extend(cost.files.iter().map(|(path, count)| row(path.as_str(), *count)));
        format!("{}\nestimated with {}", table(&rows), cost.encoding)
    })
}

/// A path as a shell takes it.
pub(crate) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '/' | '.' | '_' | '-');
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

pub(crate) fn label(skill: &SkillSummary) -> String {
    format!("{} ({}, revision {})", skill.slug, skill.scope, skill.revision)
}

/// A skill with where it lives.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    skill: SkillDetail,
    places: Places,
    card: LibraryCard,
}

fn detail(Shown { skill, places, card }: &Shown) -> String {
    let summary = &skill.summary;
    let mut text = format!(
        "{}  {}\n{}\n\n{}\nversion {}, revision {}, {}, {}, tier {}\n\n",
        summary.slug,
        summary.name,
        summary.description,
        places.line,
        summary.version,
        summary.revision,
        summary.source.as_str(),
        summary.lifecycle.as_str(),
        summary.trust_tier,
    );
    if let Some(parent) = &card.parent {
        text.insert_str(text.len() - 1, &format!("duplicated from {} ({})\n", parent.slug, parent.scope));
    }
    let rows: Vec<_> = skill
        .entries
        .iter()
        .map(|entry| {
            let kind = entry.artifact.as_ref().map(|artifact| {
                let variant = artifact.variant.as_ref().map(|variant| format!(" [{variant}]")).unwrap_or_default();
                format!("{} \"{}\"{variant}", artifact.kind, artifact.name)
            });
            vec![entry.path.to_string(), entry.size.to_string(), kind.unwrap_or_default()]
        })
        .collect();
    text.push_str(&table(&rows));
    if !places.copies.is_empty() {
        let row = |copy: &SkillCopy| vec![copy.path.clone(), copy.agent.clone(), copy.standing.to_string()];
        text.push_str("\n\ncopies of other agents\n");
        text.push_str(&table(&places.copies.iter().map(row).collect::<Vec<_>>()));
    }
    text
}

async fn show_file(session: &Session, skill: SkillArg, path: &str, out: &Out) -> Result<(), Ended> {
    let file = FileRef { skill: skill.skill, scope: skill.scope.map(Into::into), path: parse_path(path)? };
    let content = session.call::<Read>(file.clone()).await?;
    if out.is_json() {
        return out.result(&content, |_| String::new());
    }
    if let Some(text) = content.text {
        return out.exact(text.as_bytes()).map(drop);
    }
    if out.is_terminal() {
        return Err(Failure::invalid(format!("{path} is binary ({} bytes)", content.entry.size))
            .hint("write it to a file with `>`")
            .into());
    }
    let params = BytesParams { skill: file.skill, scope: file.scope, path: file.path, limit: None };
    let bytes = STANDARD.decode(session.call::<Bytes>(params).await?.base64).context("the file's bytes")?;
    out.exact(&bytes).map(drop)
}

pub(crate) fn parse_path(path: &str) -> Result<SkillPath, Failure> {
    SkillPath::parse(path).map_err(|error| Failure::invalid(error.to_string()))
}

#[expect(clippy::too_many_arguments, reason = "the options of one command, passed once")]
async fn edit(
    session: &Session,
    skill: SkillArg,
    path: &str,
    from: Option<PathBuf>,
    remove: bool,
    expected: Option<i64>,
    message: Option<String>,
    out: &Out,
) -> Result<(), Ended> {
    let path = parse_path(path)?;
    let present = session.call::<Get>(named(skill)).await?;
    if remove {
        let params = DeleteFilesParams { skill: present.summary.id.to_string(), scope: Some(present.summary.scope), paths: vec![path] };
        return saved(&session.call::<DeleteFiles>(params).await?, out);
    }
    let (text, kept) = if let Some(file) = from {
        (read_text(&file, SKILL_BYTES)?, None)
    } else {
        let (text, kept) = in_editor(session, &present, &path).await?;
        (text, Some(kept))
    };
    let params = EditParams {
        skill: present.summary.id.to_string(),
        scope: Some(present.summary.scope),
        expected: expected.unwrap_or(present.summary.revision),
        changes: vec![Change::Write { path, text }],
        why: message,
    };
    let result = session.call::<Edit>(params).await.map_err(|failure| match &kept {
        Some(kept) => kept.named_in(failure),
        None => failure,
    })?;
    if let Some(kept) = kept {
        kept.remove();
    }
    saved(&result, out)
}

pub(crate) fn saved(result: &EditResult, out: &Out) -> Result<(), Ended> {
    out.diagnostics(&result.diagnostics);
    out.result(result, |result| {
        let rebased = if result.rebased { " (carried onto a newer revision)" } else { "" };
        format!("saved {}{rebased}", label(&result.skill.summary))
    })
}

/// The file that an editor works on. It outlives a refused save: what was typed is nowhere else.
struct Kept {
    folder: PathBuf,
    file: PathBuf,
}

impl Kept {
    /// Makes the file, in a folder of its own that nobody else can read.
    fn new(name: &str, text: &str) -> std::io::Result<Self> {
        // Process ids come back; a folder that was kept must not be written into again.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        let folder = std::env::temp_dir().join(format!("inklings-edit-{}-{now}", std::process::id()));
        std::fs::DirBuilder::new().mode(0o700).create(&folder)?;
        let file = folder.join(name);
        std::fs::write(&file, text)?;
        Ok(Self { folder, file })
    }

    /// The failure, with where the text is.
    fn named_in(&self, failure: Failure) -> Failure {
        let kept = format!("your text is kept in {}: save it with --from", self.file.display());
        let hint = failure.hint.as_ref().map_or_else(|| kept.clone(), |hint| format!("{hint}; {kept}"));
        failure.hint(hint)
    }

    fn remove(self) {
        let _ = std::fs::remove_dir_all(self.folder);
    }
}

/// Opens the file in the user's editor and returns what was saved there, and the file, to be removed once the
/// text is stored.
async fn in_editor(session: &Session, skill: &SkillDetail, path: &SkillPath) -> Result<(String, Kept), Ended> {
    let editor = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok()).filter(|value| !value.trim().is_empty());
    let editor = editor.ok_or_else(|| Failure::invalid("no editor is set").hint("set EDITOR, or give the content with --from FILE"))?;
    let known = skill.entries.iter().any(|entry| entry.path == *path);
    let text = if known {
        let file = FileRef { skill: skill.summary.id.to_string(), scope: Some(skill.summary.scope), path: path.clone() };
        session.call::<Read>(file).await?.text.ok_or_else(|| Failure::invalid(format!("{path} is binary")))?
    } else {
        String::new()
    };
    let kept = Kept::new(path.file_name(), &text).context("a file for the editor")?;
    let mut words = editor.split_whitespace();
    let status = std::process::Command::new(words.next().unwrap_or_default()).args(words).arg(&kept.file).status();
    let edited = read_text(&kept.file, SKILL_BYTES);
    match (status, edited) {
        (Ok(status), Ok(edited)) if status.success() => Ok((edited, kept)),
        (Ok(status), Err(Ended::Refused(failure))) if status.success() => Err(kept.named_in(*failure).into()),
        (Ok(status), Err(error)) if status.success() => Err(error),
        (Ok(_), edited) => {
            let failure = Failure::new(Code::Io, format!("{editor} ended with an error; nothing was saved"));
            if edited.is_ok_and(|edited| edited == text) {
                kept.remove();
                return Err(failure.into());
            }
            Err(kept.named_in(failure).into())
        }
        (Err(error), _) => {
            kept.remove();
            Err(Failure::new(Code::Io, format!("{editor} can't be started: {error}")).hint("set EDITOR to a program that exists").into())
        }
    }
}

fn deleted_id(id: &str) -> Result<SkillId, Failure> {
    id.parse().map_err(|_| Failure::invalid(format!("{id:?} isn't an ID")).hint("`inklings skill deleted` lists the IDs"))
}

fn deleted_content(skill: &DeletedContent) -> String {
    let row = |entry: &FileEntry| vec![entry.path.to_string(), entry.size.to_string()];
    let files = table(&skill.entries.iter().map(row).collect::<Vec<_>>());
    format!("{}  {}\n{}\n\n{files}", skill.slug, skill.name, skill.description)
}

fn deleted(list: &DeletedList) -> String {
    if list.skills.is_empty() {
        return "no deleted skills are kept".to_owned();
    }
    let row = |one: &inklings_app::features::skill::DeletedEntry| {
        vec![one.slug.to_string(), one.scope.to_string(), one.deleted_at.to_string(), one.actor.clone(), one.id.to_string()]
    };
    table(&list.skills.iter().map(row).collect::<Vec<_>>())
}
