//! `scripted-model [--script JSON | --script-file PATH]`: prints `{"port":N}` and serves until its standard input is closed.

use std::io::Write as _;

use inklings_testkit::{Script, ScriptedModel};
use tokio::io::AsyncReadExt as _;

#[derive(Debug, thiserror::Error)]
enum StartError {
    #[error("usage: scripted-model [--script JSON | --script-file PATH]")]
    Usage,
    #[error("the script can't be read: {0}")]
    Script(#[from] serde_json::Error),
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

#[tokio::main]
async fn main() -> Result<(), StartError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let script = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => Script::default(),
        ["--script", text] => serde_json::from_str(text)?,
        ["--script-file", path] => serde_json::from_str(&std::fs::read_to_string(path)?)?,
        _ => return Err(StartError::Usage),
    };
    let server = ScriptedModel::start(script).await?;
    writeln!(std::io::stdout(), "{{\"port\":{}}}", server.port())?;
    std::io::stdout().flush()?;
    // The parent holds the other end, so this process ends with it.
    let mut nothing = Vec::new();
    tokio::io::stdin().read_to_end(&mut nothing).await?;
    drop(server);
    Ok(())
}
