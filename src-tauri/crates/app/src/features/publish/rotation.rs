//! Replacing the keys of a registry.
//!
//! A new key is a file before the registry names it, and takes the place of the old file afterwards. A rotation that was interrupted in
//! between is completed by the next one, or by whatever needs the key.

use std::collections::BTreeSet;

use inklings_registry::format::{Publisher, Role, RootDocument};
use inklings_registry::keys::{PublicKey, SecretKey};
use inklings_registry::publish::{PublishOptions, RegistryFolder, SigningKeys};

use super::api::{KeyRole, PublishTarget, PublishedState};
use super::error::PublishFailure;
use super::keys::KeyFolder;
use super::service::{PublishService, open, state};

impl PublishService<'_> {
    pub(super) fn rotate(&self, target: &PublishTarget, roles: &BTreeSet<KeyRole>) -> Result<PublishedState, PublishFailure> {
        if roles.is_empty() {
            return Err(PublishFailure::NoKeys);
        }
        let options = self.options(target)?;
        let mut registry = open(&target.folder)?;
        let keys = self.key_folder(target, &registry);
        // Fails before anything is written.
        keys.require_root(document(&registry))?;
        let before = registry.contents()?.serial;
        // The root key last: it signs the other changes.
        for role in roles.iter().rev() {
            match role {
                KeyRole::Root => rotate_root(&mut registry, &keys, options)?,
                KeyRole::Snapshot => rotate_snapshot(&mut registry, &keys, options)?,
                KeyRole::Publisher => rotate_publisher(&mut registry, &keys, options)?,
            }
            keys.replace(*role)?;
        }
        state(&registry, before)
    }
}

fn document(registry: &RegistryFolder) -> &RootDocument {
    registry.root().document()
}

fn rotate_root(registry: &mut RegistryFolder, keys: &KeyFolder, options: PublishOptions) -> Result<(), PublishFailure> {
    let (root, snapshot) = (keys.require_root(document(registry))?, keys.snapshot(document(registry))?);
    let next = keys.next(KeyRole::Root)?;
    let role = replaced(&document(registry).root, &root, &next);
    let signing = SigningKeys { snapshot: &[&snapshot] };
    Ok(registry.update_root(|document| document.root = role, &[&root, &next], &signing, options)?)
}

fn rotate_snapshot(registry: &mut RegistryFolder, keys: &KeyFolder, options: PublishOptions) -> Result<(), PublishFailure> {
    let (root, snapshot) = (keys.require_root(document(registry))?, keys.snapshot(document(registry))?);
    let next = keys.next(KeyRole::Snapshot)?;
    let role = replaced(&document(registry).snapshot, &snapshot, &next);
    let signing = SigningKeys { snapshot: &[&next] };
    Ok(registry.update_root(|document| document.snapshot = role, &[&root], &signing, options)?)
}

/// Both publishers are known while their packages are signed again, so that no client misses a version.
fn rotate_publisher(registry: &mut RegistryFolder, keys: &KeyFolder, options: PublishOptions) -> Result<(), PublishFailure> {
    let (root, snapshot) = (keys.require_root(document(registry))?, keys.snapshot(document(registry))?);
    let signing = SigningKeys { snapshot: &[&snapshot] };
    let publisher = keys.publisher(document(registry))?.public();
    let next = keys.next(KeyRole::Publisher)?;
    if !document(registry).is_publisher(&next.public()) {
        let name = name_of(document(registry), &publisher)?;
        let added = Publisher { key: next.public(), name };
        registry.update_root(|document| document.publishers.push(added), &[&root], &signing, options)?;
    }
    registry.sign_again(&publisher, &next, &signing, options)?;
    let remove = |document: &mut RootDocument| document.publishers.retain(|known| known.key != publisher);
    Ok(registry.update_root(remove, &[&root], &signing, options)?)
}

fn name_of(document: &RootDocument, key: &PublicKey) -> Result<String, PublishFailure> {
    let known = document.publishers.iter().find(|publisher| publisher.key == *key);
    known.map(|publisher| publisher.name.clone()).ok_or_else(|| inklings_registry::publish::PublishError::Publisher.into())
}

fn replaced(role: &Role, old: &SecretKey, new: &SecretKey) -> Role {
    let others = role.keys.iter().copied().filter(|key| *key != old.public());
    Role::new(role.threshold, others.chain([new.public()]))
}
