use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::string_enum::string_enum;

string_enum! {
    /// Whether a person reviews each iteration.
    ReviewMode {
        /// A person reviews each iteration.
        Supervised,
        /// No review is needed.
        Autonomous,
    }
}
