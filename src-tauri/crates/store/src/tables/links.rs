//! `skill_links`: the folders on disk that skills are linked to, in the account's database.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use inklings_core::link::{LinkBase, SkillLink, SkillLinks};
use inklings_core::{SkillId, StorageError};
use inklings_sqlite::Fault;
use rusqlite::{Row, Transaction, named_params, params};

use crate::blob::broken;
use crate::feed;
use crate::store::Store;
use crate::tables::{json, parse};

/// What the feed calls a change of a link.
const FEED_KIND: &str = "link";

impl SkillLinks for Store {
    fn links(&self, workspace: &str) -> Result<Vec<SkillLink>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM skill_links WHERE workspace = ?1 ORDER BY folder")?;
            let mut rows = statement.query([workspace])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push(read(row)?);
            }
            Ok(all)
        })
    }

    fn links_of(&self, workspace: &str, skills: &[SkillId]) -> Result<Vec<SkillLink>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM skill_links WHERE workspace = ?1 AND skill_id = ?2")?;
            let mut all = Vec::new();
            for skill in skills {
                let mut rows = statement.query(params![workspace, skill.to_string()])?;
                while let Some(row) = rows.next()? {
                    all.push(read(row)?);
                }
            }
            Ok(all)
        })
    }

    fn put_links(&self, links: &[SkillLink]) -> Result<(), StorageError> {
        self.write(|transaction| links.iter().try_for_each(|link| put(transaction, link, self.origin())))
    }

    fn remove_link(&self, workspace: &str, skill: SkillId) -> Result<bool, StorageError> {
        self.write(|transaction| {
            let sql = "DELETE FROM skill_links WHERE workspace = ?1 AND skill_id = ?2";
            let removed = transaction.prepare_cached(sql)?.execute(params![workspace, skill.to_string()])? > 0;
            if removed {
                feed::append(transaction, FEED_KIND, &skill.to_string(), self.origin())?;
            }
            Ok(removed)
        })
    }
}

fn put(transaction: &Transaction<'_>, link: &SkillLink, origin: &str) -> Result<(), Fault> {
    let (skill, folder) = (link.skill.to_string(), link.folder.as_os_str().as_bytes());
    let folder = std::str::from_utf8(folder).map_err(|error| broken(&error))?;
    // Clients show agent, state and problem; a new base alone is of no interest to them.
    let shown = "SELECT 1 FROM skill_links WHERE workspace = ?1 AND skill_id = ?2 AND folder = ?3 AND agent IS ?4 AND active = ?5 AND problem IS ?6";
    let same = transaction.prepare_cached(shown)?.exists(params![link.workspace, skill, folder, link.agent, link.active, link.problem])?;
    transaction.prepare_cached("DELETE FROM skill_links WHERE workspace = ?1 AND folder = ?2 AND skill_id <> ?3")?.execute(params![
        link.workspace,
        folder,
        skill
    ])?;
    let files = serde_json::to_string(&link.base.files).map_err(|error| broken(&error))?;
    transaction
        .prepare_cached(
            "INSERT INTO skill_links (workspace, skill_id, folder, agent, active, revision, files, problem)
             VALUES (:workspace, :skill, :folder, :agent, :active, :revision, :files, :problem)
             ON CONFLICT DO UPDATE SET folder = excluded.folder, agent = excluded.agent, active = excluded.active,
                revision = excluded.revision, files = excluded.files, problem = excluded.problem",
        )?
        .execute(named_params! {
            ":workspace": link.workspace,
            ":skill": skill,
            ":folder": folder,
            ":agent": link.agent,
            ":active": link.active,
            ":revision": link.base.revision,
            ":files": files,
            ":problem": link.problem,
        })?;
    if same { Ok(()) } else { feed::append(transaction, FEED_KIND, &skill, origin) }
}

fn read(row: &Row<'_>) -> Result<SkillLink, Fault> {
    Ok(SkillLink {
        workspace: row.get("workspace")?,
        skill: parse(row, "skill_id")?,
        folder: PathBuf::from(OsStr::from_bytes(row.get_ref("folder")?.as_bytes().map_err(|error| broken(&error))?)),
        agent: row.get("agent")?,
        active: row.get("active")?,
        base: LinkBase { revision: row.get("revision")?, files: json(row, "files")? },
        problem: row.get("problem")?,
    })
}
