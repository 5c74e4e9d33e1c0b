//! Creating, inspecting and maintaining a registry.

use std::path::Path;
use std::time::Duration;

use inklings_core::{Clock, Slug, Time};
use inklings_folder::Folder;
use inklings_prompt::PromptEngine;
use inklings_registry::format::{Publisher, RegistryId, Role};
use inklings_registry::publish::{InitOptions, PublishOptions, RegistryFolder, Revoke, SigningKeys};
use semver::Version;

use super::api::{
    CreateRegistryParams, CreatedRegistry, PublishStatus, PublishTarget, PublishedState, RegistryPublisher, VerifiedRegistry,
};
use super::error::PublishFailure;
use super::keys::KeyFolder;

pub(super) const MAX_DAYS: u32 = 365;
/// A registry that isn't maintained is noticed after a month, and refreshing it every two weeks is enough.
const DEFAULT_DAYS: u32 = 30;
const ROOT_VALIDITY: Duration = Duration::from_hours(24 * 365);
/// The first version of the app that can sync registries.
const MINIMUM_CLIENT: Version = Version::new(0, 1, 0);

pub(super) struct PublishService<'a> {
    pub(super) format: &'a Folder,
    pub(super) prompts: &'a PromptEngine,
    pub(super) clock: &'a dyn Clock,
    /// Folders of keys, by registry.
    pub(super) keys: &'a Path,
}

pub(super) fn parse_version(text: &str) -> Result<Version, PublishFailure> {
    Version::parse(text).map_err(|_| PublishFailure::Version(text.to_owned()))
}

pub(super) fn open(folder: &Path) -> Result<RegistryFolder, PublishFailure> {
    ensure_absolute(folder)?;
    Ok(RegistryFolder::open(folder)?)
}

pub(super) fn ensure_absolute(path: &Path) -> Result<(), PublishFailure> {
    if path.is_absolute() { Ok(()) } else { Err(PublishFailure::RelativePath(path.to_owned())) }
}

const fn days(count: u32) -> Duration {
    Duration::from_hours(24 * count as u64)
}

