//! `cargo xtask doctor`: lists requirements, and the command to install each missing one.

use anyhow::Result;

use crate::cache;
use crate::paths::Paths;
use crate::setup::{Purpose, apt, npm, tools};
use crate::{embedding, sandbox, sidecar};

pub(crate) fn run(paths: &Paths) -> Result<bool> {
    let mut complete = true;
    for tool in tools::TOOLS {
        match tool.probe() {
            Ok(version) => println!("ok       {:9} {version}", tool.name),
            Err(problem) => {
                complete = false;
                println!("missing  {problem}");
            }
        }
    }
    match apt::missing(Purpose::Window) {
        Ok(packages) if packages.is_empty() => println!("ok       {} system packages", apt::wanted(Purpose::Window).len()),
        Ok(packages) => {
            complete = false;
            println!("missing  system packages: {}", apt::command_line(&packages));
        }
        Err(problem) => {
            complete = false;
            println!("missing  {problem:#}");
        }
    }
    for folder in npm::folders(paths, Purpose::Window) {
        let shown = folder.strip_prefix(&paths.root).unwrap_or(&folder).display();
        // The next run or test installs these automatically.
        println!("{}  npm packages in {shown}", if npm::is_current(&folder)? { "ok     " } else { "to do  " });
    }
    println!("{}  the Python sandbox's machine code", if sandbox::is_current(paths)? { "ok     " } else { "to do  " });
    println!("{}  the embedding model", if embedding::is_current(paths)? { "ok     " } else { "to do  " });
    println!("{}  the DSPy process", if sidecar::is_current(paths)? { "ok     " } else { "to do  " });
    let megabytes = cache::size(&paths.cache) / 1_000_000;
    println!("         cache {} holds {megabytes} MB", paths.cache.display());
    Ok(complete)
}
