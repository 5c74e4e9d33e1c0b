//! The description of the interface in `OpenAPI`, from the table of operations.

use std::sync::Arc;

use axum::http::Method;
use inklings_app::REGISTRY;
use inklings_rpc::Permission;
use serde_json::{Map, Value, json};

use super::routes::{Answer, Field, Place, Precondition, Route, RouteHandler};

/// `table`: [`inklings_app::schema::document`].
pub(super) fn document(table: Value, routes: &[Arc<RouteHandler>]) -> Value {
    let mut paths = Map::new();
    for handler in routes {
        let path = handler.route.path.replace("{*", "{");
        let methods = paths.entry(path).or_insert_with(|| Value::Object(Map::new()));
        methods[handler.route.method.as_str().to_ascii_lowercase()] = named(handler, &table);
    }
    let Value::Object(mut table) = table else { return Value::Null };
    let operations = table.remove("operations").unwrap_or_default();
    for operation in REGISTRY.operations().filter(|operation| operation.permission != Permission::Local) {
        let Some(shape) = operations.get(operation.name) else { continue };
        let post = json!({ "post": {
            "operationId": operation.name.replace('/', "_"),
            "tags": [family(operation.name)],
            "description": needs(operation.permission),
            "requestBody": { "content": { "application/json": { "schema": shape.get("params") } } },
            "responses": responses("200", &json!({ "application/json": { "schema": shape.get("output") } })),
        } });
        paths.insert(format!("/api/operations/{}", operation.name), post);
    }
    let document = json!({
        "openapi": "3.1.0",
        "info": { "title": "Inklings", "version": env!("CARGO_PKG_VERSION") },
        "security": [{ "token": [] }],
        "paths": paths,
        "components": {
            "schemas": table.remove("definitions"),
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
            "responses": { "Problem": problem() },
        },
    });
    relocated(document)
}

fn family(operation: &str) -> &str {
    operation.split('/').next().unwrap_or_default()
}

fn needs(permission: Permission) -> String {
    format!("Requires the {} permission.", permission.as_str())
}

fn named(handler: &RouteHandler, table: &Value) -> Value {
    let RouteHandler { route, params } = handler;
    let permission =
        REGISTRY.operations().find(|operation| operation.name == route.operation).map_or("", |operation| operation.permission.as_str());
    let name = format!("{} {}", route.method.as_str().to_ascii_lowercase(), route.path);
    let id: String = name
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|part| !part.is_empty() && *part != "api")
        .collect::<Vec<_>>()
        .join("_");
    let mut parameters: Vec<Value> = params.fields.iter().filter(|field| field.place != Place::Body).map(parameter).collect();
    let header = |name: &str, description: &str, is_required: bool| json!({ "name": name, "in": "header", "required": is_required, "description": description, "schema": { "type": "string" } });
    match route.precondition {
        Precondition::Skill(_) => parameters.push(header("If-Match", "Entity tag of the skill.", true)),
        Precondition::File => {
            parameters.push(header("If-Match", "Entity tag of the file. Required if it exists.", false));
            parameters.push(header("If-None-Match", "`*` to create a file only.", false));
        }
        Precondition::None => {}
    }
    if is_tagged(route) && route.method == Method::GET {
        parameters.push(header("If-None-Match", "Entity tag of the answer that the client has.", false));
    }
    let mut operation = json!({
        "operationId": id,
        "tags": [if route.path.starts_with("/api/skills") { "skills" } else { "runs" }],
        "summary": route.summary,
        "description": format!("The operation `{}`. Requires the {permission} permission.", route.operation),
        "parameters": parameters,
        "responses": responses(success(route), &content(route, table)),
    });
    if is_tagged(route) && route.method == Method::GET {
        operation["responses"]["304"] = json!({ "description": "The client has it" });
    }
    if route.precondition == Precondition::File && route.method != Method::DELETE {
        operation["responses"]["201"] = json!({ "description": "The file is new", "content": content(route, table) });
        operation["requestBody"] = json!({ "required": true, "content": { "application/octet-stream": {} } });
    } else if !matches!(route.method, Method::GET | Method::DELETE) {
        let fields: Vec<&Field> = params.fields.iter().filter(|field| field.place == Place::Body).collect();
        let properties: Map<String, Value> = fields.iter().map(|field| (field.name.clone(), field.schema.clone())).collect();
        let required: Vec<&str> = fields.iter().filter(|field| field.is_required).map(|field| field.name.as_str()).collect();
        let schema = json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
        operation["requestBody"] = json!({ "required": !required.is_empty(), "content": { "application/json": { "schema": schema } } });
    }
    operation
}

const fn is_tagged(route: &Route) -> bool {
    matches!(route.answer, Answer::Tagged | Answer::File)
}

