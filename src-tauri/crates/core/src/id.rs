//! Identifiers: one newtype per concept, so that they can't be mixed up.

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
            #[must_use]
            pub const fn new(id: Uuid) -> Self {
                Self(id)
            }

            #[must_use]
            pub const fn uuid(self) -> Uuid {
                self.0
            }

            /// From 16 bytes in network order; `None` for another length.
            #[must_use]
            pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
                Uuid::from_slice(bytes).ok().map(Self)
            }

            /// 16 bytes in network order.
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
    /// The ID of a skill. Kept when the skill is renamed. Unique within a database.
    SkillId
}
uuid_id! {
    /// The ID of an artifact. Unique within a database.
    ArtifactId
}
uuid_id! {
    ProposalId
}
uuid_id! {
    /// The ID of a reference of a skill in a workspace.
    BindingId
}
uuid_id! {
    /// The ID of a run of eval cases.
    EvalRunId
}
uuid_id! {
    /// The ID of an artifact's execution.
    TraceId
}
uuid_id! {
    /// The ID of a run: all executions of one request.
    RunId
}
uuid_id! {
    /// The ID of a session: a chat, an optimization or a series of runs.
    SessionId
}
uuid_id! {
    /// The ID of a message of a chat.
    MessageId
}
