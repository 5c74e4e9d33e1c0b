//! Values of a package that only the app sets (source, lifecycle, usage) and unknown keys: both are
//! saved in `metadata.claimed` and written at the top level again when the package is exported as JSON.

use inklings_core::check::Diagnostic;
use inklings_core::manifest::nearest;
use inklings_core::shape::escape;
use serde_json::{Map, Value};

use super::json::known_keys;

/// Metadata key of the claims.
const CLAIMED: &str = "claimed";

/// Keys that other skill stores write and that describe the store, not the skill.
const STORE_KEYS: [&str; 31] = [
    "source",
    "origin",
    "lifecycle",
    "trust_tier",
    "enabled",
    "revision",
    "scope",
    "created_at",
    "updated_at",
    "created_by",
    "parent_skill_id",
    "deprecated_reason",
    "source_session",
    "provenance",
    "usage",
    "invocation_count",
    "success_count",
    "success_rate",
    "utility_score",
    "freshness",
    "health",
    "token_cost",
    "last_used_at",
    "last_validated_at",
    "marketplace_id",
    "sync_etag",
    "tenant_id",
    "skill_id",
    "sha256",
    "embedding",
    "signature",
];

/// Adds claims to metadata. `keys` is the pointer to the known keys in the schema, `pointer` that of the claims.
pub(super) fn keep(
    claims: Map<String, Value>,
    metadata: &mut Map<String, Value>,
    keys: &str,
    pointer: &str,
    findings: &mut Vec<Diagnostic>,
) {
    if claims.is_empty() {
        return;
    }
    report(&claims, keys, pointer, findings);
    match metadata.entry(CLAIMED).or_insert_with(|| Value::Object(Map::new())) {
        Value::Object(claimed) => {
            for (key, value) in claims {
                if claimed.get(&key).is_some_and(|known| *known != value) {
                    let finding =
                        Diagnostic::warning("package/claimed", format!("{key:?} is set here and in metadata.claimed; this one is used"));
                    findings.push(finding.hint("remove one of them").pointer(format!("{pointer}/{}", escape(&key))));
                }
                claimed.insert(key, value);
            }
        }
        _ => findings.push(
            Diagnostic::error("package/claimed", "\"claimed\" must be an object")
                .hint("this key is reserved for values of imported packages: rename or remove it")
                .pointer(format!("{pointer}/metadata/{CLAIMED}")),
        ),
    }
}

fn report(claims: &Map<String, Value>, keys: &str, pointer: &str, findings: &mut Vec<Diagnostic>) {
    let (stores, unknown): (Vec<&str>, Vec<&str>) = claims.keys().map(String::as_str).partition(|key| STORE_KEYS.contains(key));
    if let Some(first) = stores.first() {
        let finding = Diagnostic::info("package/claimed", format!("the values of {} in the package are ignored", stores.join(", ")));
        findings.push(finding.hint("saved in metadata.claimed").pointer(format!("{pointer}/{}", escape(first))));
    }
    for key in unknown.into_iter().take(32) {
        let hint = match nearest(key, known_keys(keys)) {
            Some(word) => format!("did you mean {word:?}? saved in metadata.claimed"),
            None => "saved in metadata.claimed".to_owned(),
        };
        let finding = Diagnostic::warning("package/unknown-key", format!("unknown key {key:?}"));
        findings.push(finding.hint(hint).pointer(format!("{pointer}/{}", escape(key))));
    }
}

/// Removes the claims from metadata, which are written at the top level of the JSON.
pub(super) fn lift(metadata: &mut Map<String, Value>, keys: &str) -> Map<String, Value> {
    let mut claims = Map::new();
    let Some(Value::Object(claimed)) = metadata.get_mut(CLAIMED) else { return claims };
    let own = |key: &str| !STORE_KEYS.contains(&key) && known_keys(keys).any(|known| known == key);
    for (key, value) in std::mem::take(claimed) {
        if own(&key) {
            claimed.insert(key, value);
        } else {
            claims.insert(key, value);
        }
    }
    if claimed.is_empty() && !claims.is_empty() {
        metadata.shift_remove(CLAIMED);
    }
    claims
}
