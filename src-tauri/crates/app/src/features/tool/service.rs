use std::sync::Arc;

use inklings_core::chat::{FileChange, PreviewedSkill, ToolChange, ToolPreview};
use inklings_core::edit::{TreeEdit, edits_between};
use inklings_core::{
    ArtifactKind, Diagnostic, Lifecycle, Origin, Package, Scope, Skill, SkillCatalog, SkillFormat as _, SkillPath, Slug, Source,
    StorageError, Tree, TreeFile,
};
use inklings_runtime::exec::script_source;
use inklings_runtime::{RunReport, SkillError};
use serde_json::Value;

use super::api::{
    CreateSkillCall, EditNotesCall, ExecuteScriptCall, ExecuteScriptResult, ListSkillsCall, ListedFile, ListedSkill, ProposeSkillCall,
    ProposedSkill, ProposedText, ReadSkillResult, UpdateSkillCall, ViewArtifactCall, ViewArtifactResult, ViewedFile, WrittenSkill,
};
use super::error::ToolError;
use super::text_edit::{EditOperation, TextEdit};
use crate::editing::{SkillEditor, ensure_unlocked};
use crate::features::proposal::composer::{Draft, DraftFile, Verdict};
use crate::features::proposal::{CONSENTED_TRUST, CheckedFiles, Composition};
use crate::features::skill::{SkillValues, new_package};

/// Longest text that may be appended to the standing notes.
pub(crate) const APPEND_CHARS: usize = 400;
/// Of a file, in one call.
const MAX_VIEW_CHARS: usize = 16_000;
/// Of each stream of a script's output, for the model.
const MAX_OUTPUT_BYTES: usize = 16_000;
/// A change of a skill that wasn't made yet.
pub(crate) struct PlannedUpdate {
    skill: Skill,
    edits: Vec<TreeEdit>,
    after: Tree,
}

pub(crate) struct PlannedSkill {
    package: Package,
    scope: Scope,
}

pub(crate) fn plan_create(editor: &SkillEditor<'_>, call: &CreateSkillCall) -> Result<PlannedSkill, ToolError> {
    let slug = Slug::parse(&call.name).map_err(|error| ToolError::Name { name: call.name.clone(), why: error.to_string() })?;
    let scope = editor.caller.target_scope(call.scope)?;
    if editor.catalog.repository(scope).is_some_and(|repository| repository.get_skill_by_name(slug.as_str()).ok().flatten().is_some()) {
        return Err(ToolError::Exists(slug));
    }
    let values = SkillValues {
        name: Some(call.title.clone()),
        description: Some(call.description.clone()),
        tags: (!call.tags.is_empty()).then(|| call.tags.clone()),
        ..SkillValues::default()
    };
    let values = values.normalized()?;
    let content = format!("\n{}\n", call.content.trim_matches('\n'));
    let package = new_package(editor, slug, values, &content)?;
    Ok(PlannedSkill { package, scope })
}

pub(crate) fn create(editor: &SkillEditor<'_>, planned: PlannedSkill) -> Result<WrittenSkill, ToolError> {
    let PlannedSkill { package, scope } = planned;
    let mut head = editor.new_head(scope, Source::User);
    head.origin = Origin::Llm;
    head.lifecycle = Lifecycle::Verified;
    head.trust_tier = CONSENTED_TRUST;
    let skill = editor.store_new(head, package, "created in a chat")?;
    Ok(changed(editor, &skill, None))
}

impl PlannedSkill {
    pub(crate) fn preview(&self) -> ToolPreview {
        let files = self.package.tree().into_iter().map(|(path, file)| FileChange::between(path.as_str(), None, Some(&file))).collect();
        let scope = scope_name(self.scope);
        ToolPreview { summary: format!("Create the skill {} in {scope}", self.package.slug), skill: None, files, gates: Vec::new() }
    }
}

