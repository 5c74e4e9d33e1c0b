//! `workspace/*` and `path/*`: folders that are opened.

use std::path::{Path, PathBuf};

use inklings_core::user::GitExclude;
use inklings_rpc::{CallContext, Code, Done, Failure, NoParams, operations};

use super::api::{
    CompleteParams, Completion, Completions, ForgetParams, GitExcludeParams, OpenParams, RecentEntry, RecentList, TrustParams,
    WorkspaceStatus,
};
use crate::app::App;
use crate::incoming::may_hold_skills;

/// Entries that a completion shows.
const COMPLETIONS: usize = 200;

impl WorkspaceStatus {
    /// The state of the workspace at `path`.
    pub(crate) fn of(app: &App, path: &Path) -> Result<Self, Failure> {
        let state = app.scopes.inspect(path)?;
        let name = state.path.file_name().map_or_else(|| state.path.display().to_string(), |name| name.to_string_lossy().into_owned());
        let shown = state.path.display().to_string();
        let decided = app.user.recent_workspaces()?.into_iter().find(|known| known.path == shown).map(|known| known.git_exclude);
        let repository = app.scopes.workspace(&state.path)?;
        Ok(Self {
            name,
            trusted: app.user.is_trusted(&shown)?,
            writable: state.writable,
            has_store: state.has_store,
            skills: usize::try_from(repository.count_skills()?).unwrap_or(usize::MAX),
            pages: state.pages,
            git_exclude_offer: state.in_git && state.writable && decided.is_none_or(|decision| decision == GitExclude::Ask),
            banners: state.banners,
            path: shown,
        })
    }
}

fn open(app: &App, _: &CallContext, params: OpenParams) -> Result<WorkspaceStatus, Failure> {
    open_path(app, &expand(&params.path)?)
}

fn open_path(app: &App, path: &Path) -> Result<WorkspaceStatus, Failure> {
    let status = WorkspaceStatus::of(app, path)?;
    app.user.note_workspace(&status.path)?;
    Ok(status)
}

fn open_sample(app: &App, _: &CallContext, _: NoParams) -> Result<WorkspaceStatus, Failure> {
    open_path(app, &app.scopes.sample()?)
}

fn recent(app: &App, _: &CallContext, _: NoParams) -> Result<RecentList, Failure> {
    let entry = |known: inklings_core::user::RecentWorkspace| {
        let path = Path::new(&known.path);
        let name = path.file_name().map_or_else(|| known.path.clone(), |name| name.to_string_lossy().into_owned());
        RecentEntry { name, exists: path.is_dir(), opened_at: known.opened_at, trusted: known.trusted, path: known.path.clone() }
    };
    Ok(RecentList { workspaces: app.user.recent_workspaces()?.into_iter().map(entry).collect() })
}

fn git_exclude(app: &App, cx: &CallContext, params: GitExcludeParams) -> Result<Done, Failure> {
    let path = cx.workspace.as_deref().ok_or_else(|| Failure::invalid("no workspace is open").hint("open a folder first"))?;
    if params.accept {
        app.scopes.exclude_from_git(path)?;
    }
    let decision = if params.accept { GitExclude::Done } else { GitExclude::Declined };
    app.user.note_git_exclude(&path.display().to_string(), decision)?;
    Ok(Done {})
}

fn trust(app: &App, cx: &CallContext, params: TrustParams) -> Result<Done, Failure> {
    let path = if let Some(path) = params.path {
        known(app, path)?
    } else {
        let open = cx.workspace.as_deref().ok_or_else(|| Failure::invalid("no workspace is open").hint("open a folder first"))?;
        open.display().to_string()
    };
    app.user.note_trust(&path, params.trusted, &cx.origin)?;
    Ok(Done {})
}

/// Refuses a folder that was never opened: nobody has looked at what is in it.
fn known(app: &App, path: String) -> Result<String, Failure> {
    if app.user.recent_workspaces()?.iter().any(|known| known.path == path) {
        return Ok(path);
    }
    Err(Failure::new(Code::NotFound, format!("{path} isn't in the list of workspaces")).hint("open the folder first"))
}

fn forget(app: &App, cx: &CallContext, params: ForgetParams) -> Result<Done, Failure> {
    app.user.forget_workspace(&known(app, params.path)?, &cx.origin)?;
    Ok(Done {})
}

