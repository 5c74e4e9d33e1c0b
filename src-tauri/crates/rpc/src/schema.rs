//! The shapes of all operations as one JSON document: the source of the TypeScript types.

use std::collections::BTreeMap;

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::operation::Effect;
use crate::registry::Registry;

impl<App: Send + Sync + 'static> Registry<App> {
    /// `{operations: {name: {params, output, needs, writes}}, definitions: {..}}`, in stable order. `events` adds what front ends
    /// receive without asking.
    ///
    /// What a caller may leave out of parameters is optional there; what we send is always there, if only as null. Shapes that go
    /// both ways must be the same in both directions; a test checks it.
    #[must_use]
    pub fn schema(&self, events: impl FnOnce(&mut SchemaGenerator)) -> Value {
        let (mut received, mut sent) = (settings().for_deserialize().into_generator(), settings().for_serialize().into_generator());
        let mut operations: Vec<_> = self.operations().collect();
        operations.sort_by_key(|operation| operation.name);
        let mut table = Map::new();
        for operation in operations {
            let writes = match operation.effect {
                Effect::Reads => json!([]),
                Effect::Writes(tags) => json!(tags),
            };
            table.insert(
                operation.name.to_owned(),
                json!({
                    "params": (operation.params)(&mut received),
                    "output": (operation.output)(&mut sent),
                    "needs": operation.permission.as_str(),
                    "writes": writes,
                }),
            );
        }
        sent.subschema_for::<Failure>();
        events(&mut sent);
        let mut definitions: BTreeMap<String, Value> = received.take_definitions(true).into_iter().collect();
        definitions.extend(sent.take_definitions(true));
        json!({ "operations": table, "definitions": definitions })
    }
}

fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| settings.definitions_path = "/definitions".into())
}
