//! `inklings dev`: generates files of this repository.

use std::path::Path;

use anyhow::{Context as _, anyhow};
use inklings_engine::Resources;
use serde_json::Value;

use crate::args::DevCommand;
use crate::error::CliError;

pub(crate) fn run(command: DevCommand) -> Result<(), CliError> {
    let (text, file, check, name) = match command {
        DevCommand::Man { folder } => return Ok(manual(&folder)?),
        DevCommand::Vectors { file } => {
            let vectors = inklings_engine::shipped_vectors(&Resources::find()).map_err(|error| anyhow!(error))?;
            return Ok(std::fs::write(&file, vectors).with_context(|| format!("can't write {}", file.display()))?);
        }
        DevCommand::Schema { file, check } => (json(&inklings_app::schema::document())?, file, check, "schema"),
        DevCommand::Rules { file, check } => (inklings_app::features::check::rules_page(), file, check, "rules"),
        DevCommand::SidecarSchema { file, check } => (json(&inklings_engine::sidecar_schema())?, file, check, "sidecar-schema"),
    };
    if !check {
        std::fs::write(&file, text).with_context(|| format!("can't write {}", file.display()))?;
    } else if std::fs::read_to_string(&file).ok().as_deref() != Some(text.as_str()) {
        return Err(anyhow!("{} is out of date; run `inklings dev {name}`", file.display()).into());
    }
    Ok(())
}

/// `inklings.1`, `inklings-skill.1`, `inklings-skill-list.1`, … without hidden commands.
fn manual(folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(crate::args::command(), folder))
        .with_context(|| format!("can't write the man pages to {}", folder.display()))
}

fn json(schema: &Value) -> anyhow::Result<String> {
    Ok(format!("{}\n", serde_json::to_string_pretty(schema).context("can't serialize the schema")?))
}
