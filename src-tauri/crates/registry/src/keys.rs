//! Ed25519 keys and signatures.
//!
//! A signature covers the kind of the document and the registry's id, so that no document passes for one of another kind or registry.

use std::fmt;
use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use ed25519_dalek::{SECRET_KEY_LENGTH, Signer as _, VerifyingKey};
use schemars::JsonSchema;
use tempfile::Builder;
use zeroize::Zeroizing;

use crate::format::RegistryId;
use crate::text::serde_as_text;

const PUBLIC_PREFIX: &str = "ed25519:";
const SECRET_PREFIX: &str = "inklings-ed25519-secret:";
const SECRET_FILE_MODE: u32 = 0o600;
/// Of a key file that isn't complete yet.
const STAGING_PREFIX: &str = ".key-";
/// Of a key file: prefix, 64 digits, line end.
const MAX_SECRET_FILE_BYTES: u64 = 256;

/// Text form is `ed25519:` and 64 hex digits. Not every value is a usable key, see [`PublicKey::is_usable`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(with = "String", inline)]
pub struct PublicKey([u8; 32]);

/// Text form is 128 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, JsonSchema)]
#[schemars(with = "String", inline)]
pub struct Signature([u8; 64]);

/// What a signature is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Root,
    Snapshot,
    Package,
}

impl Purpose {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Snapshot => "snapshot",
            Self::Package => "package",
        }
    }

    fn message(self, registry: &RegistryId, bytes: &[u8]) -> Vec<u8> {
        // Neither part contains a line break.
        let mut message = format!("inklings-registry 1 {} {registry}\n", self.as_str()).into_bytes();
        message.extend_from_slice(bytes);
        message
    }
}

#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("the key file {} exists; choose another path", .0.display())]
    Exists(PathBuf),
    #[error("other users can read the key file {}; run chmod 600 on it", .0.display())]
    Exposed(PathBuf),
    #[error("{} isn't a key file", .0.display())]
    Invalid(PathBuf),
    #[error("can't access the key file {path}: {error}", path = path.display())]
    Disk { path: PathBuf, error: io::Error },
    #[error("the system's random number generator failed: {0}")]
    Random(String),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseKeyError {
    #[error("not a public key: expected ed25519: and 64 lowercase hex digits")]
    PublicKey,
    #[error("not a signature: expected 128 lowercase hex digits")]
    Signature,
}

impl PublicKey {
    /// Whether it is a point of the curve, and not one for which anyone can make signatures.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        VerifyingKey::from_bytes(&self.0).is_ok_and(|key| !key.is_weak())
    }

    #[must_use]
    pub fn verify(&self, purpose: Purpose, registry: &RegistryId, bytes: &[u8], signature: &Signature) -> bool {
        let signature = ed25519_dalek::Signature::from_bytes(&signature.0);
        VerifyingKey::from_bytes(&self.0).is_ok_and(|key| key.verify_strict(&purpose.message(registry, bytes), &signature).is_ok())
    }
}

/// A secret key. It has no text form, and `Debug` shows its public key only. Its memory is cleared when it is dropped.
pub struct SecretKey(ed25519_dalek::SigningKey);

impl SecretKey {
    pub fn generate() -> Result<Self, KeyError> {
        let mut seed = Zeroizing::new([0; SECRET_KEY_LENGTH]);
        getrandom::fill(seed.as_mut()).map_err(|error| KeyError::Random(error.to_string()))?;
        Ok(Self::from_seed(&seed))
    }

    #[must_use]
    pub fn from_seed(seed: &[u8; SECRET_KEY_LENGTH]) -> Self {
        Self(ed25519_dalek::SigningKey::from_bytes(seed))
    }

