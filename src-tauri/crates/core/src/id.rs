//! Identifiers: one newtype a concept, so that a skill's id can't be passed where an artifact's belongs.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        #[schemars(with = "String", inline)]
        pub struct $name(Uuid);

        impl $name {
            /// Wraps an existing UUID.
            #[must_use]
            pub const fn new(id: Uuid) -> Self {
                Self(id)
            }

            /// The UUID itself.
            #[must_use]
            pub const fn uuid(self) -> Uuid {
                self.0
            }

            /// The id of these bytes, in network order; `None` unless there are 16.
            #[must_use]
            pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
                Uuid::from_slice(bytes).ok().map(Self)
            }

            /// Its 16 bytes in network order.
            #[must_use]
            pub fn bytes(&self) -> &[u8] {
                self.0.as_bytes()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::try_parse(text).map(Self)
            }
        }
    };
}

uuid_id! {
    /// A skill's id. It stays with the skill through renames and moves and is unique within a database.
    SkillId
}
uuid_id! {
    /// An artifact's id, unique within a database.
    ArtifactId
}
uuid_id! {
    /// The id of a proposal.
    ProposalId
}
uuid_id! {
    /// The id of a binding: what a skill is bound to in a workspace.
    BindingId
}
uuid_id! {
    /// The id of one artifact's execution.
    TraceId
}
uuid_id! {
    /// The id of a run: all executions of one call.
    RunId
}
uuid_id! {
    /// The id of a session: a conversation, or what belongs together without one.
    SessionId
}
