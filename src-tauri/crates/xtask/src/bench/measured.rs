//! Results of criterion in nanoseconds by benchmark id.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

/// Reads every `new/estimates.json` below criterion's folder; the id is in the `benchmark.json` beside it.
pub(crate) fn read(criterion: &Path) -> Result<BTreeMap<String, f64>> {
    let mut found = BTreeMap::new();
    visit(criterion, &mut found)?;
    Ok(found)
}

fn visit(folder: &Path, found: &mut BTreeMap<String, f64>) -> Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    let latest = folder.join("new");
    if latest.join("estimates.json").is_file() {
        let (id, nanoseconds) = read_result(&latest).with_context(|| format!("cannot understand {}", latest.display()))?;
        found.insert(id, nanoseconds);
        return Ok(());
    }
    for entry in entries.flatten().filter(|entry| entry.path().is_dir()) {
        visit(&entry.path(), found)?;
    }
    Ok(())
}

fn read_result(latest: &Path) -> Result<(String, f64)> {
    let about: Value = serde_json::from_str(&fs::read_to_string(latest.join("benchmark.json"))?)?;
    let estimates: Value = serde_json::from_str(&fs::read_to_string(latest.join("estimates.json"))?)?;
    let id = about["full_id"].as_str().context("no full_id")?.to_owned();
    let nanoseconds = estimates["median"]["point_estimate"].as_f64().context("no median")?;
    Ok((id, nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_from_criterion_and_not_from_folder_names() {
        let folder = tempfile::tempdir().unwrap();
        let latest = folder.path().join("catalog/list_all_10_000/new");
        fs::create_dir_all(&latest).unwrap();
        fs::write(latest.join("benchmark.json"), r#"{"full_id":"catalog/list all/10 000"}"#).unwrap();
        fs::write(latest.join("estimates.json"), r#"{"median":{"point_estimate":1250.5},"mean":{"point_estimate":9.0}}"#).unwrap();
        fs::create_dir_all(folder.path().join("catalog/report")).unwrap();
        assert_eq!(read(folder.path()).unwrap(), BTreeMap::from([("catalog/list all/10 000".to_owned(), 1250.5)]));
    }

    #[test]
    fn nothing_measured_is_no_error() {
        assert!(read(Path::new("/nowhere/at/all")).unwrap().is_empty());
    }
}
