//! A document with its signatures in one file, so that no reader sees one without the other.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::document::{from_slice, is_strictly_sorted};
use super::{Document, FormatError, RegistryId, Role};
use crate::keys::{PublicKey, Purpose, SecretKey, Signature};
use crate::limits;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentSignature {
    pub key: PublicKey,
    pub signature: Signature,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    signed: Box<RawValue>,
    signatures: Vec<DocumentSignature>,
}

/// A document as it was received. Its signatures aren't verified yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed<T> {
    pub document: T,
    /// By key.
    pub signatures: Vec<DocumentSignature>,
    text: Vec<u8>,
}

impl<T: Document> Signed<T> {
    pub fn sign(document: T, purpose: Purpose, registry: &RegistryId, keys: &[&SecretKey]) -> Result<Self, FormatError> {
        document.validate()?;
        let text = document.to_text()?;
        let sign = |key: &&SecretKey| DocumentSignature { key: key.public(), signature: key.sign(purpose, registry, &text) };
        let mut signatures: Vec<_> = keys.iter().map(sign).collect();
        signatures.sort_by_key(|signature| signature.key);
        signatures.dedup_by_key(|signature| signature.key);
        Ok(Self { document, signatures, text })
    }

    /// The file, with a line break at its end.
    pub fn to_file(&self) -> Result<Vec<u8>, FormatError> {
        let json = |error: serde_json::Error| FormatError::Json(error.to_string());
        let text = std::str::from_utf8(&self.text).map_err(|_| FormatError::NotCanonical)?;
        let signed = RawValue::from_string(text.to_owned()).map_err(json)?;
        let mut file = serde_json::to_vec(&Envelope { signed, signatures: self.signatures.clone() }).map_err(json)?;
        file.push(b'\n');
        Ok(file)
    }

    pub fn parse(file: &[u8]) -> Result<Self, FormatError> {
        let length = file.len() as u64;
        if length > T::MAX_BYTES {
            return Err(FormatError::TooLong { length, max: T::MAX_BYTES });
        }
        let envelope: Envelope = from_slice(file)?;
        FormatError::at_most("signatures", envelope.signatures.len(), limits::SIGNATURES)?;
        let text = envelope.signed.get().as_bytes().to_owned();
        let document = T::parse(&text)?;
        let this = Self { document, signatures: envelope.signatures, text };
        if !is_strictly_sorted(&this.signatures, |signature| signature.key) || this.to_file()? != file {
            return Err(FormatError::NotCanonical);
        }
        Ok(this)
    }

    /// Number of the role's keys with a valid signature. Other keys don't count: during a rotation, a document has signatures of old and
    /// new keys.
    #[must_use]
    pub fn count_valid(&self, purpose: Purpose, registry: &RegistryId, role: &Role) -> usize {
        let known = self.signatures.iter().filter(|signature| role.keys.contains(&signature.key));
        let valid = known.filter(|one| one.key.verify(purpose, registry, &self.text, &one.signature));
        valid.map(|one| one.key).collect::<BTreeSet<_>>().len()
    }
}
