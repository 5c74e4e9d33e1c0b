//! `skills`: a skill's row, as summary, as head, and with the package's own values.

use inklings_core::name::{fold, lookup_key};
use inklings_core::skill::Sources;
use inklings_core::{ArtifactKind, Head, LifecycleChange, Package, Scope, Skill, SkillId, SkillPath, SkillSummary, Source};
use inklings_sqlite::Fault;
use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, OptionalExtension as _, Row, ToSql, named_params};

use crate::blob::broken;
use crate::tables::{json, marketplace, parse, parse_optional, to_json};

/// What the tables of a skill's parts name it by: its row's number, good within one transaction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SkillKey(i64);

impl ToSql for SkillKey {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

pub(crate) fn key(connection: &Connection, id: SkillId) -> Result<Option<SkillKey>, Fault> {
    let mut statement = connection.prepare_cached("SELECT key FROM skills WHERE id = ?1")?;
    Ok(statement.query_row([id.to_string()], |row| row.get(0).map(SkillKey)).optional()?)
}

const HEAD_COLUMNS: &str = "id, revision, source, origin, lifecycle, trust_tier, enabled, created_by, parent_skill_id, deprecated_reason,
    source_session, provenance, marketplace_id, sync_etag, created_at, updated_at";

/// All rows as summaries, by slug. They are read as they lie in the file and sorted here: in the order of an index on slugs the
/// same pages would be read again and again.
pub(crate) fn list(connection: &Connection, scope: Scope) -> Result<Vec<SkillSummary>, Fault> {
    let mut statement = connection.prepare_cached(
        "SELECT id, slug, name, description, version, tags, category, source, origin, lifecycle, trust_tier, enabled, user_invocable,
                revision, author, created_at, updated_at, kinds, file_count, byte_count
         FROM skills NOT INDEXED",
    )?;
    let mut rows = statement.query([])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        // An invalid row must not hide the others.
        match summary(row, scope) {
            Ok(summary) => all.push(summary),
            Err(fault) => tracing::warn!(id = ?row.get_ref(0), ?fault, "a skill's row can't be read"),
        }
    }
    all.sort_by(|one, other| one.slug.cmp(&other.slug));
    Ok(all)
}

/// Columns by position: this is the hot path of every list.
fn summary(row: &Row<'_>, scope: Scope) -> Result<SkillSummary, Fault> {
    fn text<'a>(row: &'a Row<'_>, index: usize) -> Result<&'a str, Fault> {
        row.get_ref(index)?.as_str().map_err(|error| broken(&error))
    }
    fn value<T: std::str::FromStr<Err: std::fmt::Display>>(row: &Row<'_>, index: usize) -> Result<T, Fault> {
        text(row, index)?.parse().map_err(|error: T::Err| broken(&error))
    }
    let source: Source = value(row, 7)?;
    Ok(SkillSummary {
        id: value(row, 0)?,
        scope,
        slug: value(row, 1)?,
        name: row.get(2)?,
        description: row.get(3)?,
        version: row.get(4)?,
        tags: serde_json::from_str(text(row, 5)?).map_err(|error| broken(&error))?,
        category: row.get(6)?,
        source,
        origin: value(row, 8)?,
        lifecycle: value(row, 9)?,
        trust_tier: row.get(10)?,
        enabled: row.get(11)?,
        user_invocable: row.get(12)?,
        revision: row.get(13)?,
        author: row.get(14)?,
        created_at: value(row, 15)?,
        updated_at: value(row, 16)?,
        locked: source.is_locked(),
        shadows: false,
        shadowed: false,
        collides_with: None,
        kinds: kinds(text(row, 17)?)?,
        files: row.get(18)?,
        bytes: u64::try_from(row.get::<_, i64>(19)?).unwrap_or_default(),
    })
}

pub(crate) fn kinds(text: &str) -> Result<Vec<ArtifactKind>, Fault> {
    text.split(',').filter(|kind| !kind.is_empty()).map(|kind| kind.parse().map_err(|error| broken(&error))).collect()
}

/// The head of a row.
pub(crate) fn head(connection: &Connection, scope: Scope, id: SkillId) -> Result<Option<Head>, Fault> {
    let mut statement = connection.prepare_cached(&format!("SELECT {HEAD_COLUMNS} FROM skills WHERE id = ?1"))?;
    let mut rows = statement.query([id.to_string()])?;
    rows.next()?.map(|row| read_head(row, scope)).transpose()
}

