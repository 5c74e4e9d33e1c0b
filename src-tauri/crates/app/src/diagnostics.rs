//! The diagnostics report: facts about the app, the machine, the databases and the log. It has nothing of skills, pages, prompts or
//! answers, no provider's address, and shows the home folder as `~`.

use std::fmt::{Display, Write as _};
use std::path::{Path, PathBuf};

use inklings_core::provider::ProviderRegistry;
use inklings_core::{ProgramRunner, Sandbox, SkillCatalog, UserData};
use inklings_rpc::Failure;
use inklings_runtime::Redactor;
use serde_json::Value;

use crate::log::{AppLog, LogLine};
use crate::workspace_manager::{DatabaseFile, WorkspaceAccessError, WorkspaceManager};

/// Log lines in a report.
pub const LOG_LINES: usize = 200;
/// Settings of the app itself; of the others, which may be about a person's work, only the number is reported. A dot at the end stands for
/// all settings that begin so.
const REPORTED_SETTINGS: [&str; 8] = ["ui.theme", "ui.zoom", "editor.", "sandbox.", "scripts.", "sidecar.", "traces.", "ui.motion"];
const MAX_VALUE_CHARS: usize = 200;

/// Facts that are known before anything is opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SystemFacts {
    /// The account's folder.
    pub home: PathBuf,
    /// What the front end knows of itself and of the machine: name and value.
    pub about: Vec<(String, String)>,
}

/// The parts of a running app that the report is about.
pub(crate) struct ReportSources<'a> {
    pub(crate) facts: &'a SystemFacts,
    pub(crate) workspaces: &'a dyn WorkspaceManager,
    pub(crate) user: &'a dyn UserData,
    pub(crate) models: &'a dyn ProviderRegistry,
    pub(crate) programs: &'a dyn ProgramRunner,
    pub(crate) sandbox: &'a dyn Sandbox,
    pub(crate) log: &'a dyn AppLog,
    pub(crate) redactor: &'a Redactor,
}

/// What can't be read is reported as such: a report is wanted most when something is broken.
pub(crate) fn report(sources: &ReportSources<'_>, workspace: Option<&Path>) -> String {
    let mut report = Report::new(sources.facts);
    report.section("Databases", sources.workspaces.databases().iter().map(database));
    report.fact("Workspace", workspace.map_or("none", |_| "one is open"));
    let skills = count_skills(sources.workspaces, workspace);
    report.fact("Skills", skills.map_or_else(|error| error.to_string(), |count| count.to_string()));
    report.section("Banners", sources.workspaces.banners().into_iter().map(|banner| banner.message));
    report.section("Model providers", providers(sources.models));
    let status = sources.programs.status();
    let reason = status.reason.map(|reason| format!(": {reason}")).unwrap_or_default();
    let version = status.dspy.map(|version| format!(", DSPy {version}")).unwrap_or_default();
    report.fact("DSPy process", format!("{}{reason}{version}, {} failures", label(&status.state), status.failures));
    report.fact("Sandbox", sources.sandbox.unavailable().unwrap_or_else(|| "ready".to_owned()));
    report.section("Settings", settings(sources.user));
    report.log(&sources.log.after(0, LOG_LINES).lines);
    report.finish(sources.redactor)
}

fn count_skills(workspaces: &dyn WorkspaceManager, workspace: Option<&Path>) -> Result<usize, WorkspaceAccessError> {
    let workspace = workspace.map(|path| workspaces.workspace(path)).transpose()?;
    Ok(SkillCatalog::new(workspaces.account(), workspace).list_all()?.len())
}

/// The report of an app that can't start.
#[must_use]
pub fn of_failed_start(facts: &SystemFacts, failure: &Failure, database: &DatabaseFile, log: &[LogLine], redactor: &Redactor) -> String {
    let mut report = Report::new(facts);
    let hint = failure.hint.as_deref().map(|hint| format!(" ({hint})")).unwrap_or_default();
    report.fact("Start failed", format!("{}{hint}", failure.message));
    report.section("Databases", [self::database(database)]);
    report.log(log);
    report.finish(redactor)
}

fn database(file: &DatabaseFile) -> String {
    let size = file.bytes.map_or_else(|| "no file".to_owned(), |bytes| format!("{} KiB", bytes.div_ceil(1024)));
    format!("{}: {}, {size}, {} KiB of log", file.path.display(), file.health, file.log_bytes.div_ceil(1024))
}

/// Kinds and whether there is a key, without names and addresses.
fn providers(models: &dyn ProviderRegistry) -> Vec<String> {
    let settings = match models.settings() {
        Ok(settings) => settings,
        Err(error) => return vec![error.to_string()],
    };
    let key = |name: &str| models.key_state(name).map_or_else(|error| error.to_string(), |state| format!("key: {}", label(&state)));
    let default = settings.default.as_ref().map(|model| model.provider.clone());
    let mark = |name: &str| if default.as_deref() == Some(name) { ", the default" } else { "" };
    settings.providers.iter().map(|one| format!("{}, {}{}", label(&one.kind), key(&one.name), mark(&one.name))).collect()
}

