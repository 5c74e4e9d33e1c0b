//! `If-Match` and `If-None-Match`: nothing is overwritten that the client hasn't seen.

use axum::http::{HeaderMap, HeaderValue, header};
use inklings_core::Digest;
use inklings_rpc::{Code, Failure};
use serde_json::{Map, Value};

use crate::http::Problem;

/// The entity tag of an answer: the state of the skill that it is about, if it is about one, and a hash of the answer. `If-Match` compares the
/// state alone, since an answer also tells how often a skill was used, which changes nothing.
pub(super) fn tag(value: &Value, body: &[u8]) -> HeaderValue {
    let state = state(value).map_or_else(String::new, |state| format!("{state}."));
    let hash: String = Digest::of(body).to_string().chars().take(16).collect();
    header_value(&format!("\"{state}{hash}\""))
}

/// What requests change about a skill.
fn state(value: &Value) -> Option<String> {
    let revision = revision(value)?;
    Some(match (value["enabled"].as_bool(), value["lifecycle"].as_str()) {
        (Some(enabled), Some(lifecycle)) => format!("{revision}-{lifecycle}-{}", if enabled { "on" } else { "off" }),
        _ => revision.to_string(),
    })
}

/// The revision of the skill that a result is about.
fn revision(value: &Value) -> Option<i64> {
    value["version"].as_i64().or_else(|| value["revision"].as_i64())
}

pub(super) fn file_tag(sha256: &str) -> HeaderValue {
    header_value(&format!("\"{sha256}\""))
}

fn header_value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static(""))
}

/// The tags of a header, without quotes. Weak ones begin with `W/`.
fn tags(headers: &HeaderMap, name: header::HeaderName) -> Option<Vec<&str>> {
    let mut values = headers.get_all(name).iter().peekable();
    values.peek()?;
    let texts = values.filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(','));
    Some(texts.map(str::trim).filter(|tag| !tag.is_empty()).collect())
}

/// Whether the client has the answer with this tag.
pub(super) fn is_known(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let own = tag.to_str().unwrap_or_default();
    let same = |known: &str| known == "*" || known.strip_prefix("W/").unwrap_or(known) == own;
    tags(headers, header::IF_NONE_MATCH).is_some_and(|known| known.iter().any(|one| same(one)))
}

/// `value` is the skill as it is now.
pub(super) fn ensure_seen_skill(headers: &HeaderMap, value: &Value) -> Result<i64, Problem> {
    let (revision, state) = (revision(value).unwrap_or_default(), state(value));
    let seen = |tag: &str| {
        let text = tag.trim_matches('"');
        tag == "*" || text.split('.').next() == state.as_deref()
    };
    match tags(headers, header::IF_MATCH) {
        None => Err(Problem::precondition_required()),
        Some(tags) if tags.iter().any(|one| seen(one)) => Ok(revision),
        Some(_) => Err(stale(revision)),
    }
}

/// `file` is the tag of the file as it is now; none if there is none. `revision` is the skill's.
pub(super) fn ensure_seen_file(headers: &HeaderMap, file: Option<&HeaderValue>, revision: i64) -> Result<(), Problem> {
    let expected = tags(headers, header::IF_MATCH);
    let Some(file) = file.and_then(|tag| tag.to_str().ok()) else {
        // Deleted since the client saw it.
        return if expected.is_some() { Err(stale(revision)) } else { Ok(()) };
    };
    match expected {
        _ if tags(headers, header::IF_NONE_MATCH).is_some_and(|tags| tags.contains(&"*")) => Err(stale(revision)),
        None => Err(Problem::precondition_required()),
        Some(tags) if tags.iter().any(|tag| *tag == "*" || *tag == file) => Ok(()),
        Some(_) => Err(stale(revision)),
    }
}

fn stale(revision: i64) -> Problem {
    let fields = Map::from_iter([("revision".to_owned(), Value::from(revision))]);
    let failure = Failure::new(Code::RevisionConflict, "it has changed since it was read").hint("read it again");
    Problem::precondition_failed(Failure { fields: Some(fields.into()), ..failure })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn headers(name: header::HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn a_skill_must_have_been_seen_as_it_is() {
        let skill = json!({ "version": 12, "enabled": true, "lifecycle": "released" });
        let check = |value| ensure_seen_skill(&headers(header::IF_MATCH, value), &skill).map_err(|problem| problem.status().as_u16());
        for seen in ["\"12-released-on.abc\"", "\"12-released-on\"", "*", "\"1.a\", \"12-released-on.b\""] {
            assert_eq!(check(seen), Ok(12), "{seen}");
        }
        for stale in [
            "\"11-released-on.abc\"",
            "\"12-released-off.abc\"",
            "\"12-degraded-on.abc\"",
            "W/\"12-released-on.abc\"",
            "\"12.abc\"",
            "\"\"",
            "x",
        ] {
            assert_eq!(check(stale), Err(412), "{stale}");
        }
        assert_eq!(ensure_seen_skill(&HeaderMap::new(), &skill).map_err(|problem| problem.status().as_u16()), Err(428));
    }

    #[test]
    fn a_file_must_have_been_seen_unless_it_is_new() {
        let (there, tag) = (file_tag("aa"), HeaderMap::new());
        let check = |headers: &HeaderMap, file| ensure_seen_file(headers, file, 1).map_err(|problem| problem.status().as_u16());
        assert_eq!(check(&tag, None), Ok(()));
        assert_eq!(check(&tag, Some(&there)), Err(428));
        assert_eq!(check(&headers(header::IF_MATCH, "\"aa\""), Some(&there)), Ok(()));
        assert_eq!(check(&headers(header::IF_MATCH, "\"bb\""), Some(&there)), Err(412));
        assert_eq!(check(&headers(header::IF_MATCH, "W/\"aa\""), Some(&there)), Err(412));
        assert_eq!(check(&headers(header::IF_MATCH, "*"), Some(&there)), Ok(()));
        assert_eq!(check(&headers(header::IF_MATCH, "\"aa\""), None), Err(412));
        assert_eq!(check(&headers(header::IF_NONE_MATCH, "*"), Some(&there)), Err(412));
        assert_eq!(check(&headers(header::IF_NONE_MATCH, "*"), None), Ok(()));
    }

    #[test]
    fn a_known_answer_is_recognized() {
        let tag = tag(&json!({ "version": 3 }), b"{}");
        let text = tag.to_str().unwrap().to_owned();
        assert!(text.starts_with("\"3.") && text.len() == 20, "{text}");
        let known = |value: &str| is_known(&HeaderMap::from_iter([(header::IF_NONE_MATCH, HeaderValue::from_str(value).unwrap())]), &tag);
        assert!(known(&text) && known(&format!("W/{text}")) && known(&format!("\"x\", {text}")) && known("*"));
        assert!(!known("\"3\"") && !is_known(&HeaderMap::new(), &tag));
    }
}
