use std::thread;

use serde_json::{Map, json};

use super::*;

/// Parts `d0` to `d{levels}`, each of `part` over a reference to the next; the last one is `end`.
fn chain(levels: usize, part: impl Fn(Value) -> Value, end: &Value) -> Value {
    let mut parts: Map<_, _> =
        (0..levels).map(|level| (format!("d{level}"), part(json!({ "$ref": format!("#/$defs/d{}", level + 1) })))).collect();
    parts.insert(format!("d{levels}"), end.clone());
    json!({ "$ref": "#/$defs/d0", "$defs": parts })
}

fn refused(schema: &Value) -> String {
    JsonSchema::compile(schema).map(|_| "compiled").unwrap_err()
}

fn faults(schema: &Value, value: &Value) -> Result<Vec<SchemaFault>, TooCostly> {
    JsonSchema::compile(schema).unwrap().faults(value, 3)
}

fn paths(schema: &Value, value: &Value) -> Vec<String> {
    faults(schema, value).unwrap().into_iter().map(|fault| fault.path).collect()
}

#[test]
fn alternatives_that_multiply_are_refused_with_their_place() {
    let null = json!({ "type": "null" });
    for (keyword, end) in [("anyOf", &null), ("oneOf", &null), ("allOf", &json!(true)), ("allOf", &json!({}))] {
        let error = refused(&chain(30, |next| json!({ keyword: [next, next] }), end));
        assert!(error.contains("more than 10000 subschemas apply to one value at /$defs/d"), "{error}");
    }
    let error = refused(&chain(30, |next| json!({ "if": next, "then": next, "else": next }), &null));
    assert!(error.contains("subschemas apply to one value"), "{error}");
    let error = refused(&chain(30, |next| json!({ "allOf": [next], "unevaluatedProperties": false }), &json!(true)));
    assert!(error.contains("subschemas apply to one value"), "{error}");
    let named = json!({ "$ref": "#a0", "$defs": (0..30).map(|n| {
        let next = json!({ "$ref": format!("#a{}", n + 1) });
        (format!("d{n}"), json!({ "$anchor": format!("a{n}"), "anyOf": [next, next] }))
    }).chain([("d30".to_owned(), json!({ "$anchor": "a30", "type": "null" }))]).collect::<Map<_, _>>() });
    assert!(refused(&named).contains("subschemas apply to one value"));
    let addressed = json!({ "$id": "https://example.org/s", "$ref": "t0", "$defs": (0..30).map(|n| {
        let next = json!({ "$ref": format!("t{}", n + 1) });
        (format!("d{n}"), json!({ "$id": format!("t{n}"), "anyOf": [next, next] }))
    }).chain([("d30".to_owned(), json!({ "$id": "t30", "type": "null" }))]).collect::<Map<_, _>>() });
    assert!(refused(&addressed).contains("subschemas apply to one value"));
}

#[test]
fn a_part_that_refers_to_itself_in_place_is_refused() {
    for schema in [
        json!({ "$ref": "#" }),
        json!({ "anyOf": [{ "$ref": "#" }, { "$ref": "#" }] }),
        json!({ "$anchor": "a", "not": { "$ref": "#a" } }),
        json!({ "$defs": { "a": { "allOf": [{ "$ref": "#/$defs/b" }] }, "b": { "if": { "$ref": "#/$defs/a" } } } }),
    ] {
        assert!(refused(&schema).contains("circular reference"), "{schema}");
    }
    assert!(refused(&chain(5_000, |next| json!({ "allOf": [next] }), &json!(true))).contains("subschemas are nested more than 64 levels"));
    assert!(refused(&json!({ "$dynamicRef": "#a", "$dynamicAnchor": "a" })).contains("$dynamicRef isn't supported"));
    assert!(refused(&json!({ "items": { "$ref": "https://example.org/other" } })).contains("example.org"));
}

#[test]
fn alternatives_that_multiply_with_the_value_end() {
    let alternative = json!({ "properties": { "a": { "$ref": "#" } }, "required": ["a"] });
    let both = json!({ "anyOf": [alternative, alternative] });
    let deep = (0..60).fold(json!({}), |inner, _| json!({ "a": inner }));
    assert_eq!(faults(&both, &deep).unwrap()[0].message, "the value doesn't match the schema");
    let list = json!({ "type": "array", "items": { "$ref": "#" } });
    let lists = json!({ "anyOf": [{ "type": "null" }, list, list] });
    let deep = (0..60).fold(json!(1), |inner, _| json!([inner]));
    assert_eq!(faults(&lists, &deep).unwrap().len(), 1);
    let nulls = json!([vec![Value::Null; 10_000]]);
    assert_eq!(faults(&lists, &nulls), Ok(vec![]));
    // Without a reference the library remembers nothing of what it has checked.
    let doubling = |inner: Value| json!({ "allOf": [{ "items": inner.clone() }, { "items": inner }] });
    let plain = chain(40, doubling, &json!({ "type": "string" }));
    let deep = (0..40).fold(json!("x"), |inner, _| json!([inner]));
    assert_eq!(faults(&plain, &deep), Err(TooCostly));
}

