//! The report for a question about the app: facts of the program, the machine, the databases and the log. It says nothing of
//! skills, pages, prompts or answers, names no provider's address, and shows the home folder as `~`.

use std::fmt::{Display, Write as _};
use std::path::PathBuf;

use inklings_runtime::Redactor;
use serde_json::Value;

use crate::app::App;
use crate::log::LogLine;
use inklings_rpc::{CallContext, Failure};

/// Lines of the log in a report.
pub const LOG_LINES: usize = 200;
/// Settings that say how the app is, not what a person works on. Of all others only the number is told.
const SETTINGS: [&str; 8] = ["ui.theme", "ui.zoom", "editor.", "sandbox.", "scripts.", "sidecar.", "traces.", "ui.motion"];
/// Letters of a setting's value.
const VALUE_LETTERS: usize = 200;

/// A database and how it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseFile {
    /// The file.
    pub path: PathBuf,
    /// Its bytes; none if there is no file.
    pub bytes: Option<u64>,
    /// Bytes that wait to be taken into it.
    pub log_bytes: u64,
    /// How it was found when it was opened.
    pub health: String,
}

/// What is known before anything is opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// The account's folder.
    pub home: PathBuf,
    /// What the door knows of itself and of the machine: name and value.
    pub about: Vec<(String, String)>,
}

/// The report of a running app.
pub(crate) fn of(app: &App, cx: &CallContext) -> String {
    let mut report = Report::of(&app.facts);
    report.part("Databases", app.scopes.databases().iter().map(database));
    let workspace = cx.workspace.as_deref().map_or("none", |_| "one is open");
    let skills = app.catalog(cx).and_then(|catalog| Ok(catalog.list_all()?.len()));
    report.fact("Workspace", workspace);
    report.fact("Skills", skills.map_or_else(|failure| failure.message, |number| number.to_string()));
    report.part("Remarks", app.scopes.banners().into_iter().map(|banner| banner.message));
    report.part("Model providers", providers(app));
    let status = app.programs.status();
    let reason = status.reason.map(|reason| format!(": {reason}")).unwrap_or_default();
    let version = status.dspy.map(|version| format!(", DSPy {version}")).unwrap_or_default();
    report.fact("DSPy process", format!("{}{reason}{version}, {} failures", word(&status.state), status.failures));
    report.fact("Sandbox", app.sandbox.unavailable().unwrap_or_else(|| "ready".to_owned()));
    report.part("Settings", settings(app));
    report.log(&app.log.after(0, LOG_LINES).lines);
    report.finish(&app.redactor)
}

/// The report of an app that can't start.
#[must_use]
pub fn of_failed_start(facts: &Facts, failure: &Failure, database: &DatabaseFile, log: &[LogLine], redactor: &Redactor) -> String {
    let mut report = Report::of(facts);
    let hint = failure.hint.as_deref().map(|hint| format!(" ({hint})")).unwrap_or_default();
    report.fact("It can't start", format!("{}{hint}", failure.message));
    report.part("Databases", [self::database(database)]);
    report.log(log);
    report.finish(redactor)
}

fn database(file: &DatabaseFile) -> String {
    let size = file.bytes.map_or_else(|| "no file".to_owned(), |bytes| format!("{} KiB", bytes.div_ceil(1024)));
    format!("{}: {}, {size}, {} KiB of log", file.path.display(), file.health, file.log_bytes.div_ceil(1024))
}

/// Kinds and whether there is a key, without names and addresses.
fn providers(app: &App) -> Vec<String> {
    match app.models.settings() {
        Err(error) => vec![error.to_string()],
        Ok(settings) => {
            let key =
                |name: &str| app.models.key_state(name).map_or_else(|error| error.to_string(), |state| format!("key: {}", word(&state)));
            let default = settings.default.as_ref().map(|model| model.provider.clone());
            let usual = |name: &str| if default.as_deref() == Some(name) { ", the default" } else { "" };
            settings.providers.iter().map(|one| format!("{}, {}{}", word(&one.kind), key(&one.name), usual(&one.name))).collect()
        }
    }
}

fn settings(app: &App) -> Vec<String> {
    let all = match app.user.settings() {
        Ok(all) => all,
        Err(error) => return vec![error.to_string()],
    };
    let shown = |key: &str| SETTINGS.iter().any(|known| if known.ends_with('.') { key.starts_with(known) } else { key == *known });
    let (told, other): (Vec<_>, Vec<_>) = all.iter().partition(|(key, _)| shown(key));
    let line = |(key, value): (&String, &Value)| format!("{key} = {}", value.to_string().chars().take(VALUE_LETTERS).collect::<String>());
    told.into_iter().map(line).chain([format!("{} others", other.len())]).collect()
}

/// A value as it is sent.
fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

struct Report(String);

impl Report {
    fn of(facts: &Facts) -> Self {
        let mut report = Self(format!("Inklings Skill Studio {}\n", env!("CARGO_PKG_VERSION")));
        report.fact("System", system());
        for (name, value) in &facts.about {
            report.fact(name, value);
        }
        report.fact("Account's folder", facts.home.display());
        report
    }

    fn fact(&mut self, name: &str, value: impl Display) {
        // Writing to a string can't fail.
        let _ = writeln!(self.0, "{name}: {value}");
    }

    fn part(&mut self, name: &str, lines: impl IntoIterator<Item = String>) {
        let lines: Vec<_> = lines.into_iter().collect();
        let none = if lines.is_empty() { " none" } else { "" };
        let _ = writeln!(self.0, "{name}:{none}");
        for line in lines {
            let _ = writeln!(self.0, "  {line}");
        }
    }

    fn log(&mut self, lines: &[LogLine]) {
        let newest = &lines[lines.len().saturating_sub(LOG_LINES)..];
        self.part("Log", newest.iter().map(|line| format!("{} {} {}: {}", line.time, line.level.as_str(), line.target, line.message)));
    }

    fn finish(self, redactor: &Redactor) -> String {
        let home = std::env::var("HOME").unwrap_or_default();
        without_home(&redactor.redact(&self.0), &home)
    }
}

/// The text with `~` for the home folder.
fn without_home(text: &str, home: &str) -> String {
    let home = home.trim_end_matches('/');
    if home.is_empty() { text.to_owned() } else { text.replace(home, "~") }
}

/// What runs underneath.
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
        let facts = Facts { home: PathBuf::from("/srv/home"), about: vec![("Web view".to_owned(), "2.50".to_owned())] };
        let failure = Failure::new(Code::NewerDatabase, "agents.db was written by a newer version").hint("install that version");
        let file = DatabaseFile { path: PathBuf::from("/srv/home/agents.db"), bytes: None, log_bytes: 0, health: "not opened".to_owned() };
        let text = of_failed_start(&facts, &failure, &file, &lines, &Redactor::new(Arc::new(NoSecrets)));
        for wanted in [
            "Web view: 2.50",
            "Account's folder: /srv/home",
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
