//! The shapes of all operations and events as one JSON document.

use inklings_runtime::RunEvent;
use serde_json::Value;

use crate::features::chat::ChatEvent;
use crate::registry::REGISTRY;
use crate::wire::ChangeEvent;

/// See [`inklings_rpc::Registry::schema`].
#[must_use]
pub fn document() -> Value {
    REGISTRY.schema(|generator| {
        generator.subschema_for::<ChangeEvent>();
        generator.subschema_for::<RunEvent>();
        generator.subschema_for::<ChatEvent>();
    })
}

/// The published JSON Schema of a skill package.
#[must_use]
pub fn package() -> &'static Value {
    inklings_folder::package::package_schema()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use schemars::generate::SchemaSettings;

    use super::*;

    #[test]
    fn shapes_that_go_both_ways_are_the_same() {
        let settings = || SchemaSettings::draft2020_12();
        let (mut received, mut sent) = (settings().for_deserialize().into_generator(), settings().for_serialize().into_generator());
        for operation in REGISTRY.operations() {
            (operation.params)(&mut received);
            (operation.output)(&mut sent);
        }
        let sent: BTreeMap<String, Value> = sent.take_definitions(true).into_iter().collect();
        for (name, shape) in received.take_definitions(true) {
            assert!(sent.get(&name).is_none_or(|other| *other == shape), "{name} differs by direction");
        }
    }
}
