use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::{Client, ConfigFile};

/// The folders of the clients, and the program that they are to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientEnvironment {
    home: PathBuf,
    /// That of `.claude.json`.
    claude: PathBuf,
    codex: PathBuf,
    /// That of `User`.
    vscode: PathBuf,
    gemini: PathBuf,
    /// `PATH`.
    search_path: Vec<PathBuf>,
    /// The program `inklings`; none if it isn't installed.
    pub program: Option<PathBuf>,
}

impl ClientEnvironment {
    /// Of this process; `None` without a home folder.
    #[must_use]
    pub fn of_process() -> Option<Self> {
        Self::from_variables(|name| env::var_os(name), env::current_exe().ok().as_deref())
    }

    /// `running` is the running program; `inklings` is looked for beside it and then in `PATH`.
    pub fn from_variables(variable: impl Fn(&str) -> Option<OsString>, running: Option<&Path>) -> Option<Self> {
        let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = folder("HOME")?;
        let search_path: Vec<_> = variable("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
        let beside = running.map(|running| running.with_file_name("inklings"));
        let on_path = search_path.iter().filter(|folder| folder.is_absolute()).map(|folder| folder.join("inklings"));
        let program = beside.into_iter().chain(on_path).find(|file| file.is_file());
        let portable = folder("VSCODE_PORTABLE").map(|folder| folder.join("user-data"));
        let app_data = || folder("VSCODE_APPDATA").or_else(|| folder("XDG_CONFIG_HOME")).unwrap_or_else(|| home.join(".config"));
        Some(Self {
            claude: folder("CLAUDE_CONFIG_DIR").unwrap_or_else(|| home.clone()),
            codex: folder("CODEX_HOME").unwrap_or_else(|| home.join(".codex")),
            vscode: portable.unwrap_or_else(|| app_data().join("Code")),
            gemini: folder("GEMINI_CLI_HOME").unwrap_or_else(|| home.clone()).join(".gemini"),
            search_path,
            program,
            home,
        })
    }

    /// The user's configuration file of a client.
    #[must_use]
    pub fn user_file(&self, client: &'static Client) -> ConfigFile {
        ConfigFile::of_user(client, self.folder(client).join(client.user))
    }

    /// Whether the client left a trace in the home folder, or its command is found.
    #[must_use]
    pub fn is_installed(&self, client: &'static Client) -> bool {
        let traces = match client.id {
            "claude-code" => vec![self.claude.join(client.user), self.home.join(".claude")],
            _ => vec![self.folder(client)],
        };
        traces.iter().any(|trace| trace.exists()) || self.search_path.iter().any(|folder| folder.join(client.command).is_file())
    }

    fn folder(&self, client: &'static Client) -> PathBuf {
        match client.id {
            "claude-code" => self.claude.clone(),
            "codex" => self.codex.clone(),
            "vscode" => self.vscode.clone(),
            "gemini" => self.gemini.clone(),
            id => self.home.join(format!(".{id}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::CLIENTS;

    fn files(variables: &[(&str, &str)]) -> BTreeMap<&'static str, String> {
        let variables: BTreeMap<_, _> = variables.iter().copied().collect();
        let environment = ClientEnvironment::from_variables(|name| variables.get(name).map(OsString::from), None).unwrap();
        CLIENTS.iter().map(|client| (client.id, environment.user_file(client).path().display().to_string())).collect()
    }

    #[test]
    fn every_client_has_its_file() {
        let plain = files(&[("HOME", "/home/ann")]);
        assert_eq!(plain["claude-code"], "/home/ann/.claude.json");
        assert_eq!(plain["codex"], "/home/ann/.codex/config.toml");
        assert_eq!(plain["cursor"], "/home/ann/.cursor/mcp.json");
        assert_eq!(plain["vscode"], "/home/ann/.config/Code/User/mcp.json");
        assert_eq!(plain["gemini"], "/home/ann/.gemini/settings.json");
    }

    #[test]
    fn each_clients_own_variables_move_its_file() {
        let moved = files(&[
            ("HOME", "/home/ann"),
            ("CLAUDE_CONFIG_DIR", "/c"),
            ("CODEX_HOME", "/x"),
            ("XDG_CONFIG_HOME", "/settings"),
            ("GEMINI_CLI_HOME", "/g"),
        ]);
        assert_eq!(moved["claude-code"], "/c/.claude.json");
        assert_eq!(moved["codex"], "/x/config.toml");
        assert_eq!(moved["vscode"], "/settings/Code/User/mcp.json");
        assert_eq!(moved["gemini"], "/g/.gemini/settings.json");
        let portable = files(&[("HOME", "/home/ann"), ("VSCODE_PORTABLE", "/p"), ("CODEX_HOME", "relative")]);
        assert_eq!(portable["vscode"], "/p/user-data/User/mcp.json");
        assert_eq!(portable["codex"], "/home/ann/.codex/config.toml", "a relative folder is ignored");
        assert_eq!(ClientEnvironment::from_variables(|_| None, None), None);
    }
}