pub(crate) fn plan_update(editor: &SkillEditor<'_>, call: &UpdateSkillCall) -> Result<PlannedUpdate, ToolError> {
    let skill = editor.catalog.require(&call.name, call.scope)?;
    ensure_unlocked(&skill)?;
    let values =
        SkillValues { name: call.title.clone(), description: call.description.clone(), tags: call.tags.clone(), ..SkillValues::default() };
    let before = skill.package.tree();
    let mut after = before.clone();
    if values != SkillValues::default() {
        let mut package = skill.package.clone();
        values.normalized()?.apply_to(&mut package);
        editor.folder.sync_sources_strictly(&mut package)?;
        after = package.tree();
    } else if call.operation.is_none() {
        return Err(ToolError::NothingToChange);
    }
    if let Some(operation) = call.operation {
        let main = &skill.package.main_path;
        let (front, body) = main_text(editor, &skill, &after)?;
        let edit = TextEdit {
            content: call.content.as_deref(),
            find: call.find.as_deref(),
            replace: call.replace.as_deref(),
            replace_all: call.replace_all,
        };
        let mut edited = edit.apply(operation, &body)?;
        if operation == EditOperation::Replace {
            edited = format!("\n{}\n", edited.trim_matches('\n'));
        }
        after.insert(main.clone(), TreeFile::new(format!("{front}{edited}").into_bytes()));
    }
    Ok(PlannedUpdate { edits: edits_between(&before, &after), skill, after })
}

/// `SKILL.md` as its frontmatter, including the line end, and its body.
fn main_text(editor: &SkillEditor<'_>, skill: &Skill, tree: &Tree) -> Result<(String, String), StorageError> {
    let package = editor.folder.read(tree, skill.package.slug.as_str(), Some(&skill.package)).map_err(StorageError::Invalid)?.package;
    let text = tree.get(&package.main_path).and_then(TreeFile::text).unwrap_or_default();
    let front = package.sources.frontmatter.as_deref().unwrap_or_default();
    Ok((front.to_owned(), text.strip_prefix(front).unwrap_or(text).to_owned()))
}

pub(crate) fn update(editor: &SkillEditor<'_>, planned: PlannedUpdate) -> Result<WrittenSkill, ToolError> {
    let PlannedUpdate { skill, edits, .. } = planned;
    let saved = editor.save(&skill, &edits, skill.head.revision, "changed in a chat")?;
    Ok(changed(editor, &saved.skill, Some(saved.applied_to)))
}

impl PlannedUpdate {
    pub(crate) fn preview(&self) -> ToolPreview {
        let before = self.skill.package.tree();
        let mut paths: Vec<_> = before.keys().chain(self.after.keys()).filter(|path| before.get(path) != self.after.get(path)).collect();
        paths.sort();
        paths.dedup();
        let files = paths.into_iter().map(|path| FileChange::between(path.as_str(), before.get(path), self.after.get(path))).collect();
        ToolPreview {
            summary: format!("Change the skill {} in {}", self.skill.package.slug, scope_name(self.skill.head.scope)),
            skill: Some(previewed(&self.skill)),
            files,
            gates: Vec::new(),
        }
    }
}

pub(crate) const fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Account => "the account",
        Scope::Workspace => "the workspace",
    }
}

fn previewed(skill: &Skill) -> PreviewedSkill {
    let head = &skill.head;
    PreviewedSkill { id: head.id, scope: head.scope, slug: skill.package.slug.clone(), revision: head.revision }
}

/// The preview of a tool that changes no file.
pub(crate) fn skill_preview(skill: &Skill, verb: &str) -> ToolPreview {
    let summary = format!("{verb} the skill {} in {}", skill.package.slug, scope_name(skill.head.scope));
    ToolPreview { summary, skill: Some(previewed(skill)), ..ToolPreview::default() }
}

pub(crate) fn tool_change(skill: &Skill, from: Option<i64>, to: Option<i64>) -> ToolChange {
    ToolChange { skill: skill.head.id, scope: skill.head.scope, slug: skill.package.slug.clone(), from, to }
}

fn changed(editor: &SkillEditor<'_>, skill: &Skill, from: Option<i64>) -> WrittenSkill {
    let problems = editor.written_detail(skill).diagnostics.into_iter().filter(Diagnostic::is_error).map(|one| one.message);
    WrittenSkill {
        name: skill.package.slug.to_string(),
        version: skill.head.revision,
        change: tool_change(skill, from, Some(skill.head.revision)),
        problems: problems.collect(),
    }
}

pub(crate) fn list(catalog: &SkillCatalog, call: &ListSkillsCall) -> Result<Vec<ListedSkill>, ToolError> {
    let all = catalog.list_all()?.into_iter();
    let wanted = all.filter(|skill| {
        (skill.enabled || call.include_disabled)
            && call.tag.as_ref().is_none_or(|tag| skill.tags.iter().any(|one| one.eq_ignore_ascii_case(tag)))
    });
    let listed = wanted.map(|skill| ListedSkill {
        name: skill.slug.to_string(),
        title: skill.name,
        description: skill.description,
        tags: skill.tags,
        source: skill.source,
        version: skill.revision,
        enabled: skill.enabled,
    });
    Ok(listed.collect())
}

