//! Groups of subcommands, which clap doesn't support, and examples that a test parses.

use std::fmt::Write as _;

use clap::builder::{Resettable, StyledStr, Styles};
use clap::{Arg, Command, CommandFactory as _};

use super::Args;

/// A heading and its subcommands.
type Group = (&'static str, &'static [&'static str]);

const COMMANDS: &[Group] = &[
    ("Skills", &["skill", "file", "artifact", "input", "reference", "draft", "search"]),
    ("Run", &["run", "render", "action", "runs", "functions"]),
    ("Chat", &["chat", "agent", "notes"]),
    ("Models and optimization", &["model", "eval", "optimize", "proposal", "dspy"]),
    ("Import and export", &["validate", "import", "export", "link", "target", "kit", "registry", "schema"]),
    ("Workspace", &["workspace", "page"]),
    ("App", &["studio", "status", "settings", "db", "diagnostics", "completions"]),
    ("Other programs", &["serve", "token", "mcp"]),
];

const SKILL_COMMANDS: &[Group] = &[
    ("Inspect", &["list", "show", "stats", "tokens", "index", "check", "readiness", "grep", "uses", "deps"]),
    ("Run", &["exec"]),
    ("Edit", &["create", "edit", "set", "rename", "duplicate", "fork", "move"]),
    ("Organize", &["enable", "disable", "promote", "deprecate", "archive", "reinstate", "merge", "tag", "category"]),
    ("History", &["history", "update", "diff", "rollback", "revert", "delete", "deleted", "restore"]),
];

pub(crate) fn command() -> Command {
    let command = Args::command().mut_subcommand("skill", |skill| grouped(skill, SKILL_COMMANDS));
    let command = command.mut_arg("workspace", ignore_empty_variable).mut_arg("home", ignore_empty_variable);
    let footer = "Run `inklings help COMMAND` for more information about a command.";
    grouped(command, COMMANDS).after_help(format!(
        "{}\n\n{footer}",
        examples(&["inklings skill list", "inklings run release-notes --param version=1.4", "inklings import ~/.claude/skills",]).ansi()
    ))
}

/// An empty variable counts as not set.
fn ignore_empty_variable(arg: Arg) -> Arg {
    let is_empty = arg.get_env().and_then(std::env::var_os).is_some_and(|value| value.is_empty());
    if is_empty { arg.env(Resettable::Reset) } else { arg }
}

/// Lists the subcommands under headings.
fn grouped(command: Command, groups: &[Group]) -> Command {
    let width = groups.iter().flat_map(|(_, names)| *names).map(|name| name.len()).max().unwrap_or_default();
    let (header, literal) = (*Styles::styled().get_header(), *Styles::styled().get_literal());
    let mut list = String::new();
    for (heading, names) in groups {
        // Writing to a String can't fail.
        let _ = writeln!(list, "{header}{heading}:{header:#}");
        for name in *names {
            let about = command.find_subcommand(name).and_then(Command::get_about).map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(list, "  {literal}{name}{literal:#}{}  {about}", " ".repeat(width - name.len()));
        }
        list.push('\n');
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{header}Options:{header:#}\n{{options}}{{after-help}}"
    ))
}

pub(super) fn examples(lines: &[&str]) -> StyledStr {
    let header = *Styles::styled().get_header();
    StyledStr::from(format!("{header}Examples:{header:#}\n  {}", lines.join("\n  ")))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::Parser as _;

    use super::*;

    fn all(command: &Command, check: &mut impl FnMut(&Command)) {
        check(command);
        command.get_subcommands().for_each(|one| all(one, check));
    }

    #[test]
    fn the_arguments_are_consistent() {
        command().debug_assert();
    }

    #[test]
    fn every_visible_command_is_in_one_group() {
        for (path, groups) in [(None, COMMANDS), (Some("skill"), SKILL_COMMANDS)] {
            let command = command();
            let command = path.map_or(&command, |name| command.find_subcommand(name).unwrap());
            let visible: BTreeSet<_> = command.get_subcommands().filter(|one| !one.is_hide_set()).map(Command::get_name).collect();
            let listed: Vec<_> = groups.iter().flat_map(|(_, names)| *names).copied().collect();
            assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), visible);
            assert_eq!(listed.len(), visible.len(), "one is in two groups");
        }
    }

    #[test]
    fn every_example_can_be_typed() {
        let mut count = 0;
        all(&command(), &mut |command| {
            let Some(text) = command.get_after_help().map(ToString::to_string) else { return };
            for line in text.lines().filter(|line| line.starts_with("  ")) {
                let words = words(line.split(['<', '>']).next().unwrap());
                assert!(Args::try_parse_from(&words).is_ok(), "{line}: {}", Args::try_parse_from(&words).unwrap_err());
                count += 1;
            }
        });
        assert!(count > 30, "{count}");
    }

    #[test]
    fn former_spellings_are_understood() {
        for line in [
            "inklings trace list",
            "inklings trace runs",
            "inklings sidecar status",
            "inklings sidecar manifest",
            "inklings workspace forget /notes",
            "inklings skill list --team",
            "inklings skill list --platform",
            "inklings skill list --human",
            "inklings skill list --learned",
            "inklings skill grep colour --case",
            "inklings import a --conflicts both --choose a=both",
            "inklings export a --out b --normalise",
            "inklings optimize a b --held-out 0.5",
            "inklings target pull a --mine b",
            "inklings model add a --kind ollama --key",
            "inklings model list --offered",
        ] {
            assert!(Args::try_parse_from(words(line)).is_ok(), "{line}");
        }
    }

    /// Splits at spaces, outside of single quotes.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut quoted = false;
        for letter in line.trim().chars() {
            match letter {
                '\'' => quoted = !quoted,
                ' ' if !quoted => words.push(String::new()),
                letter => words.last_mut().unwrap().push(letter),
            }
        }
        words
    }

    /// Like the help of cargo and gh: no final period, no "Its …", no "without it".
    #[test]
    fn help_is_short_phrases() {
        all(&command(), &mut |command| {
            let args = command.get_arguments().filter(|arg| !arg.is_hide_set());
            let helps = args.map(|arg| (arg.get_id().to_string(), arg.get_help().map(ToString::to_string).unwrap_or_default()));
            let about = (String::new(), command.get_about().map(ToString::to_string).unwrap_or_default());
            for (arg, help) in std::iter::once(about).chain(helps) {
                let context = format!("{} {arg}: {help:?}", command.get_name());
                assert!(help.starts_with(char::is_uppercase), "{context}");
                assert!(!help.ends_with('.') && help.len() <= 110, "{context}");
                for phrase in ["Its ", "without it", "optimis", "normalis", "Studio"] {
                    assert!(!help.contains(phrase), "{context}");
                }
            }
        });
    }
}