impl PublishService<'_> {
    pub(super) fn options(&self, target: &PublishTarget) -> Result<PublishOptions, PublishFailure> {
        target.keys.as_deref().map_or(Ok(()), ensure_absolute)?;
        match target.days.unwrap_or(DEFAULT_DAYS) {
            valid @ 1..=MAX_DAYS => Ok(PublishOptions { now: self.clock.now(), validity: days(valid) }),
            other => Err(PublishFailure::Days(other)),
        }
    }

    pub(super) fn key_folder(&self, target: &PublishTarget, registry: &RegistryFolder) -> KeyFolder {
        KeyFolder::of(target, self.keys, &registry.root().document().registry)
    }

    pub(super) fn create(&self, params: CreateRegistryParams) -> Result<CreatedRegistry, PublishFailure> {
        let CreateRegistryParams { target, id, title, publisher } = params;
        ensure_absolute(&target.folder)?;
        let options = self.options(&target)?;
        let id: RegistryId = id.parse()?;
        let folder = KeyFolder::of(&target, self.keys, &id);
        // Keys without a registry are used by the next attempt; a registry without keys would be useless.
        let (keys, created) = folder.load_or_create()?;
        let init = InitOptions {
            registry: id.clone(),
            title: title.clone(),
            minimum_client: MINIMUM_CLIENT,
            root: Role::new(1, [keys.root.public()]),
            snapshot: Role::new(1, [keys.snapshot.public()]),
            publishers: vec![Publisher { key: keys.publisher.public(), name: publisher.unwrap_or_else(|| title.clone()) }],
            root_expires: options.now.after(ROOT_VALIDITY),
        };
        let signing = SigningKeys { snapshot: &[&keys.snapshot] };
        let registry = RegistryFolder::init(&target.folder, init, &[&keys.root], &signing, options)?;
        Ok(CreatedRegistry {
            folder: target.folder.display().to_string(),
            id: id.to_string(),
            title,
            fingerprint: *registry.fingerprint(),
            keys: folder.paths(created),
            expires: options.now.after(options.validity),
            root_expires: registry.root().document().expires,
        })
    }

    pub(super) fn status(&self, folder: &Path) -> Result<PublishStatus, PublishFailure> {
        let registry = open(folder)?;
        let contents = registry.contents()?;
        let (root, now) = (registry.root().document(), self.clock.now());
        let publisher = |one: &Publisher| RegistryPublisher { name: one.name.clone(), key: one.key.to_string() };
        Ok(PublishStatus {
            folder: folder.display().to_string(),
            id: root.registry.to_string(),
            title: root.title.clone(),
            fingerprint: *registry.fingerprint(),
            serial: contents.serial,
            expires: contents.expires,
            expired: contents.expires <= now,
            refresh_due: contents.expires <= now.after(days(DEFAULT_DAYS) / 2),
            root_expires: root.expires,
            root_expired: root.expires <= now,
            root_refresh_due: is_root_due(root.expires, now),
            publishers: root.publishers.iter().map(publisher).collect(),
            skills: contents.lines.chunk_by(|a, b| a.entry.slug == b.entry.slug).count(),
            versions: contents.lines.len(),
            yanked: contents.lines.iter().filter(|line| line.yanked.is_some()).count(),
            revoked: contents.revocations.packages.len(),
            distrusted: contents.distrusted,
        })
    }

    pub(super) fn verify(&self, folder: &Path) -> Result<VerifiedRegistry, PublishFailure> {
        let registry = open(folder)?;
        let report = registry.verify(self.format, self.clock.now())?;
        Ok(VerifiedRegistry {
            id: registry.root().document().registry.to_string(),
            fingerprint: *registry.fingerprint(),
            serial: report.serial,
            skills: report.skills,
            versions: report.versions,
            yanked: report.yanked,
            revoked: report.revoked,
            distrusted: report.distrusted,
            unreferenced: report.unreferenced,
        })
    }

    pub(super) fn yank(
        &self,
        target: &PublishTarget,
        slug: &Slug,
        version: &str,
        reason: Option<&str>,
    ) -> Result<PublishedState, PublishFailure> {
        let version = parse_version(version)?;
        self.change(target, |registry, signing, options| Ok(registry.yank(slug, &version, reason, signing, options)?))
    }

    pub(super) fn revoke(
        &self,
        target: &PublishTarget,
        slug: &Slug,
        version: &str,
        reason: &str,
    ) -> Result<PublishedState, PublishFailure> {
        let version = parse_version(version)?;
        let revoke = Revoke { slug, version: &version, reason };
        self.change(target, |registry, signing, options| Ok(registry.revoke(revoke, signing, options)?))
    }

    /// Renews the root document, too, if half of its validity has passed and its key is there.
    pub(super) fn refresh(&self, target: &PublishTarget) -> Result<PublishedState, PublishFailure> {
        self.change(target, |registry, signing, options| {
            let root = self.key_folder(target, registry).root(registry.root().document())?;
            if let Some(root) = root.filter(|_| is_root_due(registry.root().document().expires, options.now)) {
                registry.update_root(|document| document.expires = options.now.after(ROOT_VALIDITY), &[&root], signing, options)?;
            }
            Ok(registry.refresh(signing, options)?)
        })
    }

    fn change(
        &self,
        target: &PublishTarget,
        change: impl FnOnce(&mut RegistryFolder, &SigningKeys<'_>, PublishOptions) -> Result<u64, PublishFailure>,
    ) -> Result<PublishedState, PublishFailure> {
        let options = self.options(target)?;
        let mut registry = open(&target.folder)?;
        let key = self.key_folder(target, &registry).snapshot(registry.root().document())?;
        let before = registry.contents()?.serial;
        change(&mut registry, &SigningKeys { snapshot: &[&key] }, options)?;
        state(&registry, before)
    }
}

/// `before` is the serial before the change.
pub(super) fn state(registry: &RegistryFolder, before: u64) -> Result<PublishedState, PublishFailure> {
    let (after, root) = (registry.snapshot()?, registry.root().document());
    Ok(PublishedState {
        serial: after.serial,
        expires: after.expires,
        root_version: root.version,
        root_expires: root.expires,
        changed: after.serial != before,
    })
}

fn is_root_due(expires: Time, now: Time) -> bool {
    expires <= now.after(ROOT_VALIDITY / 2)
}