fn success(route: &Route) -> &'static str {
    if route.answer == Answer::Created { "201" } else { "200" }
}

fn parameter(field: &Field) -> Value {
    let place = if field.place == Place::Path { "path" } else { "query" };
    let description = field.schema.get("description");
    json!({ "name": field.name, "in": place, "required": field.is_required, "description": description, "schema": field.schema })
}

/// What the route sends, by media type.
fn content(route: &Route, table: &Value) -> Value {
    let output = || json!({ "schema": table["operations"][route.operation]["output"] });
    let text = || json!({ "schema": { "type": "string" } });
    match route.answer {
        Answer::Json | Answer::Tagged | Answer::Created => json!({ "application/json": output() }),
        Answer::File | Answer::Download => json!({ "*/*": {} }),
        Answer::Run => json!({ "application/json": output(), "text/event-stream": text() }),
        Answer::RunEvents | Answer::Changes => json!({ "text/event-stream": text() }),
    }
}

/// All statuses that any operation may answer with.
fn responses(success: &str, content: &Value) -> Value {
    let mut all = Map::new();
    all.insert(success.to_owned(), json!({ "description": "The result", "content": content }));
    for status in [400, 401, 403, 404, 408, 409, 412, 413, 415, 422, 428, 429, 500, 502, 503] {
        all.insert(status.to_string(), json!({ "$ref": "#/components/responses/Problem" }));
    }
    Value::Object(all)
}

fn problem() -> Value {
    json!({
        "description": "Why there is no result",
        "content": { "application/problem+json": { "schema": { "allOf": [
            { "$ref": "#/definitions/Failure" },
            {
                "type": "object",
                "required": ["type", "title", "status", "detail"],
                "properties": {
                    "type": { "type": "string" },
                    "title": { "type": "string" },
                    "status": { "type": "integer" },
                    "detail": { "type": "string" },
                },
            },
        ] } } },
    })
}

/// With references to where `OpenAPI` has its schemas.
fn relocated(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let moved = fields.into_iter().map(|(key, value)| match value {
                Value::String(target) if key == "$ref" => {
                    (key, Value::String(target.replacen("#/definitions/", "#/components/schemas/", 1)))
                }
                value => (key, relocated(value)),
            });
            Value::Object(moved.collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(relocated).collect()),
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use inklings_app::schema;

    use super::super::routes::prepare;
    use super::*;

    fn whole() -> Value {
        let table = schema::document();
        let routes = prepare(&table);
        document(table, &routes)
    }

    #[test]
    fn every_route_is_described_by_an_operation_that_remote_callers_may_call() {
        let document = whole();
        let mut ids = BTreeSet::new();
        for RouteHandler { route, .. } in prepare(&schema::document()).iter().map(AsRef::as_ref) {
            let operation = REGISTRY.operations().find(|one| one.name == route.operation);
            assert!(operation.is_some_and(|one| one.permission != Permission::Local), "{}", route.path);
            let shown = &document["paths"][route.path.replace("{*", "{")][route.method.as_str().to_ascii_lowercase()];
            assert!(ids.insert(shown["operationId"].to_string()), "{shown}");
            let mut parameters = shown["parameters"].as_array().into_iter().flatten();
            assert!(parameters.all(|parameter| parameter["schema"].is_object()), "{shown}");
            let declared: Vec<&str> = shown["parameters"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|one| one["in"] == "path")
                .map(|one| one["name"].as_str().unwrap())
                .collect();
            assert_eq!(declared.len(), route.path.matches('{').count(), "{}: {declared:?}", route.path);
            for (name, _) in route.names {
                assert!(shown.to_string().contains(&format!("\"{name}\"")), "{} has no {name}", route.path);
            }
        }
    }

    #[test]
    fn every_reference_leads_somewhere_and_no_operation_is_missing() {
        fn references(value: &Value, all: &mut Vec<String>) {
            match value {
                Value::Object(fields) => {
                    for (key, value) in fields {
                        match value {
                            Value::String(target) if key == "$ref" => all.push(target.clone()),
                            value => references(value, all),
                        }
                    }
                }
                Value::Array(items) => items.iter().for_each(|item| references(item, all)),
                _ => {}
            }
        }
        let document = whole();
        let mut all = Vec::new();
        references(&document, &mut all);
        assert!(all.len() > 100);
        for target in all {
            assert!(document.pointer(target.trim_start_matches('#')).is_some(), "{target} leads nowhere");
        }
        let remote = REGISTRY.operations().filter(|operation| operation.permission != Permission::Local).count();
        let paths = document["paths"].as_object().unwrap().keys().filter(|path| path.starts_with("/api/operations/"));
        assert_eq!(paths.count(), remote);
    }
}
