use inklings_core::Scope;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

/// Values to change; what is left out stays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SkillValues {
    /// Title. The slug stays.
    pub name: Option<String>,
    /// What it does and when to use it.
    pub description: Option<String>,
    pub category: Option<String>,
    pub tags: Option<Vec<String>>,
    pub triggers: Option<Vec<String>>,
    /// When another skill is the better choice; null takes it away.
    #[serde(deserialize_with = "given")]
    #[schemars(with = "Option<String>")]
    pub when_not_to_use: Option<Option<String>>,
    /// The author's version.
    pub version: Option<String>,
    /// Display name of the author; null takes it away.
    #[serde(deserialize_with = "given")]
    #[schemars(with = "Option<String>")]
    pub author: Option<Option<String>>,
    /// Whether a person can call it by its name, not only an agent by its description.
    pub user_invocable: Option<bool>,
}

/// Null is a value, unlike what was left out.
#[expect(clippy::option_option, reason = "left out, taken away and given are three things")]
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(deserializer).map(Some)
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DescribeParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The revision that the values were read from: one that changed since is a conflict. Without it the values apply to whatever is stored.
    #[serde(default)]
    pub expected: Option<i64>,
    pub values: SkillValues,
}
