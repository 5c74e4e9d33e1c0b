//! New root documents and keys.

use super::change::Change;
use super::files::{write, write_new};
use super::folder::{sign_root, sign_snapshot};
use super::options::{PublishOptions, SigningKeys};
use super::{PublishError, RegistryFolder};
use crate::format::{RootDocument, SNAPSHOT, Snapshot, root_path};
use crate::keys::{PublicKey, SecretKey};

impl RegistryFolder {
    /// Writes the next root document, for new keys, publishers or another time of expiry. `root_keys` are old and new ones. The snapshot
    /// is signed again, as its keys may have changed.
    pub fn update_root(
        &mut self,
        edit: impl FnOnce(&mut RootDocument),
        root_keys: &[&SecretKey],
        keys: &SigningKeys<'_>,
        time: PublishOptions,
    ) -> Result<(), PublishError> {
        let before = self.snapshot()?;
        let known = self.root.document();
        let mut document = known.clone();
        edit(&mut document);
        document.registry.clone_from(&known.registry);
        document.version = known.version + 1;
        document.publishers.sort_by_key(|publisher| publisher.key);
        let path = root_path(document.version);
        let file = sign_root(document, Some(&self.root), root_keys)?;
        let root = self.root.next(&file)?;
        let next = Snapshot { serial: before.serial + 1, expires: time.now.after(time.validity), ..before };
        // Fails before anything is written.
        let snapshot = sign_snapshot(&root, next, keys)?;
        write_new(&self.top, &path, &file)?;
        self.previous = Some(std::mem::replace(&mut self.root, root));
        write(&self.top, SNAPSHOT, &snapshot)
    }

    /// Signs the packages of one publisher with the key of another, for a publisher whose key is replaced. Both must be in the root
    /// document: a version of a publisher who isn't there is hidden from clients. Returns the registry's serial.
    pub fn sign_again(
        &self,
        from: &PublicKey,
        to: &SecretKey,
        keys: &SigningKeys<'_>,
        options: PublishOptions,
    ) -> Result<u64, PublishError> {
        if !self.root.document().is_publisher(&to.public()) {
            return Err(PublishError::Publisher);
        }
        let mut change = Change::new(self, options)?;
        change.sign_again(from, to)?;
        change.commit(self, keys, options)
    }
}
