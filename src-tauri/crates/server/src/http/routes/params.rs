//! What a request says, as the parameters of an operation: by the schema of these.

use std::collections::BTreeSet;

use axum::http::Method;
use inklings_rpc::Failure;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use super::table::{Precondition, Route};

/// Filled in by the precondition.
const EXPECTED: &str = "expected";

/// Where a request has a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http) enum Place {
    Path,
    Query,
    Body,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integer,
    Boolean,
    List,
    Text,
    /// As JSON.
    Other,
}

#[derive(Debug)]
pub(in crate::http) struct Field {
    /// In the request.
    pub(in crate::http) name: String,
    pub(in crate::http) place: Place,
    pub(in crate::http) schema: Value,
    pub(in crate::http) is_required: bool,
    /// In the parameters: the field, or the one that it is in and then its own.
    at: Vec<String>,
    kind: Kind,
}

/// The fields of a route's requests.
#[derive(Debug)]
pub(in crate::http) struct Params {
    pub(in crate::http) fields: Vec<Field>,
    /// Whether the operation refuses to change another revision than the one that the request has seen.
    pub(super) take_revision: bool,
}

impl Route {
    fn has_in_path(&self, name: &str) -> bool {
        self.path.contains(&format!("{{{name}}}")) || self.path.contains(&format!("{{*{name}}}"))
    }
}

impl Params {
    /// `table`: [`inklings_app::schema::document`].
    pub(in crate::http) fn of(route: &Route, table: &Value) -> Self {
        let schema = resolved(&table["operations"][route.operation]["params"], table);
        let required: BTreeSet<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let reads = matches!(route.method, Method::GET | Method::DELETE);
        let mut fields = Vec::new();
        for (own, schema) in schema["properties"].as_object().into_iter().flatten() {
            let is_hidden = route.hidden.contains(&own.as_str()) || (own == EXPECTED && route.precondition != Precondition::None);
            let parts = resolved(schema, table)["properties"].as_object();
            if is_hidden {
                continue;
            }
            // A query is flat.
            if let Some(parts) = parts.filter(|_| reads) {
                fields.extend(parts.iter().map(|(part, schema)| Field {
                    name: part.clone(),
                    place: Place::Query,
                    schema: schema.clone(),
                    is_required: false,
                    at: vec![own.clone(), part.clone()],
                    kind: kind(schema, table),
                }));
                continue;
            }
            let name = route.names.iter().find(|(_, field)| field == own).map_or(own.as_str(), |(name, _)| *name);
            let place = if route.has_in_path(name) {
                Place::Path
            } else if reads || route.precondition == Precondition::File {
                Place::Query
            } else {
                Place::Body
            };
            fields.push(Field {
                name: name.to_owned(),
                place,
                schema: schema.clone(),
                is_required: place == Place::Path || required.contains(own.as_str()),
                at: vec![own.clone()],
                kind: kind(schema, table),
            });
        }
        if route.path.contains("{*path}") && fields.iter().all(|field| field.name != "path") {
            let schema = resolved(&table["operations"]["file/bytes"]["params"], table)["properties"]["path"].clone();
            fields.push(Field { name: "path".to_owned(), place: Place::Path, schema, is_required: true, at: Vec::new(), kind: Kind::Text });
        }
        Self { fields, take_revision: route.precondition != Precondition::None && !schema["properties"][EXPECTED].is_null() }
    }

    /// `path` has the parameters of the address. Unknown fields are left to the operation, which refuses them.
    pub(in crate::http) fn read(
        &self,
        path: &[(String, String)],
        query: &str,
        body: Map<String, Value>,
    ) -> Result<Map<String, Value>, Failure> {
        let mut params = Map::new();
        for (name, value) in body {
            match self.fields.iter().find(|field| field.name == name) {
                Some(field) if field.place != Place::Body => return Err(misplaced(&name)),
                Some(field) => field.put(&mut params, value),
                // Another name for a field of the route would go around its precondition.
                None if self.fields.iter().any(|field| field.at.first() == Some(&name)) => return Err(unknown(&name)),
                None => drop(params.insert(name, value)),
            }
        }
        for (name, text) in path {
            if let Some(field) = self.fields.iter().find(|field| field.place == Place::Path && field.name == *name) {
                field.put(&mut params, Value::from(text.as_str()));
            }
        }
        for (name, text) in form(query) {
            let field = self.fields.iter().find(|field| field.place == Place::Query && field.name == name);
            let field = field.ok_or_else(|| Failure::invalid(format!("this address has no query parameter {name:?}")))?;
            let value = field.parse(&text)?;
            match (field.get(&mut params), value) {
                (Some(Value::Array(all)), Value::Array(more)) => all.extend(more),
                (Some(_), _) => return Err(Failure::invalid(format!("the query has {name:?} twice"))),
                (None, value) => field.put(&mut params, value),
            }
        }
        // The operation would say its own name.
        let mut renamed = self.fields.iter().filter(|field| field.place != Place::Path && field.at.last() != Some(&field.name));
        match renamed.find(|field| field.is_required && field.get(&mut params).is_none()) {
            Some(field) => Err(field.missing()),
            None => Ok(params),
        }
    }
}

