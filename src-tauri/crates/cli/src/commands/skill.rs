//! `inklings skill`

use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use inklings_app::features::file::{Bytes, BytesParams, DeleteFiles, DeleteFilesParams, Read};
use inklings_app::features::library::{BulkAction, Card, LibraryCard, SkillQuality};
use inklings_app::features::prompt::{IndexFormat, IndexParams, IndexSkills};
use inklings_app::features::skill::{
    Change, Create, CreateParams, DeletedContent, DeletedFileParams, DeletedList, Duplicate, Edit, EditParams, FindLocations, Fork, Get,
    ListDeleted, MoveSkill, MoveSkillParams, ReadDeleted, ReadDeletedFile, Restore, RestoreParams, SkillCopy, SkillLocations, TokenParams,
    Tokens,
};
use inklings_app::wire::{FileEntry, FileRef, SkillDetail, SkillRef};
use inklings_core::limits::SKILL_BYTES;
use inklings_core::{Scope, SkillId, SkillPath, SkillSummary, Slug};
use inklings_rpc::{Code, Failure, NoParams};
use serde::Serialize;

use crate::args::{ScopeArg, SkillArg, SkillCommand, SkillEditArgs};
use crate::commands::common::{label, parse_path, saved, skill_ref};
use crate::commands::session::Session;
use crate::error::CliError;
use crate::hints;
use crate::input::read_text;
use crate::out::{Out, table};