fn settings(user: &dyn UserData) -> Vec<String> {
    let all = match user.settings() {
        Ok(all) => all,
        Err(error) => return vec![error.to_string()],
    };
    let is_reported =
        |key: &str| REPORTED_SETTINGS.iter().any(|known| if known.ends_with('.') { key.starts_with(known) } else { key == *known });
    let (reported, other): (Vec<_>, Vec<_>) = all.iter().partition(|(key, _)| is_reported(key));
    let line = |(key, value): (&String, &Value)| format!("{key} = {}", value.to_string().chars().take(MAX_VALUE_CHARS).collect::<String>());
    reported.into_iter().map(line).chain([format!("{} others", other.len())]).collect()
}

/// An enum's name on the wire.
fn label(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

struct Report(String);

impl Report {
    fn new(facts: &SystemFacts) -> Self {
        let mut report = Self(format!("Inklings Skill Studio {}\n", env!("CARGO_PKG_VERSION")));
        report.fact("System", system());
        for (name, value) in &facts.about {
            report.fact(name, value);
        }
        report.fact("Account folder", facts.home.display());
        report
    }

    fn fact(&mut self, name: &str, value: impl Display) {
        // Writing to a string can't fail.
        let _ = writeln!(self.0, "{name}: {value}");
    }

    fn section(&mut self, name: &str, lines: impl IntoIterator<Item = String>) {
        let lines: Vec<_> = lines.into_iter().collect();
        let none = if lines.is_empty() { " none" } else { "" };
        let _ = writeln!(self.0, "{name}:{none}");
        for line in lines {
            let _ = writeln!(self.0, "  {line}");
        }
    }

    fn log(&mut self, lines: &[LogLine]) {
        let newest = &lines[lines.len().saturating_sub(LOG_LINES)..];
        self.section("Log", newest.iter().map(|line| format!("{} {} {}: {}", line.time, line.level.as_str(), line.target, line.message)));
    }

    fn finish(self, redactor: &Redactor) -> String {
        let home = std::env::var("HOME").unwrap_or_default();
        without_home(&redactor.redact(&self.0), &home)
    }
}

/// The text with `~` for the home folder.
fn without_home(text: &str, home: &str) -> String {
    let home = home.trim_end_matches('/');
    if home.is_empty() {
        return text.to_owned();
    }
    let mut parts = text.split(home);
    let mut clean = parts.next().unwrap_or_default().to_owned();
    for rest in parts {
        // Folders of other users may begin with the same letters.
        clean.push_str(if continues_name(rest) { home } else { "~" });
        clean.push_str(rest);
    }
    clean
}

/// Whether a file name before the text goes on in it. A full stop alone ends a sentence.
fn continues_name(text: &str) -> bool {
    text.trim_start_matches('.').starts_with(|ch: char| ch.is_alphanumeric() || matches!(ch, '_' | '-' | '@' | '+' | '~'))
}

/// Distribution, operating system, kernel and architecture.
fn system() -> String {
    let line = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let release = line("/etc/os-release");
    let named = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME=")).map(|name| name.trim_matches('"').to_owned());
    let kernel = line("/proc/sys/kernel/osrelease");
    let parts = [named.unwrap_or_default(), std::env::consts::OS.to_owned(), kernel.trim().to_owned(), std::env::consts::ARCH.to_owned()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use inklings_core::Time;
    use inklings_runtime::NoSecrets;

    use super::*;
    use crate::log::LogLevel;
    use inklings_rpc::Code;

    #[test]
    fn the_home_folder_is_a_tilde() {
        for (text, home, clean) in [
            ("/home/ada/.inklings and /home/ada/notes", "/home/ada/", "~/.inklings and ~/notes"),
            ("'/home/al': no folder /home/al.", "/home/al", "'~': no folder ~."),
            ("/home/alice, /home/al-2 and /home/al.old of /home/al", "/home/al", "/home/alice, /home/al-2 and /home/al.old of ~"),
            ("/root/x", "/", "/root/x"),
            ("/root/x", "", "/root/x"),
        ] {
            assert_eq!(without_home(text, home), clean);
        }
    }

    #[test]
    fn a_failed_start_tells_why_and_what_was_logged() {
        let line = |seq: u64| LogLine {
            seq,
            time: Time::from_millis(0),
            level: LogLevel::Warn,
            target: "inklings_store".to_owned(),
            message: format!("line {seq} with {}", concat!("sk-ant-", "api03-abcdefghijklmnopqrstuvwxyz")),
        };
        let lines: Vec<_> = (1..=300).map(line).collect();
        let facts = SystemFacts { home: PathBuf::from("/srv/home"), about: vec![("Web view".to_owned(), "2.50".to_owned())] };
        let failure = Failure::new(Code::NewerDatabase, "agents.db was written by a newer version").hint("install that version");
        let file = DatabaseFile { path: PathBuf::from("/srv/home/agents.db"), bytes: None, log_bytes: 0, health: "not opened".to_owned() };
        let text = of_failed_start(&facts, &failure, &file, &lines, &Redactor::new(Arc::new(NoSecrets)));
        for wanted in [
            "Web view: 2.50",
            "Account folder: /srv/home",
            "newer version (install that version)",
            "no file",
            "line 300 with [redacted]",
            "line 101 ",
        ] {
            assert!(text.contains(wanted), "{wanted} in\n{text}");
        }
        assert!(!text.contains("sk-ant-") && !text.contains("line 100 "), "{text}");
    }
}
