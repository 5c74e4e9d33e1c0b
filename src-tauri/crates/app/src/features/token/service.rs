use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use inklings_core::access::{AccessStore, AccessToken};
use inklings_core::{Clock, Digest, StorageError, Time};
use subtle::ConstantTimeEq as _;

use super::api::{CreateTokenParams, CreatedToken};
use super::error::{RandomError, TokenError};
use crate::app::App;

pub(super) const MAX_NAME_CHARS: usize = 64;
pub(super) const MAX_DAYS: u32 = 3_650;
/// Makes a leaked token recognizable.
const PREFIX: &str = "inklings_";
const ID_BYTES: usize = 6;
const SECRET_BYTES: usize = 32;
const MILLIS_PER_DAY: i64 = 24 * 60 * 60 * 1_000;
/// A use is recorded at most this often.
const USE_RESOLUTION_MILLIS: i64 = 60 * 1_000;

pub(super) fn create(access: &dyn AccessStore, clock: &dyn Clock, params: CreateTokenParams) -> Result<CreatedToken, TokenError> {
    let name = params.name.trim();
    let is_plain = |ch: char| ch.is_alphanumeric() || matches!(ch, ' ' | '.' | '-' | '_');
    if name.is_empty() || name.chars().count() > MAX_NAME_CHARS || !name.chars().all(is_plain) {
        return Err(TokenError::Name(params.name));
    }
    if let Some(days) = params.days.filter(|days| !(1..=MAX_DAYS).contains(days)) {
        return Err(TokenError::Days(days));
    }
    let (id, now) = (random::<ID_BYTES>()?.replace(['-', '_'], "0"), clock.now());
    let secret = format!("{PREFIX}{id}_{}", new_secret()?);
    let token = AccessToken {
        id,
        name: name.to_owned(),
        role: params.role,
        external: params.external,
        created_at: now,
        expires_at: params.days.map(|days| Time::from_millis(now.millis() + i64::from(days) * MILLIS_PER_DAY)),
        revoked_at: None,
        last_used_at: None,
    };
    access.put_token(&token, Digest::of(secret.as_bytes()))?;
    Ok(CreatedToken { token, secret })
}

pub(super) fn revoke(access: &dyn AccessStore, wanted: &str) -> Result<AccessToken, TokenError> {
    let find = || -> Result<AccessToken, TokenError> {
        let found = access.tokens()?.into_iter().find(|token| token.id == wanted || token.name == wanted);
        found.ok_or_else(|| TokenError::NotFound(wanted.to_owned()))
    };
    access.revoke_token(&find()?.id)?;
    find()
}

/// The token that a text is. None if it is unknown, forged, expired or revoked. Blocks.
pub fn authenticate(app: &App, secret: &str) -> Result<Option<AccessToken>, StorageError> {
    let Some((id, _)) = secret.strip_prefix(PREFIX).and_then(|rest| rest.split_once('_')) else { return Ok(None) };
    let Some((token, hash)) = app.access.token(id)? else { return Ok(None) };
    let now = app.clock.now();
    if !is_secret_of(secret, hash) || !token.is_valid(now) {
        return Ok(None);
    }
    if token.last_used_at.is_none_or(|last| now.millis() - last.millis() >= USE_RESOLUTION_MILLIS)
        && let Err(error) = app.access.note_token_use(&token.id)
    {
        tracing::warn!(%error, "the use of a token could not be recorded");
    }
    Ok(Some(token))
}

/// 256 random bits as text.
pub fn new_secret() -> Result<String, RandomError> {
    random::<SECRET_BYTES>()
}

/// Compares in constant time.
#[must_use]
pub fn is_secret_of(secret: &str, hash: Digest) -> bool {
    Digest::of(secret.as_bytes()).bytes().as_slice().ct_eq(hash.bytes().as_slice()).into()
}

fn random<const N: usize>() -> Result<String, RandomError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(RandomError)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_256_random_bits() {
        let secrets = [new_secret().unwrap(), new_secret().unwrap()];
        assert_ne!(secrets[0], secrets[1]);
        for secret in secrets {
            assert_eq!(URL_SAFE_NO_PAD.decode(secret).unwrap().len(), 32);
        }
    }
}