pub(crate) async fn run(session: &Session, command: SkillCommand, out: &Out) -> Result<(), CliError> {
    match command {
        SkillCommand::List(args) => super::library::list(session, args, out).await?,
        SkillCommand::Show { skill, path: None, .. } => {
            let skill = session.call::<Get>(skill_ref(skill)).await?;
            let here = SkillRef { skill: skill.summary.id.to_string(), scope: Some(skill.summary.scope) };
            let locations = session.call::<FindLocations>(here.clone()).await?;
            let card = session.call::<Card>(here).await?;
            out.result(&SkillOverview { skill, locations, card }, detail)?;
        }
        SkillCommand::Show { skill, path: Some(path), revision: None } => show_file(session, skill, &path, out).await?,
        SkillCommand::Show { skill, path: Some(path), revision: Some(revision) } => {
            super::history::show(session, skill, &path, revision, out).await?;
        }
        SkillCommand::Create { name, description, scope } => {
            let params = CreateParams { name, description, content: None, scope: scope.map(Into::into) };
            out.result(&session.call::<Create>(params).await?, |skill| format!("created {}", label(&skill.summary)))?;
        }
        SkillCommand::Update(args) => super::update::run(session, args, out).await?,
        SkillCommand::Exec(args) => super::exec::run(session, args, out).await?,
        SkillCommand::Edit(args) => edit(session, args, out).await?,
        SkillCommand::Uses { skill, name, artifact } => {
            super::symbol::uses(session, skill, super::symbol::symbol(name, artifact), out).await?;
        }
        SkillCommand::Rename { skill, from, to, artifact, dry_run } => {
            super::symbol::rename(session, skill, super::symbol::symbol(from, artifact), to, dry_run, out).await?;
        }
        SkillCommand::Grep(args) => super::grep::run(session, args, out).await?,
        SkillCommand::Delete { skills } => super::library::delete(session, skills, out).await?,
        SkillCommand::Deleted { id: None, .. } => out.result(&session.call::<ListDeleted>(NoParams {}).await?, deleted)?,
        SkillCommand::Deleted { id: Some(id), path: None, scope } => {
            let params = deleted_ref(session, &id, scope).await?;
            out.result(&session.call::<ReadDeleted>(params).await?, deleted_content)?;
        }
        SkillCommand::Deleted { id: Some(id), path: Some(path), scope } => {
            let path = parse_path(&path)?;
            let RestoreParams { id, scope } = deleted_ref(session, &id, scope).await?;
            let params = DeletedFileParams { id, scope, path };
            let file = session.call::<ReadDeletedFile>(params).await?;
            out.content(&file, |file| file.text.clone().unwrap_or_else(|| "(binary file)".to_owned()))?;
        }
        SkillCommand::Restore { id, scope } => {
            let params = deleted_ref(session, &id, scope).await?;
            let slug = session.call::<ReadDeleted>(params.clone()).await?.slug;
            out.result(&session.call::<Restore>(params).await?, |skill| restored(&slug, &skill.summary))?;
        }
        SkillCommand::Move { skill, to, keep } => move_to(session, skill, to, keep, out).await?,
        SkillCommand::Duplicate { skill } => {
            out.result(&session.call::<Duplicate>(skill_ref(skill)).await?, |skill| format!("duplicated as {}", label(&skill.summary)))?;
        }
        SkillCommand::Fork { skill } => {
            out.result(&session.call::<Fork>(skill_ref(skill)).await?, |skill| format!("duplicated as {}", label(&skill.summary)))?;
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
        SkillCommand::Promote(skill) => super::lifecycle::promote(session, skill, out).await?,
        SkillCommand::Deprecate(args) => super::lifecycle::deprecate(session, args, out).await?,
        SkillCommand::Archive(args) => super::lifecycle::archive(session, args, out).await?,
        SkillCommand::Reinstate(skill) => super::lifecycle::reinstate(session, skill, out).await?,
        SkillCommand::Merge(args) => super::lifecycle::merge(session, args, out).await?,
        SkillCommand::Deps(args) => super::lifecycle::deps(session, args, out).await?,
        SkillCommand::Set(args) => super::library::set(session, args, out).await?,
        SkillCommand::Stats => super::library::stats(session, out).await?,
        SkillCommand::History { skill, path, limit } => super::history::list(session, skill, path, limit, out).await?,
        SkillCommand::Rollback { skill, to, path } => saved(&super::history::roll_back(session, skill, to, path).await?, out)?,
        SkillCommand::Revert { skill, revision, to } => saved(&super::history::revert(session, skill, revision, to).await?, out)?,
        SkillCommand::Index { detailed, budget, agent } => {
            let format = if detailed { IndexFormat::Detailed } else { IndexFormat::List };
            let index = session.call::<IndexSkills>(IndexParams { format, budget: Some(budget), agent }).await?;
            out.result(&index, |index| index.text.trim_end().to_owned())?;
        }
        SkillCommand::Readiness(skill) => super::readiness::skill(session, skill, out).await?,
        SkillCommand::Tokens { skill } => tokens(session, skill, out).await?,
        SkillCommand::Check(args) => super::check::run(session, args, out).await?,
        SkillCommand::Diff(args) => super::history::diff(session, args, out).await?,
    }
    Ok(())
}

async fn move_to(session: &Session, skill: SkillArg, to: ScopeArg, keep: bool, out: &Out) -> Result<(), CliError> {
    let params = MoveSkillParams { skill: skill.skill, scope: skill.scope.map(Into::into), to: to.into(), keep };
    let moved = session.call::<MoveSkill>(params).await?;
    let verb = if moved.removed { "moved" } else { "copied" };
    out.result(&moved, |moved| {
        let unlinked = moved.unlinked.as_ref().map(|folder| format!("\nno longer linked to {folder}; the files there stay"));
        format!("{verb} as {}{}", label(&moved.skill.summary), unlinked.unwrap_or_default())
    })?;
    moved.failure.map_or(Ok(()), |partial| Err(partial.into_failure("the original was not removed").into()))
}

async fn tokens(session: &Session, skill: SkillArg, out: &Out) -> Result<(), CliError> {
    let SkillRef { skill, scope } = skill_ref(skill);
    let cost = session.call::<Tokens>(TokenParams { skill, scope, edits: Vec::new() }).await?;
    out.result(&cost, |cost| {
        let row = |name: &str, count: usize| vec![name.to_owned(), count.to_string()];
        let mut rows = vec![row("every turn", cost.per_turn), row("when loaded", cost.on_load), row("on demand", cost.on_demand)];
        rows.extend(cost.files.iter().map(|(path, count)| row(path.as_str(), *count)));
        format!("{}\nestimated with {}", table(&rows), cost.encoding)
    })
}

/// The result of `skill show`.
#[derive(Serialize)]
struct SkillOverview {
    #[serde(flatten)]
    skill: SkillDetail,
    locations: SkillLocations,
    card: LibraryCard,
}

fn detail(SkillOverview { skill, locations, card }: &SkillOverview) -> String {
    let summary = &skill.summary;
    let mut text = format!(
        "{}  {}\n{}\n\n{}\nversion {}, revision {}, {}, {}, tier {}\n\n",
        summary.slug,
        summary.name,
        summary.description,
        locations.line,
        summary.version,
        summary.revision,
        summary.source.as_str(),
        summary.lifecycle.as_str(),
        summary.trust_tier,
    );
    if card.quality.uses > 0 {
        text.insert_str(text.len() - 1, &format!("{}\n", quality(&card.quality)));
    }
    if let Some(reason) = &card.deprecated_reason {
        text.insert_str(text.len() - 1, &format!("{}: {reason}\n", summary.lifecycle.as_str()));
    }
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
    if !locations.copies.is_empty() {
        let row = |copy: &SkillCopy| vec![copy.path.clone(), copy.agent.clone(), copy.relation.to_string()];
        text.push_str("\n\nCopies of other agents\n");
        text.push_str(&table(&locations.copies.iter().map(row).collect::<Vec<_>>()));
    }
    text
}

/// `used 5 times, 3 of 4 with a known outcome succeeded, 1 of 2 judged answers accepted`
fn quality(quality: &SkillQuality) -> String {
    let SkillQuality { uses, outcomes, successes, judged, accepted, .. } = *quality;
    let mut parts = vec![if uses == 1 { "used once".to_owned() } else { format!("used {uses} times") }];
    if outcomes > 0 {
        parts.push(format!("{successes} of {outcomes} with a known outcome succeeded"));
    }
    if judged > 0 {
        parts.push(format!("{accepted} of {judged} judged answers accepted"));
    }
    parts.join(", ")
}

async fn show_file(session: &Session, skill: SkillArg, path: &str, out: &Out) -> Result<(), CliError> {
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
    let bytes = STANDARD.decode(session.call::<Bytes>(params).await?.base64).context("can't decode the file")?;
    out.exact(&bytes).map(drop)
}

async fn edit(session: &Session, args: SkillEditArgs, out: &Out) -> Result<(), CliError> {
    let path = parse_path(&args.path)?;
    let present = session.call::<Get>(skill_ref(args.skill)).await?;
    if args.remove {
        let params = DeleteFilesParams {
            skill: present.summary.id.to_string(),
            scope: Some(present.summary.scope),
            paths: vec![path],
            expected: None,
        };
        return saved(&session.call::<DeleteFiles>(params).await?, out);
    }
    let (text, temporary) = if let Some(file) = args.from {
        (read_text(&file, SKILL_BYTES)?, None)
    } else {
        let (text, temporary) = in_editor(session, &present, &path).await?;
        (text, Some(temporary))
    };
    let params = EditParams {
        skill: present.summary.id.to_string(),
        scope: Some(present.summary.scope),
        expected: args.expected.unwrap_or(present.summary.revision),
        changes: vec![Change::Write { path, text }],
        why: args.message,
    };
    let result = session.call::<Edit>(params).await.map_err(|failure| match &temporary {
        Some(temporary) => temporary.add_hint(failure),
        None => failure,
    })?;
    if let Some(temporary) = temporary {
        temporary.remove();
    }
    saved(&result, out)
}

/// The temporary file of an editor. It is kept if saving fails, since it has the only copy of the text.
struct EditorFile {
    folder: PathBuf,
    file: PathBuf,
}

impl EditorFile {
    /// Creates the file in a private folder.
    fn new(name: &str, text: &str) -> std::io::Result<Self> {
        // The time makes the name unique, since process ids are reused.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        let folder = std::env::temp_dir().join(format!("inklings-edit-{}-{now}", std::process::id()));
        std::fs::DirBuilder::new().mode(0o700).create(&folder)?;
        let file = folder.join(name);
        std::fs::write(&file, text)?;
        Ok(Self { folder, file })
    }

    /// Adds the path of the file to the failure's hint.
    fn add_hint(&self, failure: Failure) -> Failure {
        let temporary = format!("your text is in {}; save it with --from", self.file.display());
        let hint = hints::hint(&failure).map_or_else(|| temporary.clone(), |hint| format!("{hint}; {temporary}"));
        failure.hint(hint)
    }

    fn remove(self) {
        let _ = std::fs::remove_dir_all(self.folder);
    }
}

/// Opens the file in the user's editor. Returns the text, and the temporary file, to be removed once the
/// text is stored.
async fn in_editor(session: &Session, skill: &SkillDetail, path: &SkillPath) -> Result<(String, EditorFile), CliError> {
    let editor = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok()).filter(|value| !value.trim().is_empty());
    let editor = editor.ok_or_else(|| Failure::invalid("no editor configured").hint("set $EDITOR, or use --from FILE"))?;
    let known = skill.entries.iter().any(|entry| entry.path == *path);
    let text = if known {
        let file = FileRef { skill: skill.summary.id.to_string(), scope: Some(skill.summary.scope), path: path.clone() };
        session.call::<Read>(file).await?.text.ok_or_else(|| Failure::invalid(format!("{path} is binary")))?
    } else {
        String::new()
    };
    let temporary = EditorFile::new(path.file_name(), &text).context("can't create a temporary file")?;
    let mut words = editor.split_whitespace();
    let status = std::process::Command::new(words.next().unwrap_or_default()).args(words).arg(&temporary.file).status();
    let edited = read_text(&temporary.file, SKILL_BYTES);
    match (status, edited) {
        (Ok(status), Ok(edited)) if status.success() => Ok((edited, temporary)),
        (Ok(status), Err(CliError::Operation(failure))) if status.success() => Err(temporary.add_hint(*failure).into()),
        (Ok(status), Err(error)) if status.success() => Err(error),
        (Ok(_), edited) => {
            let failure = Failure::new(Code::Io, format!("{editor} failed; nothing was saved"));
            if edited.is_ok_and(|edited| edited == text) {
                temporary.remove();
                return Err(failure.into());
            }
            Err(temporary.add_hint(failure).into())
        }
        (Err(error), _) => {
            temporary.remove();
            Err(Failure::new(Code::Io, format!("can't start {editor}: {error}")).hint("set $EDITOR to an installed program").into())
        }
    }
}

