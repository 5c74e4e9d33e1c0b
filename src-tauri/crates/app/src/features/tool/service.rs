use std::sync::Arc;

use inklings_core::chat::{FileChange, PreviewedSkill, ToolChange, ToolPreview};
use inklings_core::edit::{SaveError, Saved, TreeEdit, edits_between};
use inklings_core::{
    ArtifactKind, Diagnostic, Lifecycle, Origin, Package, Scope, Skill, SkillCatalog, SkillFormat as _, SkillPath, SkillSummary, Slug,
    Source, StorageError, Tree, TreeFile,
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
use crate::editing::{SkillEditor, body_of, ensure_unlocked};
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
    pub(crate) package: Package,
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
    let package = new_package(editor, slug, values, &whole_body(&call.content))?;
    Ok(PlannedSkill { package, scope })
}

pub(crate) fn create(editor: &SkillEditor<'_>, planned: PlannedSkill) -> Result<Skill, ToolError> {
    let PlannedSkill { package, scope } = planned;
    let mut head = editor.new_head(scope, Source::User);
    // In a chat the user was asked, and administrators decide themselves.
    if !editor.caller.is_supervised {
        (head.origin, head.lifecycle, head.trust_tier) = (Origin::Llm, Lifecycle::Verified, CONSENTED_TRUST);
    }
    Ok(editor.store_new(head, package, "created in a chat")?)
}

impl PlannedSkill {
    pub(crate) fn preview(&self) -> ToolPreview {
        let files = self.package.tree().into_iter().map(|(path, file)| FileChange::between(path.as_str(), None, Some(&file))).collect();
        let scope = scope_name(self.scope);
        ToolPreview { summary: format!("Create the skill {} in {scope}", self.package.slug), skill: None, files, gates: Vec::new() }
    }
}

pub(crate) fn plan_update(editor: &SkillEditor<'_>, skill: Skill, call: &UpdateSkillCall) -> Result<PlannedUpdate, ToolError> {
    ensure_unlocked(&skill)?;
    let values =
        SkillValues { name: call.title.clone(), description: call.description.clone(), tags: call.tags.clone(), ..SkillValues::default() };
    if values == SkillValues::default() && call.operation.is_none() {
        return Err(ToolError::NothingToChange);
    }
    let change = |package: &mut Package| {
        if values != SkillValues::default() {
            values.normalized()?.apply_to(package);
        }
        Ok(())
    };
    plan_change(editor, skill, change, |body| {
        let Some(operation) = call.operation else { return Ok(None) };
        let edit = TextEdit {
            content: call.content.as_deref(),
            find: call.find.as_deref(),
            replace: call.replace.as_deref(),
            replace_all: call.replace_all,
        };
        let edited = edit.apply(operation, body)?;
        Ok(Some(if operation == EditOperation::Replace { whole_body(&edited) } else { edited }))
    })
}

/// Changes the values of a skill, then its instructions, unless `edit` returns None.
pub(crate) fn plan_change<E: From<StorageError>>(
    editor: &SkillEditor<'_>,
    skill: Skill,
    change: impl FnOnce(&mut Package) -> Result<(), E>,
    edit: impl FnOnce(&str) -> Result<Option<String>, E>,
) -> Result<PlannedUpdate, E> {
    let before = skill.package.tree();
    let mut package = skill.package.clone();
    change(&mut package)?;
    editor.folder.sync_sources_strictly(&mut package)?;
    let mut after = package.tree();
    let (front, body) = body_of(editor.folder, &skill.package, &after)?;
    if let Some(edited) = edit(&body)? {
        after.insert(skill.package.main_path.clone(), TreeFile::new(format!("{front}{edited}").into_bytes()));
    }
    Ok(PlannedUpdate { edits: edits_between(&before, &after), skill, after })
}

/// Instructions as the body of `SKILL.md`.
pub(crate) fn whole_body(content: &str) -> String {
    format!("\n{}\n", content.trim_matches('\n'))
}

/// Returns the skill, and the revision that the change was applied to.
pub(crate) fn update(editor: &SkillEditor<'_>, planned: PlannedUpdate) -> Result<(Skill, i64), ToolError> {
    let saved = planned.save(editor, "changed in a chat")?;
    Ok((saved.skill, saved.applied_to))
}

impl PlannedUpdate {
    pub(crate) fn save(self, editor: &SkillEditor<'_>, why: &str) -> Result<Saved, SaveError> {
        editor.save(&self.skill, &self.edits, self.skill.head.revision, why)
    }

