use std::ops::Range;
use std::path::Path;

/// Key of our server in the table of servers.
pub const SERVER_NAME: &str = "inklings";

const SERVE: [&str; 2] = ["serve", "--mcp-stdio"];
const WORKSPACE: &str = "--workspace";
const ROLE: &str = "--role";

/// How a client starts the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerEntry {
    /// Absolute path of the program.
    pub command: String,
    pub args: Vec<String>,
}

impl ServerEntry {
    #[must_use]
    pub fn new(program: &Path, workspace: Option<&Path>, role: Option<&str>) -> Self {
        Self { command: String::new(), args: SERVE.map(str::to_owned).into() }.updated(program, workspace, role)
    }

    /// The entry for a program that may have moved. Arguments that aren't given here stay as they are.
    #[must_use]
    pub fn updated(&self, program: &Path, workspace: Option<&Path>, role: Option<&str>) -> Self {
        let mut args = self.args.clone();
        let [_, stdio] = SERVE;
        if !args.iter().any(|arg| arg == stdio) {
            args.push(stdio.to_owned());
        }
        let workspace = workspace.map(|workspace| workspace.display().to_string());
        for (name, value) in [(WORKSPACE, workspace.as_deref()), (ROLE, role)] {
            if let Some(value) = value {
                set_option(&mut args, name, value);
            }
        }
        Self { command: program.display().to_string(), args }
    }

    /// Whether it starts this product, in whatever version and folder.
    pub(crate) fn is_ours(&self) -> bool {
        let program = Path::new(&self.command).file_name().and_then(|name| name.to_str());
        program == Some("inklings") && self.args.first().is_some_and(|arg| arg == SERVE[0])
    }

    #[must_use]
    pub fn role(&self) -> Option<&str> {
        option(&self.args, ROLE).map(|(_, role)| role)
    }
}

/// The value of an option, and the places of the arguments that give it: `--name value` or `--name=value`.
fn option<'a>(args: &'a [String], name: &str) -> Option<(Range<usize>, &'a str)> {
    args.iter().enumerate().find_map(|(at, arg)| match arg.strip_prefix(name)? {
        "" => args.get(at + 1).map(|value| (at..at + 2, value.as_str())),
        rest => rest.strip_prefix('=').map(|value| (at..at + 1, value)),
    })
}

fn set_option(args: &mut Vec<String>, name: &str, value: &str) {
    let place = match option(args, name) {
        Some((_, present)) if present == value => return,
        Some((place, _)) => place,
        None => args.len()..args.len(),
    };
    drop(args.splice(place, [name.to_owned(), value.to_owned()]));
}