#[test]
fn common_schemas_are_checked() {
    let tree = json!({ "type": "object", "additionalProperties": false, "required": ["name"], "properties": {
        "name": { "type": "string" }, "children": { "type": "array", "items": { "$ref": "#" } } } });
    let wide = json!({ "name": "a", "children": vec![json!({ "name": "b", "children": [] }); 10_000] });
    assert_eq!(faults(&tree, &wide), Ok(vec![]));
    let deep = (0..60).fold(json!({ "name": "z" }), |inner, _| json!({ "name": "a", "children": [inner] }));
    assert_eq!(faults(&tree, &deep), Ok(vec![]));
    assert_eq!(paths(&tree, &json!({ "name": 1, "children": [{ "name": "b" }, { "name": "c", "x": 1 }] })), ["/name", "/children/1"]);

    let variant = |kind: usize| {
        json!({ "properties": { "kind": { "const": kind },
        "left": { "$ref": "#" }, "right": { "$ref": "#" } }, "required": ["kind"] })
    };
    let expression = json!({ "oneOf": (0..20).map(variant).collect::<Vec<_>>() });
    let nested = (0..9).fold(json!({ "kind": 3 }), |inner, level| json!({ "kind": level, "left": inner, "right": inner }));
    assert_eq!(faults(&expression, &nested), Ok(vec![]));
    let unknown = (0..9).fold(json!({ "kind": 33 }), |inner, level| json!({ "kind": level, "left": inner }));
    assert_eq!(faults(&expression, &unknown).unwrap().len(), 1);

    let standard = json!({ "$ref": "https://json-schema.org/draft/2020-12/schema" });
    assert_eq!(faults(&standard, &json!({ "type": "string" })), Ok(vec![]));
    assert_eq!(paths(&standard, &json!({ "properties": { "a": { "type": 1 } } })), ["/properties/a/type"]);
    let closed = json!({ "allOf": [{ "properties": { "a": true } }], "unevaluatedProperties": false });
    assert_eq!(faults(&closed, &json!({ "a": 1 })), Ok(vec![]));
    assert_eq!(faults(&closed, &json!({ "b": 1 })).unwrap().len(), 1);
    let names = json!({ "propertyNames": { "pattern": "^[a-z]+$" } });
    assert_eq!(faults(&names, &json!({ "a": 1 })), Ok(vec![]));
    assert_eq!(faults(&names, &json!({ "A": 1 })).unwrap().len(), 1);
}

#[test]
fn equal_items_are_found_however_they_are_written() {
    let unique = json!({ "uniqueItems": true });
    let others: Vec<Value> = (10..40).map(Value::from).collect();
    for (one, other, same) in [
        (json!(1), json!(1.0), true),
        (json!(0), json!(-0.0), true),
        (json!({ "a": 1, "b": [2] }), json!({ "b": [2.0], "a": 1 }), true),
        (json!([[1], [2]]), json!([[1, 2]]), false),
        (json!("1"), json!(1), false),
        (json!(null), json!(false), false),
    ] {
        let items = [vec![one.clone(), other.clone()], others.clone()].concat();
        assert_eq!(faults(&unique, &json!(items)).unwrap().len(), usize::from(same), "{one} {other}");
    }
}

#[test]
fn the_deepest_checks_that_are_allowed_fit_on_a_small_stack() {
    let check = || {
        for levels in [1, 10, 25] {
            let down = json!({ "anyOf": [{ "type": "null" }, { "type": "object", "properties": { "a": { "$ref": "#" } } }] });
            let mut schema = chain(levels, |next| json!({ "allOf": [next] }), &down);
            schema["unevaluatedProperties"] = json!({ "type": "object" });
            let compiled = JsonSchema::compile(&schema).unwrap();
            let most = MAX_RECURSION / compiled.branches.depth;
            let deep = (1..most).fold(json!(1), |inner, _| json!({ "a": inner }));
            assert!(!compiled.faults(&deep, 3).unwrap().is_empty());
            assert_eq!(compiled.faults(&json!({ "a": { "a": deep } }), 3), Err(TooCostly));
        }
    };
    thread::Builder::new().stack_size(1 << 20).spawn(check).unwrap().join().unwrap();
}
