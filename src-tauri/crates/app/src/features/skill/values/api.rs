use inklings_core::Scope;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

/// Of a list.
pub(super) const MAX_ENTRIES: usize = 100;

/// Values to change. Omitted values are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SkillValues {
    /// Title. The slug is kept.
    pub name: Option<String>,
    /// What the skill does and when to use it.
    pub description: Option<String>,
    pub category: Option<String>,
    pub tags: Option<Vec<String>>,
    pub triggers: Option<Vec<String>>,
    /// When another skill is the better choice. Null removes it.
    #[serde(deserialize_with = "nullable")]
    #[schemars(with = "Option<String>")]
    pub when_not_to_use: Option<Option<String>>,
    /// Version set by the author.
    pub version: Option<String>,
    /// Display name of the author. Null removes it.
    #[serde(deserialize_with = "nullable")]
    #[schemars(with = "Option<String>")]
    pub author: Option<Option<String>>,
    /// Whether a user can invoke it by name, not only an agent by its description.
    pub user_invocable: Option<bool>,
}

#[expect(clippy::option_option, reason = "an omitted value is kept, null removes it")]
fn nullable<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(deserializer).map(Some)
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DescribeParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The revision that the values were read from. Values changed since are a conflict. [default: overwrite]
    #[serde(default)]
    pub expected: Option<i64>,
    pub values: SkillValues,
}
