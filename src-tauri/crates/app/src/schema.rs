//! The table's shapes as one JSON document: the source of the TypeScript types.

use std::collections::BTreeMap;

use inklings_runtime::RunEvent;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::error::Failure;
use crate::operation::{Effect, operations};
use crate::wire::ChangeEvent;

/// `{operations: {name: {params, output, needs, writes}}, definitions: {..}}`, in stable order.
///
/// What a caller may leave out of parameters is optional there; what we send is always there, if only as null. Shapes that go
/// both ways must be the same in both directions; a test checks it.
#[must_use]
pub fn document() -> Value {
    let settings = || SchemaSettings::draft2020_12().with(|settings| settings.definitions_path = "/definitions".into());
    let (mut taken, mut sent) = (settings().for_deserialize().into_generator(), settings().for_serialize().into_generator());
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
                "params": (entry.params)(&mut taken),
                "output": (entry.output)(&mut sent),
                "needs": entry.needs.as_str(),
                "writes": writes,
            }),
        );
    }
    sent.subschema_for::<Failure>();
    sent.subschema_for::<ChangeEvent>();
    sent.subschema_for::<RunEvent>();
    let mut definitions: BTreeMap<String, Value> = taken.take_definitions(true).into_iter().collect();
    definitions.extend(sent.take_definitions(true));
    json!({ "operations": table, "definitions": definitions })
}

/// The published JSON Schema of a skill package.
#[must_use]
pub fn package() -> &'static Value {
    inklings_folder::package::package_schema()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_that_go_both_ways_are_the_same() {
        let settings = || SchemaSettings::draft2020_12();
        let (mut taken, mut sent) = (settings().for_deserialize().into_generator(), settings().for_serialize().into_generator());
        for entry in operations() {
            (entry.params)(&mut taken);
            (entry.output)(&mut sent);
        }
        let sent: BTreeMap<String, Value> = sent.take_definitions(true).into_iter().collect();
        for (name, shape) in taken.take_definitions(true) {
            assert!(sent.get(&name).is_none_or(|other| *other == shape), "{name} differs by direction");
        }
    }
}
