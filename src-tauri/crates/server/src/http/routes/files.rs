//! Files of skills as bytes.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use inklings_core::SkillPath;
use inklings_rpc::{Code, Failure};
use serde_json::{Map, Value, json};

use super::cache::CachedAnswer;
use super::precondition::{ensure_seen_file, file_tag};
use crate::http::Problem;
use crate::http::operations::{Dispatcher, read};

/// A file of a skill is no page of this server.
const POLICY: HeaderValue = HeaderValue::from_static("sandbox; default-src 'none'");

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn decoded(result: &Value) -> Result<Vec<u8>, Problem> {
    STANDARD
        .decode(text(result, "/base64"))
        .map_err(|error| Failure::new(Code::Internal, format!("the content isn't base64: {error}")).into())
}

/// The answer to `file/bytes`.
pub(super) fn cached(route: &'static str, result: &Value) -> Result<CachedAnswer, Problem> {
    let media_type = text(result, "/media_type");
    let media_type = if media_type.starts_with("text/") { "text/plain; charset=utf-8" } else { media_type };
    Ok(CachedAnswer {
        route,
        tag: file_tag(text(result, "/entry/sha256")),
        media_type: HeaderValue::from_str(media_type).unwrap_or(HeaderValue::from_static("application/octet-stream")),
        body: decoded(result)?.into(),
        is_file: true,
    })
}

pub(super) fn restrict(response: &mut Response) {
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, POLICY);
}

/// The answer to `catalog/pack`.
pub(super) fn download(result: &Value) -> Result<Response, Problem> {
    let plain: String =
        text(result, "/file_name").chars().filter(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '-' | '_' | '.')).collect();
    let mut response = decoded(result)?.into_response();
    let headers = response.headers_mut();
    for (name, value) in
        [(header::CONTENT_TYPE, text(result, "/media_type")), (header::CONTENT_DISPOSITION, &format!("attachment; filename=\"{plain}\""))]
    {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    }
    restrict(&mut response);
    Ok(response)
}

/// Creates, replaces or deletes the file at `path`; `params` name the skill.
pub(super) async fn change(
    dispatcher: &Dispatcher,
    operation: &str,
    mut params: Map<String, Value>,
    path: &str,
    headers: &HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let path = SkillPath::parse(path).map_err(|error| Failure::invalid(format!("{path:?} isn't the path of a file: {error}")))?;
    let named: Map<String, Value> = params
        .iter()
        .filter(|(name, _)| matches!(name.as_str(), "skill" | "scope"))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    // Before the file is looked at, since it may take long.
    let bytes = read(body).await?;
    let tree = dispatcher.call("catalog/tree", named).await?;
    let present = find(&tree["children"], path.as_str()).map(|file| file_tag(text(file, "/sha256")));
    let revision = tree["revision"].as_i64().unwrap_or_default();
    let deletes = operation == "file/delete";
    if deletes && present.is_none() {
        return Err(Failure::new(Code::NotFound, format!("the skill has no file {path}")).into());
    }
    ensure_seen_file(headers, present.as_ref(), revision)?;
    params.insert("expected".to_owned(), revision.into());
    if deletes {
        params.insert("paths".to_owned(), json!([path]));
        return Ok(axum::Json(dispatcher.call(operation, params).await?).into_response());
    }
    params.insert("changes".to_owned(), json!([{ "op": "bytes", "path": path, "base64": STANDARD.encode(&bytes) }]));
    let status = if present.is_some() { StatusCode::OK } else { StatusCode::CREATED };
    let result = dispatcher.call(operation, params).await?;
    // What is stored may differ from what was sent: the frontmatter of SKILL.md follows the values of the skill.
    let stored =
        result.pointer("/skill/entries").and_then(Value::as_array).into_iter().flatten().find(|entry| entry["path"] == path.as_str());
    let tag = stored.map(|entry| file_tag(text(entry, "/sha256")));
    let mut response = (status, axum::Json(result)).into_response();
    if let Some(tag) = tag {
        response.headers_mut().insert(header::ETAG, tag);
    }
    Ok(response)
}

fn find<'a>(nodes: &'a Value, path: &str) -> Option<&'a Value> {
    nodes.as_array()?.iter().find_map(|node| match node["type"].as_str()? {
        "folder" => find(&node["children"], path),
        _ => (node["path"] == path).then_some(node),
    })
}