fn read_head(row: &Row<'_>, scope: Scope) -> Result<Head, Fault> {
    let provenance: Option<String> = row.get("provenance")?;
    Ok(Head {
        id: parse(row, "id")?,
        scope,
        revision: row.get("revision")?,
        source: parse(row, "source")?,
        origin: parse(row, "origin")?,
        lifecycle: parse(row, "lifecycle")?,
        trust_tier: row.get("trust_tier")?,
        enabled: row.get("enabled")?,
        created_by: row.get("created_by")?,
        parent_skill_id: parse_optional(row, "parent_skill_id")?,
        deprecated_reason: row.get("deprecated_reason")?,
        source_session: row.get("source_session")?,
        provenance: provenance.map(|text| serde_json::from_str(&text).map_err(|error| broken(&error))).transpose()?,
        package: marketplace::package(row)?,
        created_at: parse(row, "created_at")?,
        updated_at: parse(row, "updated_at")?,
    })
}

/// The row with the package's own values; artifacts, files and relations are added by their modules.
pub(crate) fn get(connection: &Connection, scope: Scope, id: SkillId) -> Result<Option<(SkillKey, Skill)>, Fault> {
    let mut statement = connection.prepare_cached("SELECT * FROM skills WHERE id = ?1")?;
    let mut rows = statement.query([id.to_string()])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let run: Option<String> = row.get("run")?;
    let text = |column: &str| -> Result<Option<std::sync::Arc<str>>, Fault> { Ok(row.get::<_, Option<String>>(column)?.map(Into::into)) };
    let package = Package {
        slug: parse(row, "slug")?,
        name: row.get("name")?,
        description: row.get("description")?,
        version: row.get("version")?,
        author: row.get("author")?,
        tags: json(row, "tags")?,
        category: row.get("category")?,
        triggers: json(row, "trigger_phrases")?,
        intent_patterns: json(row, "intent_patterns")?,
        when_not_to_use: row.get("when_not_to_use")?,
        user_invocable: row.get("user_invocable")?,
        steps: json(row, "steps")?,
        relations: Vec::new(),
        metadata: json(row, "metadata")?,
        run: run.map(|text| serde_json::from_str(&text).map_err(|error| broken(&error))).transpose()?,
        artifacts: Vec::new(),
        files: Vec::new(),
        sources: Sources { frontmatter: text("frontmatter")?, skill_json: text("skill_json")? },
        main_path: parse::<SkillPath>(row, "main_path")?,
    };
    Ok(Some((SkillKey(row.get("key")?), Skill { head: read_head(row, scope)?, package })))
}

/// The id of a skill asked for by id, slug, then title; `_` and blanks stand for `-`.
pub(crate) fn resolve(connection: &Connection, name: &str) -> Result<Option<SkillId>, Fault> {
    let by = |sql: &str, key: &str| -> Result<Option<String>, Fault> {
        Ok(connection.prepare_cached(sql)?.query_row([key], |row| row.get(0)).optional()?)
    };
    let id = name.parse::<SkillId>().map(|id| id.to_string()).unwrap_or_default();
    let key = lookup_key(name);
    let mut found = if id.is_empty() { None } else { by("SELECT id FROM skills WHERE id = ?1", &id)? };
    if found.is_none() {
        found = by("SELECT id FROM skills WHERE slug = ?1", &key)?;
    }
    if found.is_none() {
        found = by("SELECT id FROM skills WHERE name_key = ?1", &fold(name.trim()))?;
    }
    if found.is_none() {
        found = by("SELECT id FROM skills WHERE replace(replace(name_key, ' ', '-'), '_', '-') = ?1 LIMIT 1", &key)?;
    }
    found.map(|id| id.parse().map_err(|error| broken(&error))).transpose()
}

/// Returns the slug, or nothing if no skill with this id is in the state that the change is from.
pub(crate) fn set_lifecycle(connection: &Connection, id: SkillId, change: &LifecycleChange, now: &str) -> Result<Option<String>, Fault> {
    let row = named_params! {
        ":id": id.to_string(),
        ":from": change.from.as_str(),
        ":to": change.to.as_str(),
        ":trust_tier": change.trust_tier,
        ":reason": change.reason,
        ":revision": change.revision,
        ":validated_at": change.is_validation().then_some(now),
    };
    let mut statement = connection.prepare_cached(
        "UPDATE skills SET lifecycle = :to, trust_tier = :trust_tier, deprecated_reason = :reason,
             last_validated_at = coalesce(:validated_at, last_validated_at)
         WHERE id = :id AND lifecycle = :from AND revision = coalesce(:revision, revision) RETURNING slug",
    )?;
    Ok(statement.query_row(row, |row| row.get(0)).optional()?)
}

