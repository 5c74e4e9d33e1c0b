//! Addresses of their own for what programs do most, with the names that other systems have for it. Each is a row of a table: what it does,
//! and its description, come from the operation.

mod cache;
mod events;
mod files;
mod params;
mod precondition;
mod table;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{Extension, RawPathParams, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, MethodRouter};
use axum::{Json, Router};
use inklings_app::REGISTRY;
use inklings_core::RunId;
use inklings_rpc::{Failure, Permission, Role};
use serde_json::{Map, Value};

use cache::CachedAnswer;
pub(super) use cache::{AnswerCache, Key};
pub(super) use params::{Field, Params, Place};
pub(super) use table::{Answer, Precondition, Route};

use super::operations::{Dispatcher, json_object, read};
use super::{Problem, Shared};
use crate::Caller;

/// Begins the addresses of skills.
pub(super) const SKILLS: &str = "/api/skills";

/// A route with the fields of its requests.
pub(super) struct RouteHandler {
    pub(super) route: Route,
    pub(super) params: Params,
}

/// `table`: [`inklings_app::schema::document`].
pub(super) fn prepare(table: &Value) -> Vec<Arc<RouteHandler>> {
    table::routes().into_iter().map(|route| Arc::new(RouteHandler { params: Params::of(&route, table), route })).collect()
}

pub(super) fn router(handlers: &[Arc<RouteHandler>]) -> Router<Arc<Shared>> {
    let mut by_path: BTreeMap<&str, MethodRouter<Arc<Shared>>> = BTreeMap::new();
    for handler in handlers {
        let filter = MethodFilter::try_from(handler.route.method.clone()).unwrap_or(MethodFilter::TRACE);
        let shared_handler = handler.clone();
        let answer =
            async move |State(shared): State<Arc<Shared>>, Extension(caller): Extension<Caller>, path: PathParams, request: Request| {
                let path = path.map_err(|_| Failure::invalid("the address isn't UTF-8"))?;
                let path = path.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
                shared_handler.answer(Dispatcher { shared, caller }, path, request).await
            };
        let methods = by_path.remove(handler.route.path).unwrap_or_default();
        by_path.insert(handler.route.path, methods.on(filter, answer));
    }
    by_path.into_iter().fold(Router::new(), |router, (path, methods)| router.route(path, methods))
}

type PathParams = Result<RawPathParams, RawPathParamsRejection>;

impl RouteHandler {
    async fn answer(&self, dispatcher: Dispatcher, path: Vec<(String, String)>, request: Request) -> Result<Response, Problem> {
        let answer = self.unchecked_answer(dispatcher, path, request).await;
        // Someone was faster after the precondition was checked.
        if self.route.precondition == Precondition::None { answer } else { answer.map_err(Problem::into_precondition) }
    }

