use std::path::Path;

use inklings_core::agent::NOTES_BYTES;
use inklings_core::user::workspace_key;
use inklings_core::{Agents, Scope};

use super::api::UserNotes;
use super::error::NoteError;

/// What the notes of a scope are filed under.
pub(crate) fn key(workspace: Option<&Path>, scope: Scope) -> Result<String, NoteError> {
    match (scope, workspace) {
        (Scope::Account, _) => Ok(String::new()),
        (Scope::Workspace, Some(_)) => Ok(workspace_key(workspace)),
        (Scope::Workspace, None) => Err(NoteError::NoWorkspace),
    }
}

pub(crate) fn check(text: &str) -> Result<(), NoteError> {
    if text.len() > NOTES_BYTES { Err(NoteError::TooLong(text.len())) } else { Ok(()) }
}

pub(super) fn put(agents: &dyn Agents, workspace: &str, text: &str) -> Result<(), NoteError> {
    check(text)?;
    Ok(agents.put_notes(workspace, text)?)
}

/// Edits the notes in one transaction. Returns them after the edit.
pub(crate) fn edit<E: From<NoteError>>(
    agents: &dyn Agents,
    workspace: &str,
    mut edit: impl FnMut(&str) -> Result<String, E>,
) -> Result<String, E> {
    let mut edited = Ok(String::new());
    let change = &mut |before: &str| {
        edited = edit(before).and_then(|text| {
            check(&text)?;
            Ok(text)
        });
        edited.as_ref().ok().cloned()
    };
    agents.change_notes(workspace, change).map_err(NoteError::from)?;
    edited
}

pub(super) fn all(agents: &dyn Agents, workspace: Option<&Path>) -> Result<UserNotes, NoteError> {
    let of_workspace = workspace.map(|_| agents.notes(&workspace_key(workspace))).transpose()?;
    Ok(UserNotes { account: agents.notes("")?, workspace: of_workspace, limit: NOTES_BYTES })
}
