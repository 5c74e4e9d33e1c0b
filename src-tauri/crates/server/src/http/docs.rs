//! The description of the interface as a page, without scripts.

use std::fmt::Write as _;

use serde_json::Value;

const STYLE: &str = include_str!("docs.css");

/// `document`: [`super::openapi::document`].
pub(super) fn page(document: &Value) -> String {
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Inklings API</title><style>{STYLE}</style><main><h1>Inklings API</h1>\
         <p>Version {}. Send a token with each request: <code>Authorization: Bearer TOKEN</code>. \
         The same as <a href=\"/openapi.json\">OpenAPI</a>. MCP clients connect to <code>/mcp</code>.</p>",
        escaped(document["info"]["version"].as_str().unwrap_or_default())
    );
    let is_general = |path: &str| path.starts_with("/api/operations/");
    for (title, general) in [("Skills, runs and events", false), ("All operations", true)] {
        let _ = write!(page, "<h2>{title}</h2>");
        for (path, methods) in document["paths"].as_object().into_iter().flatten().filter(|(path, _)| is_general(path) == general) {
            for (method, operation) in methods.as_object().into_iter().flatten() {
                route(&mut page, method, path, operation);
            }
        }
    }
    page.push_str("</main></html>");
    page
}

fn route(page: &mut String, method: &str, path: &str, operation: &Value) {
    let text = |value: &Value| escaped(value.as_str().unwrap_or_default());
    let _ = write!(
        page,
        "<details><summary><b>{}</b> <code>{}</code> {}</summary><p>{}</p>",
        method.to_uppercase(),
        escaped(path),
        text(&operation["summary"]),
        text(&operation["description"])
    );
    let parameters = operation["parameters"].as_array().map_or(&[][..], Vec::as_slice);
    if !parameters.is_empty() {
        page.push_str("<table><tr><th>Parameter</th><th>In</th><th>Required</th><th>Meaning</th></tr>");
        for one in parameters {
            let required = if one["required"] == true { "yes" } else { "" };
            let _ = write!(
                page,
                "<tr><td><code>{}</code></td><td>{}</td><td>{required}</td><td>{}</td></tr>",
                text(&one["name"]),
                text(&one["in"]),
                text(&one["description"])
            );
        }
        page.push_str("</table>");
    }
    for (title, schema) in [("Body", &operation["requestBody"]["content"]["application/json"]["schema"]), ("Result", success(operation))] {
        if !schema.is_null() {
            let pretty = serde_json::to_string_pretty(schema).unwrap_or_default();
            let _ = write!(page, "<h3>{title}</h3><pre>{}</pre>", escaped(&pretty));
        }
    }
    page.push_str("</details>");
}

fn success(operation: &Value) -> &Value {
    let responses = &operation["responses"];
    let response = if responses["200"].is_null() { &responses["201"] } else { &responses["200"] };
    &response["content"]["application/json"]["schema"]
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use inklings_app::schema;

    use super::super::{openapi, routes};
    use super::*;

    #[test]
    fn the_page_shows_every_route_and_no_markup_of_descriptions() {
        let table = schema::document();
        let named = routes::prepare(&table);
        let mut document = openapi::document(table, &named);
        document["paths"]["/api/skills"]["get"]["summary"] = "<script>".into();
        let page = page(&document);
        for path in document["paths"].as_object().unwrap().keys() {
            assert!(page.contains(&format!("<code>{path}</code>")), "{path}");
        }
        assert!(page.contains("&lt;script&gt;") && !page.contains("<script"));
    }
}