    pub(crate) fn preview(&self) -> ToolPreview {
        let files = FileChange::between_trees(&self.skill.package.tree(), &self.after);
        ToolPreview { files, ..skill_preview(&self.skill, "Change") }
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

/// `from`: the revision before; None for a new skill.
pub(crate) fn written(editor: &SkillEditor<'_>, skill: &Skill, from: Option<i64>) -> WrittenSkill {
    WrittenSkill {
        name: skill.package.slug.to_string(),
        version: skill.head.revision,
        change: tool_change(skill, from, Some(skill.head.revision)),
        problems: problems_of(editor, skill),
    }
}

/// Errors in a skill that was just written.
pub(crate) fn problems_of(editor: &SkillEditor<'_>, skill: &Skill) -> Vec<String> {
    editor.written_detail(skill).diagnostics.into_iter().filter(Diagnostic::is_error).map(|one| one.message).collect()
}

pub(crate) fn list(skills: Vec<SkillSummary>, call: &ListSkillsCall) -> Vec<ListedSkill> {
    let wanted = skills.into_iter().filter(|skill| {
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
        warning: state_warning(skill.lifecycle, skill.enabled, None),
    });
    listed.collect()
}

/// The visible skills, or those of one scope.
pub(crate) fn summaries(catalog: &SkillCatalog, scope: Option<Scope>) -> Result<Vec<SkillSummary>, StorageError> {
    match scope {
        Some(scope) => catalog.repository(scope).map_or_else(|| Ok(Vec::new()), |repository| repository.list_skills()),
        None => catalog.list_all(),
    }
}

/// Why a skill shouldn't be used, though it can be read.
pub(crate) fn warning(skill: &Skill) -> Option<String> {
    state_warning(skill.head.lifecycle, skill.head.enabled, skill.head.deprecated_reason.as_deref())
}

/// The same by its state. `reason` is why it was deprecated or archived.
pub(crate) fn state_warning(lifecycle: Lifecycle, enabled: bool, reason: Option<&str>) -> Option<String> {
    let with_reason = |state: &str| reason.map_or_else(|| format!("it is {state}"), |why| format!("it is {state}: {why}"));
    match lifecycle {
        Lifecycle::Archived | Lifecycle::Deprecated => Some(with_reason(lifecycle.as_str())),
        _ if !enabled => Some("it is disabled".to_owned()),
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
    let package = &skill.package;
    Ok(ReadSkillResult {
        name: package.slug.to_string(),
        title: package.name.clone(),
        description: package.description.clone(),
        content: text_body(editor, skill)?,
        tags: package.tags.clone(),
        source: skill.head.source,
        version: skill.head.revision,
        files: package.tree().keys().filter(|path| **path != package.main_path).map(ToString::to_string).collect(),
        warning: warning(skill),
    })
}

/// The instructions of a skill.
pub(crate) fn text_body(editor: &SkillEditor<'_>, skill: &Skill) -> Result<String, StorageError> {
    let (_, body) = body_of(editor.folder, &skill.package, &skill.package.tree())?;
    Ok(body.trim_start_matches('\n').to_owned())
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
    let mut viewed = view_tree(&skill.package.tree(), kind, call)?;
    match &mut viewed {
        ViewArtifactResult::Tree { warning: shown, .. } | ViewArtifactResult::File(ViewedFile { warning: shown, .. }) => {
            *shown = warning(skill);
        }
    }
    Ok(viewed)
}

pub(crate) fn view_tree(
    tree: &Tree,
    kind: impl Fn(&str) -> Option<ArtifactKind>,
    call: &ViewArtifactCall,
) -> Result<ViewArtifactResult, ToolError> {
    let bytes = |file: &TreeFile| u64::try_from(file.bytes.len()).unwrap_or(u64::MAX);
    let Some(wanted) = &call.path else {
        let files = tree.iter().map(|(path, file)| ListedFile { path: path.to_string(), kind: kind(path.as_str()), bytes: bytes(file) });
        return Ok(ViewArtifactResult::Tree { tree: files.collect(), warning: None });
    };
    let found = tree.iter().find(|(path, _)| path.as_str() == wanted.trim_start_matches("./"));
    let Some((path, file)) = found else {
        return Err(ToolError::NoFile { path: wanted.clone(), files: tree.keys().map(ToString::to_string).collect() });
    };
    let limit = call.limit.unwrap_or(MAX_VIEW_CHARS).min(MAX_VIEW_CHARS);
    let shown = file.text().map(|text| text.chars().skip(call.offset).take(limit).collect::<String>());
    let truncated = file.text().is_some_and(|text| text.chars().nth(call.offset.saturating_add(limit)).is_some());
    Ok(ViewArtifactResult::File(ViewedFile {
        path: path.to_string(),
        kind: kind(path.as_str()),
        content: shown,
        truncated,
        total_bytes: bytes(file),
        warning: None,
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