/// Why a skill shouldn't be used, though it can be read.
pub(crate) fn warning(skill: &Skill) -> Option<String> {
    let head = &skill.head;
    let deprecated =
        || head.deprecated_reason.as_ref().map_or_else(|| "it is deprecated".to_owned(), |why| format!("it is deprecated: {why}"));
    match head.lifecycle {
        Lifecycle::Archived => Some("it is archived".to_owned()),
        Lifecycle::Deprecated => Some(deprecated()),
        _ if !head.enabled => Some("it is disabled".to_owned()),
        _ => None,
    }
}

/// Refuses to run a skill that agents must not use.
pub(crate) fn ensure_runnable(skill: &Skill) -> Result<(), ToolError> {
    match skill.head.lifecycle {
        Lifecycle::Archived => Err(ToolError::Archived(skill.package.slug.clone())),
        _ if !skill.head.enabled => Err(ToolError::Disabled(skill.package.slug.clone())),
        _ => Ok(()),
    }
}

/// The path and text of a script that a model asks to run.
pub(crate) fn script(skill: &Skill, path: &str) -> Result<(SkillPath, Arc<str>), ToolError> {
    script_source(&skill.package, path).map_err(|error| match error {
        SkillError::NoFile(path) => ToolError::NoFile { path, files: skill.package.tree().keys().map(ToString::to_string).collect() },
        other => ToolError::Run(other),
    })
}

/// What a script is about to do: its path, text and input.
pub(crate) fn script_preview(skill: &Skill, call: &ExecuteScriptCall) -> Result<ToolPreview, ToolError> {
    let (path, source) = script(skill, &call.path)?;
    let shown = |path: &str, text: String| FileChange { path: path.to_owned(), before: None, after: Some(text) };
    let mut files = Vec::new();
    if !call.args.is_empty() {
        // As JSON, so that no argument looks like two.
        let args: Vec<String> = call.args.iter().map(|one| Value::from(one.as_str()).to_string()).collect();
        files.push(shown("Arguments", args.join("\n")));
    }
    if !call.stdin.is_empty() {
        files.push(shown("Standard input", call.stdin.clone()));
    }
    files.push(shown(path.as_str(), source.to_string()));
    let summary = format!("Run {path} of the skill {} in {}", skill.package.slug, scope_name(skill.head.scope));
    Ok(ToolPreview { summary, skill: Some(previewed(skill)), files, gates: Vec::new() })
}

pub(crate) fn executed(report: RunReport, skill: &Skill) -> ExecuteScriptResult {
    let script = report.script.unwrap_or_default();
    let ((stdout, out_cut), (stderr, err_cut)) = (shortened(script.stdout), shortened(script.stderr));
    ExecuteScriptResult {
        exit_code: script.exit_code,
        stdout,
        stderr,
        truncated: script.truncated || out_cut || err_cut,
        trace_id: report.traces.first().map(|trace| trace.id),
        run: report.run,
        error: report.error.map(|error| error.to_string()),
        warning: warning(skill),
    }
}

/// The beginning and the end of a long output, and whether something is missing.
fn shortened(text: String) -> (String, bool) {
    if text.len() <= MAX_OUTPUT_BYTES {
        return (text, false);
    }
    let (begin, end) = (text.floor_char_boundary(MAX_OUTPUT_BYTES / 2), text.ceil_char_boundary(text.len() - MAX_OUTPUT_BYTES / 2));
    (format!("{}\n[{} bytes left out]\n{}", &text[..begin], end - begin, &text[end..]), true)
}

pub(crate) fn read(editor: &SkillEditor<'_>, skill: &Skill) -> Result<ReadSkillResult, ToolError> {
    let tree = skill.package.tree();
    let (_, body) = main_text(editor, skill, &tree)?;
    let package = &skill.package;
    Ok(ReadSkillResult {
        name: package.slug.to_string(),
        title: package.name.clone(),
        description: package.description.clone(),
        content: body.trim_start_matches('\n').to_owned(),
        tags: package.tags.clone(),
        source: skill.head.source,
        version: skill.head.revision,
        files: tree.keys().filter(|path| **path != package.main_path).map(ToString::to_string).collect(),
        warning: warning(skill),
    })
}

