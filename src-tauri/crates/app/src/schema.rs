//! The table's shapes as one JSON document: the source of the TypeScript types.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::error::Failure;
use crate::operation::{Effect, operations};
use crate::wire::ChangeEvent;

/// `{operations: {name: {params, output, needs, writes}}, definitions: {..}}`, in stable order.
#[must_use]
pub fn document() -> Value {
    let mut generator = SchemaSettings::draft2020_12().with(|settings| settings.definitions_path = "/definitions".into()).into_generator();
    let mut table = Map::new();
    let mut entries: Vec<_> = operations().collect();
    entries.sort_by_key(|entry| entry.name);
    for entry in entries {
        let writes = match entry.effect {
            Effect::Reads => json!([]),
            Effect::Writes(tags) => json!(tags),
        };
        table.insert(
            entry.name.to_owned(),
            json!({
                "params": (entry.params)(&mut generator),
                "output": (entry.output)(&mut generator),
                "needs": entry.needs.as_str(),
                "writes": writes,
            }),
        );
    }
    generator.subschema_for::<Failure>();
    generator.subschema_for::<ChangeEvent>();
    let definitions: std::collections::BTreeMap<String, Value> = generator.take_definitions(true).into_iter().collect();
    json!({ "operations": table, "definitions": definitions })
}