    async fn unchecked_answer(&self, dispatcher: Dispatcher, path: Vec<(String, String)>, request: Request) -> Result<Response, Problem> {
        let (route, (parts, body)) = (&self.route, request.into_parts());
        let query = parts.uri.query().unwrap_or_default();
        if route.precondition == Precondition::File {
            let params = self.params.read(&path, query, Map::new())?;
            let file = path.iter().find(|(name, _)| name == "path").map_or("", |(_, path)| path);
            return files::change(&dispatcher, route.operation, params, file, &parts.headers, body).await;
        }
        let content = match route.method {
            Method::GET | Method::DELETE => Map::new(),
            _ => json_object(&parts.headers, &read(body).await?)?,
        };
        let mut params = self.params.read(&path, query, content)?;
        if let Precondition::Skill(field) = route.precondition {
            let revision = self.seen_revision(&dispatcher, field, &params, &parts.headers).await?;
            if self.params.take_revision {
                params.insert("expected".to_owned(), revision.into());
            }
        }
        let reads = route.method == Method::GET;
        match route.answer {
            Answer::Tagged | Answer::File if reads => {
                let address = parts.uri.path_and_query().map_or("", |address| address.as_str()).to_owned();
                let key = Key { role: dispatcher.caller.role, address, version: dispatcher.shared.version.get().await? };
                let cached = dispatcher.shared.answers.get(key, self.cached(&dispatcher, params)).await?;
                Ok(cached.response(&parts.headers))
            }
            Answer::Tagged => Ok(self.tagged(&dispatcher.call(route.operation, params).await?).whole()),
            Answer::Created => {
                let result = dispatcher.call(route.operation, params).await?;
                let location = format!("{}/{}", route.path, result["id"].as_str().unwrap_or_default());
                let mut response = self.tagged(&result).whole();
                *response.status_mut() = StatusCode::CREATED;
                if let Ok(location) = HeaderValue::from_str(&location) {
                    response.headers_mut().insert(header::LOCATION, location);
                }
                Ok(response)
            }
            Answer::Download => files::download(&dispatcher.call(route.operation, params).await?),
            Answer::Run if events::are_accepted(&parts.headers) => {
                let run = match params.get("run") {
                    Some(run) => parsed_run(run)?,
                    None => RunId::new(dispatcher.shared.served.app.ids.uuid()),
                };
                params.insert("run".to_owned(), run.to_string().into());
                let received = dispatcher.shared.served.runs.resubscribe();
                let operation = route.operation;
                dispatcher.count()?;
                let outcome = async move { dispatcher.result(operation, params).await };
                events::of_new_run(run, received, outcome).await
            }
            Answer::Json | Answer::File | Answer::Run => Ok(Json(dispatcher.call(route.operation, params).await?).into_response()),
            Answer::RunEvents => {
                let run = parsed_run(params.get("run").unwrap_or_default())?;
                let stream = dispatcher.shared.streams.open(&dispatcher.caller.actor)?;
                let received = dispatcher.shared.served.runs.resubscribe();
                dispatcher.call(route.operation, params).await?;
                Ok(stream.until_sent(events::of_run(run, received, dispatcher.shared.served.app.clone())))
            }
            Answer::Changes => {
                let role = Role::Remote(dispatcher.caller.role);
                let needed = REGISTRY.operations().find(|one| one.name == route.operation).map_or(Permission::Local, |one| one.permission);
                if !role.may(needed) {
                    return Err(Problem::forbidden("this role can't see skills"));
                }
                let stream = dispatcher.shared.streams.open(&dispatcher.caller.actor)?;
                let own = dispatcher.shared.served.workspace.as_ref().map(|path| path.display().to_string());
                let (sees_all, sees_account) = (role.may(Permission::Read), !role.is_limited_to_workspace());
                let received = dispatcher.shared.served.changes.resubscribe();
                Ok(stream.until_sent(events::of_changes(received, move |change| {
                    let is_seen = sees_all && (sees_account || change.workspace.is_some());
                    (change.workspace.is_none() || change.workspace == own)
                        && (is_seen || matches!(change.kind.as_str(), "skill" | "database"))
                })))
            }
        }
    }

    /// Checks `If-Match` against the skill that `field` of the request names. Returns its revision.
    async fn seen_revision(
        &self,
        dispatcher: &Dispatcher,
        field: &str,
        params: &Map<String, Value>,
        headers: &axum::http::HeaderMap,
    ) -> Result<i64, Problem> {
        let own = self.route.names.iter().find(|(name, _)| *name == field).map_or(field, |(_, own)| *own);
        let scope = if own == "skill" { "scope".to_owned() } else { format!("{own}_scope") };
        let mut named = Map::new();
        if let Some(skill) = params.get(own) {
            named.insert("skill".to_owned(), skill.clone());
        }
        if let Some(scope) = params.get(&scope) {
            named.insert("scope".to_owned(), scope.clone());
        }
        let skill = dispatcher.call("catalog/get", named).await?;
        precondition::ensure_seen_skill(headers, &skill)
    }

    async fn cached(&self, dispatcher: &Dispatcher, params: Map<String, Value>) -> Result<CachedAnswer, Problem> {
        // Reading skills isn't limited: it costs little, and the number of connections bounds it.
        let result = dispatcher.result(self.route.operation, params).await?;
        if self.route.answer == Answer::File {
            return files::cached(self.route.path, &result);
        }
        Ok(self.tagged(&result))
    }

    fn tagged(&self, result: &Value) -> CachedAnswer {
        let body = result.to_string();
        CachedAnswer {
            route: self.route.path,
            tag: precondition::tag(result, body.as_bytes()),
            media_type: HeaderValue::from_static("application/json"),
            body: body.into(),
            is_file: false,
        }
    }
}

fn parsed_run(value: &Value) -> Result<RunId, Failure> {
    serde_json::from_value(value.clone()).map_err(|error| Failure::invalid(format!("the run's ID is invalid: {error}")))
}
