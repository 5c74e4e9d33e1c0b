//! Required tools that xtask doesn't install: compiler components, a C compiler, Node.

use anyhow::{Result, bail};

use super::Purpose;
use crate::process::first_line;

/// A program with its version command, minimum version, and installation command.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    ask: (&'static str, &'static [&'static str]),
    least: (u32, u32),
    pub(crate) install: &'static str,
    purpose: Purpose,
}

/// Programs that xtask requires but can't install.
pub(crate) const TOOLS: &[Tool] = &[
    Tool { name: "cc", ask: ("cc", &["--version"]), least: (0, 0), install: "apt-get install -y build-essential", purpose: Purpose::Run },
    Tool { name: "node", ask: ("node", &["--version"]), least: (20, 19), install: "nvm install 20", purpose: Purpose::Run },
    Tool { name: "npm", ask: ("npm", &["--version"]), least: (9, 0), install: "nvm install 20", purpose: Purpose::Run },
    Tool {
        name: "rustfmt",
        ask: ("cargo", &["fmt", "--version"]),
        least: (0, 0),
        install: "rustup component add rustfmt",
        purpose: Purpose::Check,
    },
    Tool {
        name: "clippy",
        ask: ("clippy-driver", &["--version"]),
        least: (0, 0),
        install: "rustup component add clippy",
        purpose: Purpose::Check,
    },
];

impl Tool {
    /// The version line, or the problem with it.
    pub(crate) fn probe(&self) -> Result<String> {
        let Self { name, least, install, .. } = self;
        let found = first_line(self.ask.0, self.ask.1);
        match found {
            None => bail!("{name} not found: {install}"),
            Some(line) if version(&line).unwrap_or_default() < *least => {
                bail!("{name} {}.{} or newer is required, found {line}: {install}", least.0, least.1)
            }
            Some(line) => Ok(line),
        }
    }
}

/// Fails with one line for the first missing tool of `purpose`.
pub(crate) fn ensure(purpose: Purpose) -> Result<()> {
    TOOLS.iter().filter(|tool| tool.purpose <= purpose).try_for_each(|tool| tool.probe().map(drop))
}

/// Major and minor of the first number in `line`, such as `v20.19.4`.
fn version(line: &str) -> Option<(u32, u32)> {
    let from = line.find(|c: char| c.is_ascii_digit())?;
    let mut parts = line[from..].split(|c: char| !c.is_ascii_digit()).map(str::parse);
    Some((parts.next()?.ok()?, parts.next().and_then(Result::ok).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_tools_print() {
        assert_eq!(version("v20.19.4"), Some((20, 19)));
        assert_eq!(version("11.19.1"), Some((11, 19)));
        assert_eq!(version("rustfmt 1.9.0-stable (59807616e1 2026-04-14)"), Some((1, 9)));
        assert_eq!(version("22"), Some((22, 0)));
        assert_eq!(version("unknown"), None);
    }

    #[test]
    fn a_missing_or_old_tool_gives_one_line_with_the_command() {
        let absent = Tool {
            name: "frobnicate",
            ask: ("frobnicate-that-nobody-has", &[]),
            least: (1, 0),
            install: "apt-get install -y frobnicate",
            purpose: Purpose::Run,
        };
        assert_eq!(absent.probe().unwrap_err().to_string(), "frobnicate not found: apt-get install -y frobnicate");
        let old = Tool { ask: ("echo", &["v0.9.1"]), ..absent };
        let line = old.probe().unwrap_err().to_string();
        assert_eq!(line, "frobnicate 1.0 or newer is required, found v0.9.1: apt-get install -y frobnicate");
    }
}