fn complete(_: &App, _: &CallContext, params: CompleteParams) -> Result<Completions, Failure> {
    let typed = if params.prefix.trim().is_empty() { "~/".to_owned() } else { params.prefix };
    let path = expand(&typed)?;
    let (folder, begun) = if typed.ends_with('/') {
        (path.clone(), String::new())
    } else {
        let begun = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        (path.parent().unwrap_or(Path::new("/")).to_owned(), begun)
    };
    let complete = path.is_dir() || params.packages && path.is_file();
    Ok(Completions { entries: completions(&folder, &begun, params.packages), path: path.display().to_string(), complete })
}

/// What begins with `begun` in a folder; hidden ones only when asked for. An unreadable folder has nothing.
fn completions(folder: &Path, begun: &str, packages: bool) -> Vec<Completion> {
    let mut found: Vec<(bool, String, PathBuf)> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
        .filter(|(name, _)| name.to_lowercase().starts_with(begun) && (begun.starts_with('.') || !name.starts_with('.')))
        .map(|(name, path)| (!path.is_dir(), name, path))
        .filter(|(is_file, _, path)| !is_file || packages && may_hold_skills(path) && path.is_file())
        .collect();
    found.sort_by_key(|(is_file, name, _)| (*is_file, name.to_lowercase()));
    found.truncate(COMPLETIONS);
    let holds_skills =
        |path: &Path| ["agents.db", "SKILL.md", ".claude/skills", ".agents/skills"].iter().any(|name| path.join(name).exists());
    let completion = |(file, name, path): (bool, String, PathBuf)| Completion {
        skills: !file && holds_skills(&path),
        path: path.display().to_string(),
        name,
        file,
    };
    found.into_iter().map(completion).collect()
}

/// A typed path as an absolute one.
pub(crate) fn expand(typed: &str) -> Result<PathBuf, Failure> {
    let typed = typed.trim();
    if typed.contains('\0') || typed.is_empty() {
        return Err(Failure::invalid("the path is empty or has a NUL character").hint("type the path of a folder"));
    }
    let home = || std::env::var_os("HOME").map(PathBuf::from).ok_or_else(|| Failure::new(Code::Io, "there is no home folder"));
    match typed.strip_prefix('~') {
        Some("") => home(),
        Some(rest) if rest.starts_with('/') => Ok(home()?.join(rest.trim_start_matches('/'))),
        _ => std::path::absolute(typed).map_err(|error| Failure::new(Code::Io, format!("{typed}: {error}"))),
    }
}

operations! { App;

    Open = "workspace/open", Admin["workspace", "skill"], blocking open(OpenParams) -> WorkspaceStatus;

    OpenSample = "workspace/open_sample", Admin["workspace", "skill"], blocking open_sample(NoParams) -> WorkspaceStatus;

    Recent = "workspace/recent", Read, blocking recent(NoParams) -> RecentList;

    ExcludeFromGit = "workspace/git_exclude", Admin["workspace"], blocking git_exclude(GitExcludeParams) -> Done;

    /// Lets what is in a workspace run and call models, or no longer.
    Trust = "workspace/trust", Admin["workspace"], blocking trust(TrustParams) -> Done;
    /// Removes a folder from the list of workspaces, with its trust. The folder itself and its drafts stay.
    Forget = "workspace/forget", Admin["workspace"], blocking forget(ForgetParams) -> Done;
    Complete = "path/complete", Read, blocking complete(CompleteParams) -> Completions;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_come_before_files_that_skills_come_from_and_nothing_else_comes() {
        let place = tempfile::tempdir().unwrap();
        for folder in ["desk", "desk-two", ".desk"] {
            std::fs::create_dir(place.path().join(folder)).unwrap();
        }
        for file in ["Desk.skill", "desk.txt", "desk.zip.part", "other.skill"] {
            std::fs::write(place.path().join(file), "").unwrap();
        }
        let named =
            |packages: bool| completions(place.path(), "de", packages).into_iter().map(|one| (one.name, one.file)).collect::<Vec<_>>();
        let folders = [("desk".to_owned(), false), ("desk-two".to_owned(), false)];
        assert_eq!(named(false), folders);
        assert_eq!(named(true), [&folders[..], &[("Desk.skill".to_owned(), true)]].concat());
        assert_eq!(completions(&place.path().join("nowhere"), "", true), []);
    }

    #[test]
    fn a_typed_path_is_made_whole() {
        let home = PathBuf::from(std::env::var_os("HOME").unwrap());
        assert_eq!(expand("~").unwrap(), home);
        assert_eq!(expand(" ~/one.skill ").unwrap(), home.join("one.skill"));
        assert_eq!(expand("/tmp/~x").unwrap(), Path::new("/tmp/~x"));
        assert_eq!(expand(" ").unwrap_err().code, Code::Invalid);
    }
}
