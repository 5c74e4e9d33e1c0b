//! The AI agents that a person has already, and where each keeps its skills.
//!
//! [`targets`] says which folders there may be, from one table; [`skills`] looks into one. Nothing is written and nothing is
//! run. Deliberately absent: what a skill is, which is the folder's, and copying skills to agents. To add an agent, add a row to
//! [`AGENTS`].

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use inklings_core::Diagnostic;
use inklings_folder::{DiskError, disk};

/// An agent and its skill folders.
#[derive(Debug, PartialEq, Eq)]
pub struct Agent {
    pub id: &'static str,
    pub name: &'static str,
    /// User folders, relative to the home folder, or to the configuration folder if they start with [`SETTINGS`].
    user: &'static [&'static str],
    /// Relative to the workspace.
    workspace: &'static [&'static str],
    /// Whether a user's skill hides the workspace's of the same name. False where the documentation doesn't say which one is used.
    pub user_wins: bool,
}

/// Placeholder for the configuration folder: `XDG_CONFIG_HOME` [default: `~/.config`].
const SETTINGS: &str = "$CONFIG/";

/// From the documentation of each agent.
pub const AGENTS: &[Agent] = &[
    Agent { id: "claude-code", name: "Claude Code", user: &[".claude/skills"], workspace: &[".claude/skills"], user_wins: true },
    Agent { id: "codex", name: "Codex", user: &[".codex/skills"], workspace: &[".codex/skills"], user_wins: false },
    Agent { id: "agents", name: "Agent Skills", user: &[".agents/skills"], workspace: &[".agents/skills"], user_wins: false },
    Agent { id: "cursor", name: "Cursor", user: &[".cursor/skills"], workspace: &[".cursor/skills"], user_wins: false },
    Agent { id: "gemini-cli", name: "Gemini CLI", user: &[".gemini/skills"], workspace: &[".gemini/skills"], user_wins: false },
    Agent { id: "goose", name: "Goose", user: &["$CONFIG/goose/skills"], workspace: &[".goose/skills"], user_wins: false },
    Agent {
        id: "opencode",
        name: "OpenCode",
        user: &["$CONFIG/opencode/skills", "$CONFIG/opencode/skill"],
        workspace: &[".opencode/skills", ".opencode/skill"],
        user_wins: false,
    },
    Agent { id: "copilot", name: "GitHub Copilot", user: &[".copilot/skills"], workspace: &[".github/skills"], user_wins: false },
    Agent { id: "cortex", name: "Cortex", user: &[".cortex/skills"], workspace: &[".cortex/skills"], user_wins: false },
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentDirs {
    /// The home folder.
    pub home: PathBuf,
    /// The folder of settings.
    pub config: PathBuf,
}

impl AgentDirs {
    /// From the environment; `None` without a home folder.
    #[must_use]
    pub fn of_environment() -> Option<Self> {
        let named = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = named("HOME")?;
        let config = named("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
        Some(Self { home, config })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub agent: &'static Agent,
    pub of_workspace: bool,
    /// May not exist.
    pub path: PathBuf,
}

/// Workspace folders first.
#[must_use]
pub fn targets(dirs: Option<&AgentDirs>, workspace: Option<&Path>) -> Vec<Target> {
    let mut all = Vec::new();
    for agent in AGENTS {
        let here = workspace.into_iter().flat_map(|folder| agent.workspace.iter().map(|below| folder.join(below)));
        all.extend(here.map(|path| Target { agent, of_workspace: true, path }));
    }
    for agent in AGENTS {
        let of_person = dirs.into_iter().flat_map(|dirs| {
            agent.user.iter().map(|below| match below.strip_prefix(SETTINGS) {
                Some(below) => dirs.config.join(below),
                None => dirs.home.join(below),
            })
        });
        all.extend(of_person.map(|path| Target { agent, of_workspace: false, path }));
    }
    all
}

#[derive(Debug, Default)]
pub struct Skills {
    /// Skill folders, and single files that are a skill.
    pub paths: Vec<PathBuf>,
    /// Unreadable folders and broken links.
    pub diagnostics: Vec<Diagnostic>,
}

/// The skills in a folder; empty if it doesn't exist. Skills are often linked from elsewhere into each agent's folder, so
/// links directly in it are followed; links further below aren't.
#[must_use]
pub fn skills(target: &Path) -> Option<Skills> {
    match fs::metadata(target) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return None,
        Err(error) => {
            // A broken link is reported.
            let dangling = fs::symlink_metadata(target).is_ok();
            return dangling.then(|| Skills { paths: Vec::new(), diagnostics: vec![dead_link(target, &error)] });
        }
    }
    let mut found = Skills::default();
    let mut followed = BTreeSet::new();
    // A folder that can't be listed is reported below.
    for link in links(target).unwrap_or_default() {
        match fs::canonicalize(&link) {
            Ok(folder_path) if is_skill(&folder_path) => found.paths.push(folder_path),
            Ok(_) => {}
            Err(error) => found.diagnostics.push(dead_link(&link, &error)),
        }
        followed.insert(link.display().to_string());
    }
    match disk::discover(target) {
        Ok((paths, findings)) => {
            found.paths.extend(paths);
            let is_reported = |finding: &Diagnostic| finding.file.as_ref().is_some_and(|file| followed.contains(file));
            found.diagnostics.extend(findings.into_iter().filter(|finding| !is_reported(finding)));
        }
        Err(error) => found.diagnostics.push(unreadable(&error, target)),
    }
    found.paths.sort();
    found.paths.dedup();
    Some(found)
}

/// The links directly in a folder, by name.
fn links(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut links = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_symlink() {
            links.push(entry.path());
        }
    }
    links.sort();
    Ok(links)
}

/// Whether a folder is a skill itself; linked folders are not searched.
fn is_skill(folder: &Path) -> bool {
    ["SKILL.md", "skill.md", "skill.json"].iter().any(|name| folder.join(name).is_file())
}

fn dead_link(link: &Path, error: &io::Error) -> Diagnostic {
    Diagnostic::warning("target/dead-link", format!("broken link {}: {error}", link.display()))
        .hint("remove the link, or restore its target")
        .in_file(link.display())
}

fn unreadable(error: &DiskError, folder: &Path) -> Diagnostic {
    Diagnostic::warning("target/unreadable", error.to_string()).hint("check the permissions of the folder").in_file(folder.display())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn skill(folder: &Path, name: &str) -> PathBuf {
        let folder_path = folder.join(name);
        fs::create_dir_all(&folder_path).unwrap();
        fs::write(folder_path.join("SKILL.md"), format!("---\nname: {name}\ndescription: Is found.\n---\n")).unwrap();
        folder_path
    }

    #[test]
    fn every_agent_has_its_folders() {
        let dirs = AgentDirs { home: "/home/ann".into(), config: "/home/ann/settings".into() };
        let paths = |of_workspace: bool| {
            let all = targets(Some(&dirs), Some(Path::new("/notes")));
            all.into_iter().filter(|one| one.of_workspace == of_workspace).map(|one| one.path.display().to_string()).collect::<Vec<_>>()
        };
        assert!(paths(false).contains(&"/home/ann/.claude/skills".to_owned()));
        assert!(paths(false).contains(&"/home/ann/settings/goose/skills".to_owned()));
        assert!(paths(true).contains(&"/notes/.github/skills".to_owned()));
        let ids: BTreeSet<_> = AGENTS.iter().map(|agent| agent.id).collect();
        assert_eq!(ids.len(), AGENTS.len());
        assert!(targets(None, None).is_empty());
    }

    #[test]
    fn skills_behind_links_are_found_and_problems_are_reported() {
        let top = tempfile::tempdir().unwrap();
        let (elsewhere, folder) = (top.path().join("elsewhere"), top.path().join("skills"));
        let (own, linked) = (skill(&folder, "own"), skill(&elsewhere, "linked"));
        symlink(&linked, folder.join("linked")).unwrap();
        symlink(elsewhere.join("gone"), folder.join("gone")).unwrap();
        symlink("/", folder.join("everything")).unwrap();
        symlink(&elsewhere, own.join("inner")).unwrap();
        let found = skills(&folder).unwrap();
        assert_eq!(
            found.paths,
            [fs::canonicalize(&linked).unwrap(), own].into_iter().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
        );
        let rules: Vec<_> = found.diagnostics.iter().map(|one| one.rule.as_str()).collect();
        assert_eq!(rules, ["target/dead-link"], "{:?}", found.diagnostics);
        assert!(skills(&top.path().join("nowhere")).is_none());
        symlink(top.path().join("nowhere"), top.path().join("dead")).unwrap();
        assert_eq!(skills(&top.path().join("dead")).unwrap().diagnostics.len(), 1);
        symlink(&folder, top.path().join("link")).unwrap();
        assert_eq!(skills(&top.path().join("link")).unwrap().paths.len(), 2, "the folder itself may be a link");
    }
}