pub(crate) fn draft(call: ProposeSkillCall) -> Draft {
    let file = |file: ProposedText| DraftFile {
        path: file.path.trim_start_matches("./").to_owned(),
        content: file.content,
        fallback: file.fallback,
    };
    let files = call.files.into_iter().map(file);
    Draft { name: call.name, summary: call.summary, files: files.collect(), revises: call.proposal, scope: call.scope }
}

pub(crate) fn proposed(composition: &Composition, checked: &CheckedFiles, verdict: Verdict) -> ProposedSkill {
    let next = match verdict {
        Verdict::Valid => "The user sees the proposal and decides about it. Say in a sentence or two what it contains.",
        Verdict::Repair => "Correct the problems: call propose_skill again with this proposal and the corrected files.",
        Verdict::GivenUp => "Don't correct it again. The user sees the proposal with its problems: say what is left to do.",
    };
    let problem = |one: &Diagnostic| {
        let at = one.file.as_ref().map(|file| one.line.map_or_else(|| format!("{file}: "), |line| format!("{file}:{line}: ")));
        let hint = one.hint.as_ref().map(|hint| format!(" ({hint})"));
        format!("{}{}{}", at.unwrap_or_default(), one.message, hint.unwrap_or_default())
    };
    // Problems that are beyond its corrections would only invite another one.
    let problems = if verdict == Verdict::Repair { checked.problems().map(problem).collect() } else { Vec::new() };
    ProposedSkill {
        proposal: composition.id(),
        files: composition.paths(),
        problems,
        repair: verdict == Verdict::Repair,
        next: next.to_owned(),
    }
}

pub(crate) fn view(skill: &Skill, call: &ViewArtifactCall) -> Result<ViewArtifactResult, ToolError> {
    let kind = |path: &str| skill.package.artifacts.iter().find(|one| one.path.as_str() == path).map(|one| one.kind);
    view_tree(&skill.package.tree(), kind, call)
}

pub(crate) fn view_tree(
    tree: &Tree,
    kind: impl Fn(&str) -> Option<ArtifactKind>,
    call: &ViewArtifactCall,
) -> Result<ViewArtifactResult, ToolError> {
    let bytes = |file: &TreeFile| u64::try_from(file.bytes.len()).unwrap_or(u64::MAX);
    let Some(wanted) = &call.path else {
        let files = tree.iter().map(|(path, file)| ListedFile { path: path.to_string(), kind: kind(path.as_str()), bytes: bytes(file) });
        return Ok(ViewArtifactResult::Tree { tree: files.collect() });
    };
    let found = tree.iter().find(|(path, _)| path.as_str() == wanted.trim_start_matches("./"));
    let Some((path, file)) = found else {
        return Err(ToolError::NoFile { path: wanted.clone(), files: tree.keys().map(ToString::to_string).collect() });
    };
    let limit = call.limit.unwrap_or(MAX_VIEW_CHARS).min(MAX_VIEW_CHARS);
    let shown = file.text().map(|text| text.chars().skip(call.offset).take(limit).collect::<String>());
    let truncated = file.text().is_some_and(|text| text.chars().nth(call.offset + limit).is_some());
    Ok(ViewArtifactResult::File(ViewedFile {
        path: path.to_string(),
        kind: kind(path.as_str()),
        content: shown,
        truncated,
        total_bytes: bytes(file),
    }))
}

/// The notes after an edit.
pub(crate) fn edited_notes(before: &str, call: &EditNotesCall) -> Result<String, ToolError> {
    let adds = matches!(call.operation, EditOperation::Append | EditOperation::Prepend);
    let added = call.content.as_deref().unwrap_or_default().chars().count();
    if adds && added > APPEND_CHARS {
        return Err(ToolError::LongAppend(added));
    }
    let edit = TextEdit {
        content: call.content.as_deref(),
        find: call.find.as_deref(),
        replace: call.replace.as_deref(),
        replace_all: call.replace_all,
    };
    Ok(edit.apply(call.operation, before)?)
}

pub(crate) fn notes_preview(scope: Scope, before: &str, after: String) -> ToolPreview {
    let before = Some(before.to_owned()).filter(|text| !text.is_empty());
    let files = vec![FileChange { path: "Notes".to_owned(), before, after: Some(after) }];
    ToolPreview { summary: format!("Change the standing notes of {}", scope_name(scope)), skill: None, files, gates: Vec::new() }
}