/// Without a scope, the one that has a deleted skill with the ID.
async fn deleted_ref(session: &Session, id: &str, scope: Option<ScopeArg>) -> Result<RestoreParams, Failure> {
    let invalid = |_| Failure::invalid(format!("invalid ID {id:?}")).hint("run `inklings skill deleted` to list IDs");
    let id: SkillId = id.parse().map_err(invalid)?;
    let scope = if let Some(scope) = scope {
        scope.into()
    } else {
        let list = session.call::<ListDeleted>(NoParams {}).await?;
        list.skills.iter().find(|one| one.id == id).map_or(Scope::Account, |one| one.scope)
    };
    Ok(RestoreParams { id, scope })
}

/// `slug` is the one that it had.
fn restored(slug: &Slug, skill: &SkillSummary) -> String {
    let label = label(skill);
    if skill.slug == *slug { format!("restored {label}") } else { format!("restored as {label}, since {slug} is in use") }
}

fn deleted_content(skill: &DeletedContent) -> String {
    let row = |entry: &FileEntry| vec![entry.path.to_string(), entry.size.to_string()];
    let files = table(&skill.entries.iter().map(row).collect::<Vec<_>>());
    format!("{}  {}\n{}\n\n{files}", skill.slug, skill.name, skill.description)
}

fn deleted(list: &DeletedList) -> String {
    if list.skills.is_empty() {
        return "no deleted skills".to_owned();
    }
    let row = |one: &inklings_app::features::skill::DeletedEntry| {
        vec![one.slug.to_string(), one.scope.to_string(), one.deleted_at.to_string(), one.actor.clone(), one.id.to_string()]
    };
    table(&list.skills.iter().map(row).collect::<Vec<_>>())
}