fn misplaced(name: &str) -> Failure {
    Failure::invalid(format!("{name:?} must be in the address"))
}

fn unknown(name: &str) -> Failure {
    Failure::invalid(format!("the body has the unknown field {name:?}"))
}

impl Field {
    fn missing(&self) -> Failure {
        let place = if self.place == Place::Query { "query parameter" } else { "body's field" };
        Failure::invalid(format!("the {place} {:?} is missing", self.name))
    }

    fn get<'a>(&self, params: &'a mut Map<String, Value>) -> Option<&'a mut Value> {
        let (last, parents) = self.at.split_last()?;
        let map = parents.iter().try_fold(params, |map, part| map.get_mut(part)?.as_object_mut())?;
        map.get_mut(last)
    }

    /// Nothing for a field that isn't a parameter.
    fn put(&self, params: &mut Map<String, Value>, value: Value) {
        let Some((last, parents)) = self.at.split_last() else { return };
        let mut map = params;
        for part in parents {
            let Value::Object(inner) = map.entry(part.as_str()).or_insert_with(|| Value::Object(Map::new())) else { return };
            map = inner;
        }
        map.insert(last.clone(), value);
    }

    fn parse(&self, text: &str) -> Result<Value, Failure> {
        let invalid = |what: &str| Failure::invalid(format!("the query parameter {:?} must be {what}, not {text:?}", self.name));
        match self.kind {
            Kind::Integer => text.parse::<i64>().map(Value::from).map_err(|_| invalid("an integer")),
            Kind::Boolean => text.parse::<bool>().map(Value::from).map_err(|_| invalid("true or false")),
            Kind::List => Ok(text.split(',').filter(|item| !item.is_empty()).map(Value::from).collect()),
            Kind::Text => Ok(Value::from(text)),
            Kind::Other => serde_json::from_str(text).map_err(|_| invalid("JSON")),
        }
    }
}

/// The pairs of a query, decoded.
pub(super) fn form(query: &str) -> impl Iterator<Item = (String, String)> {
    let decode = |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned();
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs.map(move |pair| pair.split_once('=').map_or_else(|| (decode(pair), String::new()), |(name, value)| (decode(name), decode(value))))
}

/// Follows references and leaves out null.
pub(in crate::http) fn resolved<'a>(schema: &'a Value, table: &'a Value) -> &'a Value {
    let mut schema = schema;
    for _ in 0..8 {
        if let Some(name) = schema["$ref"].as_str().and_then(|target| target.strip_prefix("#/definitions/")) {
            schema = &table["definitions"][name];
            continue;
        }
        let alternatives = ["anyOf", "allOf"].iter().find_map(|key| schema[key].as_array());
        let mut others = alternatives.into_iter().flatten().filter(|one| one["type"] != "null");
        match (others.next(), others.next()) {
            (Some(only), None) => schema = only,
            _ => return schema,
        }
    }
    schema
}

fn kind(schema: &Value, table: &Value) -> Kind {
    let schema = resolved(schema, table);
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(all) => all.iter().filter_map(Value::as_str).filter(|one| *one != "null").collect(),
        _ => Vec::new(),
    };
    match types[..] {
        ["integer"] => Kind::Integer,
        ["boolean"] => Kind::Boolean,
        ["array"] => Kind::List,
        ["string"] => Kind::Text,
        // Variants with descriptions.
        [] if schema["oneOf"].as_array().is_some_and(|all| all.iter().all(|one| one["type"] == "string")) => Kind::Text,
        _ => Kind::Other,
    }
}