/// Inserts or replaces the row and returns its key. `revision` is the new one.
pub(crate) fn put(connection: &Connection, skill: &Skill, revision: i64, files: usize, now: &str) -> Result<SkillKey, Fault> {
    let (head, package) = (&skill.head, &skill.package);
    let kinds: Vec<_> = package.kinds().into_iter().map(ArtifactKind::as_str).collect();
    let row = named_params! {
        ":id": head.id.to_string(),
        ":slug": package.slug.as_str(),
        ":name": package.name,
        ":name_key": fold(&package.name),
        ":description": package.description,
        ":version": package.version,
        ":tags": to_json(&package.tags)?,
        ":category": package.category,
        ":source": head.source.as_str(),
        ":origin": head.origin.as_str(),
        ":author": package.author,
        ":created_by": head.created_by,
        ":revision": revision,
        ":enabled": head.enabled,
        ":user_invocable": package.user_invocable,
        ":lifecycle": head.lifecycle.as_str(),
        ":trust_tier": head.trust_tier,
        ":deprecated_reason": head.deprecated_reason,
        ":parent_skill_id": head.parent_skill_id.map(|id| id.to_string()),
        ":source_session": head.source_session,
        ":provenance": head.provenance.as_ref().map(to_json).transpose()?,
        ":marketplace_id": head.package.as_ref().map(|package| &package.marketplace_id),
        ":sync_etag": head.package.as_ref().map(|package| package.sha256.to_string()),
        ":when_not_to_use": package.when_not_to_use,
        ":steps": to_json(&package.steps)?,
        ":intent_patterns": to_json(&package.intent_patterns)?,
        ":trigger_phrases": to_json(&package.triggers)?,
        ":run": package.run.as_ref().map(to_json).transpose()?,
        ":metadata": to_json(&package.metadata)?,
        ":main_path": package.main_path.as_str(),
        ":frontmatter": package.sources.frontmatter.as_deref(),
        ":skill_json": package.sources.skill_json.as_deref(),
        ":kinds": kinds.join(","),
        ":file_count": i64::try_from(files).unwrap_or(i64::MAX),
        ":byte_count": i64::try_from(package.bytes()).unwrap_or(i64::MAX),
        ":created_at": head.created_at.to_string(),
        ":updated_at": now,
    };
    Ok(connection.prepare_cached(UPSERT)?.query_row(row, |row| row.get(0).map(SkillKey))?)
}

/// Usage, the lifecycle and the enabled switch belong to the row, not to the write, and stay as they are.
const UPSERT: &str = "
    INSERT INTO skills (id, slug, name, name_key, description, version, tags, category, source, origin, author, created_by, revision,
        enabled, user_invocable, lifecycle, trust_tier, deprecated_reason, parent_skill_id, source_session, provenance, marketplace_id, sync_etag,
        when_not_to_use, steps, intent_patterns, trigger_phrases, run, metadata, main_path, frontmatter, skill_json, kinds, file_count, byte_count,
        created_at, updated_at)
    VALUES (:id, :slug, :name, :name_key, :description, :version, :tags, :category, :source, :origin, :author, :created_by, :revision,
        :enabled, :user_invocable, :lifecycle, :trust_tier, :deprecated_reason, :parent_skill_id, :source_session, :provenance,
        :marketplace_id, :sync_etag, :when_not_to_use, :steps, :intent_patterns, :trigger_phrases, :run, :metadata, :main_path, :frontmatter, :skill_json, :kinds,
        :file_count, :byte_count, :created_at, :updated_at)
    ON CONFLICT (id) DO UPDATE SET slug = excluded.slug, name = excluded.name, name_key = excluded.name_key,
        description = excluded.description, version = excluded.version, tags = excluded.tags, category = excluded.category,
        source = excluded.source, origin = excluded.origin, author = excluded.author, revision = excluded.revision,
        user_invocable = excluded.user_invocable, parent_skill_id = excluded.parent_skill_id, provenance = excluded.provenance,
        marketplace_id = excluded.marketplace_id, sync_etag = excluded.sync_etag,
        when_not_to_use = excluded.when_not_to_use, steps = excluded.steps, intent_patterns = excluded.intent_patterns,
        trigger_phrases = excluded.trigger_phrases, run = excluded.run, metadata = excluded.metadata, main_path = excluded.main_path,
        frontmatter = excluded.frontmatter, skill_json = excluded.skill_json, kinds = excluded.kinds, file_count = excluded.file_count,
        byte_count = excluded.byte_count, updated_at = excluded.updated_at
    RETURNING key";
