use std::path::Path;

use inklings_clients::{CLIENTS, Change, Client, ClientEnvironment, ConfigFile, EntryState, FileError, ServerEntry, merged, state};
use inklings_core::access::RemoteRole;

use super::api::{ClientChange, ClientEntry, ClientFile, ClientList, ClientPreview, ClientReport, ClientScope, ClientState};
use super::diff::diff;
use super::error::ClientError;

pub(super) struct ClientService<'a> {
    pub(super) environment: Option<&'a ClientEnvironment>,
    pub(super) workspace: Option<&'a Path>,
}

/// What a caller asked for.
pub(super) struct Request<'a> {
    pub(super) client: &'a str,
    pub(super) scope: ClientScope,
    pub(super) role: Option<&'a str>,
    pub(super) replace: bool,
}

/// A change that isn't done yet.
struct Plan {
    file: ConfigFile,
    before: Option<String>,
    /// None if it is so already.
    change: Option<Change>,
}

impl ClientService<'_> {
    pub(super) fn list(&self) -> ClientList {
        let scopes: &[_] = if self.workspace.is_some() { &[ClientScope::User, ClientScope::Project] } else { &[ClientScope::User] };
        let entry = |client: &'static Client| ClientEntry {
            id: client.id.to_owned(),
            name: client.name.to_owned(),
            installed: self.environment.is_some_and(|environment| environment.is_installed(client)),
            files: scopes.iter().filter_map(|scope| Some(self.status(&self.file(client, *scope).ok()?, *scope))).collect(),
        };
        ClientList {
            clients: CLIENTS.iter().map(entry).collect(),
            program: self.program().ok().map(|program| program.display().to_string()),
        }
    }

    pub(super) fn preview(&self, change: ClientChange, request: &Request<'_>) -> Result<ClientPreview, ClientError> {
        let Plan { file, before, change } = self.plan(change, request)?;
        let old = before.as_deref().unwrap_or_default();
        let is_backed_up = matches!(change, Some(Change::Write(_))) && before.is_some() && file.original().is_none();
        Ok(ClientPreview {
            path: file.path().display().to_string(),
            diff: match &change {
                None => String::new(),
                Some(Change::Write(new) | Change::Restore(new)) => diff(old, new),
                Some(Change::Delete) => diff(old, ""),
            },
            creates: before.is_none() && change.is_some(),
            deletes: change == Some(Change::Delete),
            backup: is_backed_up.then(|| file.backup_path().display().to_string()),
        })
    }

    pub(super) fn change(&self, change: ClientChange, request: &Request<'_>) -> Result<ClientReport, ClientError> {
        let Plan { file, before, change } = self.plan(change, request)?;
        if let Some(change) = &change {
            file.change(before.as_deref(), change)?;
            tracing::info!(client = file.client().id, "changed the configuration of an AI client");
        }
        Ok(ClientReport { changed: change.is_some(), file: self.status(&file, request.scope) })
    }

    fn plan(&self, change: ClientChange, request: &Request<'_>) -> Result<Plan, ClientError> {
        let client = Client::find(request.client).ok_or_else(|| ClientError::NoSuchClient(request.client.to_owned()))?;
        let file = self.file(client, request.scope)?;
        let before = file.read()?;
        let text = before.as_deref().unwrap_or_default();
        let present = state(client, text).map_err(|error| file.config_error(error))?;
        if present == EntryState::Foreign && !request.replace {
            return Err(ClientError::Foreign(file.path().to_path_buf()));
        }
        let change = match change {
            ClientChange::Install => {
                let entry = self.entry(request.scope, &present, request.role)?;
                let new = merged(client, text, &entry).map_err(|error| file.config_error(error))?;
                (before.as_deref() != Some(new.as_str())).then_some(Change::Write(new))
            }
            ClientChange::Uninstall => file.removal(text)?,
        };
        Ok(Plan { file, before, change })
    }

    fn status(&self, file: &ConfigFile, scope: ClientScope) -> ClientFile {
        let path = file.path().display().to_string();
        let found = file.read().and_then(|text| {
            let text = text.unwrap_or_default();
            state(file.client(), &text).map_err(|error| file.config_error(error))
        });
        let (state, role, reason) = match found {
            Ok(EntryState::None) => (ClientState::None, None, None),
            Ok(EntryState::Foreign) => (ClientState::Foreign, None, None),
            Ok(EntryState::Ours(entry)) => {
                let role = entry.role().map(str::to_owned);
                let present = EntryState::Ours(entry);
                let is_current = self.entry(scope, &present, None).is_ok_and(|current| EntryState::Ours(current) == present);
                (if is_current { ClientState::Current } else { ClientState::Outdated }, role, None)
            }
            Err(error) => (ClientState::Broken, None, Some(reason(&error, &path))),
        };
        ClientFile { scope, path, state, role, reason }
    }

    /// The entry to install. One of ours keeps its role, unless another one is given, and its other arguments.
    fn entry(&self, scope: ClientScope, present: &EntryState, role: Option<&str>) -> Result<ServerEntry, ClientError> {
        let ours = if let EntryState::Ours(entry) = present { Some(entry) } else { None };
        let role = role.or_else(|| ours.and_then(ServerEntry::role));
        if let Some(role) = role.filter(|role| role.parse::<RemoteRole>().is_err()) {
            return Err(ClientError::Role(role.to_owned()));
        }
        let workspace = self.workspace.filter(|_| scope == ClientScope::Project);
        let program = self.program()?;
        Ok(ours.map_or_else(|| ServerEntry::new(program, workspace, role), |entry| entry.updated(program, workspace, role)))
    }

    fn program(&self) -> Result<&Path, ClientError> {
        self.environment.and_then(|environment| environment.program.as_deref()).ok_or(ClientError::NoProgram)
    }

    fn file(&self, client: &'static Client, scope: ClientScope) -> Result<ConfigFile, ClientError> {
        match scope {
            ClientScope::User => Ok(self.environment.ok_or(ClientError::NoHome)?.user_file(client)),
            ClientScope::Project => Ok(ConfigFile::of_project(client, self.workspace.ok_or(ClientError::NoWorkspace)?)),
        }
    }
}

/// Why a file is broken, without its path, which is shown beside it.
fn reason(error: &FileError, path: &str) -> String {
    let message = error.to_string();
    let short = message.strip_prefix(path).map(|rest| rest.trim_start_matches(':').trim_start());
    short.unwrap_or(&message).to_owned()
}