    #[must_use]
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key().to_bytes())
    }

    /// Deterministic.
    #[must_use]
    pub fn sign(&self, purpose: Purpose, registry: &RegistryId, bytes: &[u8]) -> Signature {
        Signature(self.0.sign(&purpose.message(registry, bytes)).to_bytes())
    }

    /// Writes a new file that only its owner can read, as a whole or not at all. An existing file isn't replaced.
    pub fn save(&self, path: &Path) -> Result<(), KeyError> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => KeyError::Exists(path.to_owned()),
            _ => KeyError::Disk { path: path.to_owned(), error },
        };
        let seed = Zeroizing::new(self.0.to_bytes());
        let digits = Zeroizing::new(hex(seed.as_slice()));
        let text = Zeroizing::new(format!("{SECRET_PREFIX}{}\n", *digits));
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // The umask may remove bits of the mode, and never adds one.
        let mode = Permissions::from_mode(SECRET_FILE_MODE);
        let mut file = Builder::new().prefix(STAGING_PREFIX).permissions(mode).tempfile_in(parent).map_err(failed)?;
        file.write_all(text.as_bytes()).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
        file.persist_noclobber(path).map(drop).map_err(|error| failed(error.error))
    }

    /// Refuses a file that others can read.
    pub fn load(path: &Path) -> Result<Self, KeyError> {
        let failed = |error: io::Error| KeyError::Disk { path: path.to_owned(), error };
        let metadata = fs::metadata(path).map_err(failed)?;
        if metadata.permissions().mode() & 0o077 != 0 {
            return Err(KeyError::Exposed(path.to_owned()));
        }
        let invalid = || KeyError::Invalid(path.to_owned());
        if !metadata.is_file() || metadata.len() > MAX_SECRET_FILE_BYTES {
            return Err(invalid());
        }
        let bytes = Zeroizing::new(fs::read(path).map_err(failed)?);
        let text = std::str::from_utf8(&bytes).map_err(|_| invalid())?;
        let digits = text.trim_end().strip_prefix(SECRET_PREFIX).ok_or_else(invalid)?;
        let seed = Zeroizing::new(from_hex::<SECRET_KEY_LENGTH>(digits).ok_or_else(invalid)?);
        Ok(Self::from_seed(&seed))
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretKey").field("public", &self.public()).finish_non_exhaustive()
    }
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| DIGITS.get(usize::from(digit)).map(|digit| char::from(*digit))).collect()
}

/// Lowercase digits only, so that each value has one text form.
fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != N || !rest.is_empty() {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PUBLIC_PREFIX}{}", hex(&self.0))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({self})")
    }
}

impl FromStr for PublicKey {
    type Err = ParseKeyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.strip_prefix(PUBLIC_PREFIX).and_then(from_hex).map(Self).ok_or(ParseKeyError::PublicKey)
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature({self})")
    }
}

impl FromStr for Signature {
    type Err = ParseKeyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        from_hex(text).map(Self).ok_or(ParseKeyError::Signature)
    }
}

serde_as_text!(PublicKey, Signature);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn registry(id: &str) -> RegistryId {
        id.parse().unwrap()
    }

    #[test]
    fn a_key_file_is_for_its_owner_only_and_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("root.key");
        let key = SecretKey::generate().unwrap();
        key.save(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(SecretKey::load(&path).unwrap().public(), key.public());
        assert!(matches!(key.save(&path), Err(KeyError::Exists(_))));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(SecretKey::load(&path), Err(KeyError::Exposed(_))));
    }

    #[test]
    fn files_that_are_not_keys_are_refused_without_showing_their_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for text in ["", "secret words", "inklings-ed25519-secret:00", &"x".repeat(1000)] {
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            let error = SecretKey::load(&path).unwrap_err();
            assert!(matches!(error, KeyError::Invalid(_)), "{text}");
            assert!(!error.to_string().contains("words") && !format!("{error:?}").contains("words"));
        }
    }

    #[test]
    fn debug_output_has_no_secret() {
        let key = SecretKey::from_seed(&[7; 32]);
        assert!(!format!("{key:?}").contains(&hex(&[7; 32])));
        assert!(format!("{key:?}").contains(&key.public().to_string()));
    }

    #[test]
    fn a_signature_is_for_one_purpose_registry_and_text() {
        let key = SecretKey::from_seed(&[1; 32]);
        let signature = key.sign(Purpose::Root, &registry("one"), b"text");
        let public = key.public();
        assert!(public.verify(Purpose::Root, &registry("one"), b"text", &signature));
        assert!(!public.verify(Purpose::Snapshot, &registry("one"), b"text", &signature));
        assert!(!public.verify(Purpose::Root, &registry("two"), b"text", &signature));
        assert!(!public.verify(Purpose::Root, &registry("one"), b"texts", &signature));
        assert!(!SecretKey::from_seed(&[2; 32]).public().verify(Purpose::Root, &registry("one"), b"text", &signature));
    }

    #[test]
    fn keys_for_which_anyone_can_sign_are_not_usable() {
        // The identity and another point of small order.
        let identity: PublicKey = format!("ed25519:01{}", "0".repeat(62)).parse().unwrap();
        let small: PublicKey = format!("ed25519:{}", "0".repeat(64)).parse().unwrap();
        assert!(!identity.is_usable() && !small.is_usable());
        assert!(SecretKey::from_seed(&[1; 32]).public().is_usable());
    }

    proptest! {
        #[test]
        fn each_value_has_one_text_form(bytes: [u8; 32]) {
            let key = PublicKey(bytes);
            prop_assert_eq!(key.to_string().parse::<PublicKey>().unwrap(), key);
            let upper = format!("{PUBLIC_PREFIX}{}", hex(&bytes).to_uppercase());
            prop_assert_eq!(upper.parse::<PublicKey>().is_ok(), upper == key.to_string());
            for text in [key.to_string().replace("ed25519:", ""), format!("{key}0"), format!("ed25519:+{}", &hex(&bytes)[1..])] {
                prop_assert!(text.parse::<PublicKey>().is_err());
            }
        }
    }
}
