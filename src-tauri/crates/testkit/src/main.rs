//! `scripted-model [--script JSON | --script-file PATH]`: prints `{"port":N}` and serves until its standard input ends.

use std::io::Write as _;

use inklings_testkit::{Script, ScriptedModel};
use tokio::io::AsyncReadExt as _;

/// Why it can't start.
#[derive(Debug, thiserror::Error)]
enum Failed {
    /// The arguments are not as described.
    #[error("usage: scripted-model [--script JSON | --script-file PATH]")]
    Usage,
    /// The script is no script.
    #[error("the script can't be read: {0}")]
    Script(#[from] serde_json::Error),
    /// A file or socket failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

#[tokio::main]
async fn main() -> Result<(), Failed> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let script = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => Script::default(),
        ["--script", text] => serde_json::from_str(text)?,
        ["--script-file", path] => serde_json::from_str(&std::fs::read_to_string(path)?)?,
        _ => return Err(Failed::Usage),
    };
    let server = ScriptedModel::start(script).await?;
    writeln!(std::io::stdout(), "{{\"port\":{}}}", server.port())?;
    std::io::stdout().flush()?;
    // Whoever started it holds the other end: when that process is gone, so is this one.
    let mut nothing = Vec::new();
    tokio::io::stdin().read_to_end(&mut nothing).await?;
    drop(server);
    Ok(())
}
