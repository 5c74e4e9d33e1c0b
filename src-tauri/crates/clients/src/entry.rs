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
        let mut args: Vec<String> = SERVE.map(str::to_owned).into();
        if let Some(workspace) = workspace {
            args.extend([WORKSPACE.to_owned(), workspace.display().to_string()]);
        }
        if let Some(role) = role {
            args.extend([ROLE.to_owned(), role.to_owned()]);
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
        let at = self.args.iter().position(|arg| arg == ROLE)?;
        self.args.get(at + 1).map(String::as_str)
    }
}
