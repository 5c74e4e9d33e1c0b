//! The description of the interface in `OpenAPI`, from the table of operations.

use inklings_app::{REGISTRY, schema};
use inklings_rpc::Permission;
use serde_json::{Map, Value, json};

pub(super) fn document() -> Value {
    let Value::Object(mut table) = schema::document() else { return Value::Null };
    let operations = table.remove("operations").unwrap_or_default();
    let paths = REGISTRY.operations().filter(|operation| operation.permission != Permission::Local);
    let paths: Map<String, Value> = paths
        .filter_map(|operation| {
            let shape = operations.get(operation.name)?;
            let family = operation.name.split('/').next().unwrap_or_default();
            let path = json!({ "post": {
                "operationId": operation.name.replace('/', "_"),
                "tags": [family],
                "description": format!("Requires the {} permission.", operation.permission.as_str()),
                "requestBody": { "content": { "application/json": { "schema": shape.get("params") } } },
                "responses": responses(shape.get("output")),
            } });
            Some((format!("/api/operations/{}", operation.name), path))
        })
        .collect();
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

/// All statuses that any operation may answer with.
fn responses(output: Option<&Value>) -> Value {
    let mut all = Map::new();
    all.insert("200".to_owned(), json!({ "description": "The result", "content": { "application/json": { "schema": output } } }));
    for status in [400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 500, 502, 503] {
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
    use super::*;

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
        let document = document();
        let mut all = Vec::new();
        references(&document, &mut all);
        assert!(all.len() > 100);
        for target in all {
            assert!(document.pointer(target.trim_start_matches('#')).is_some(), "{target} leads nowhere");
        }
        let remote = REGISTRY.operations().filter(|operation| operation.permission != Permission::Local).count();
        assert_eq!(document["paths"].as_object().unwrap().len(), remote);
    }
}
