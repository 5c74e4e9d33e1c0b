//! What an operation is, and the macro that declares those of a family.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::context::{CallContext, Permission};
use crate::failure::{Code, Failure};

/// Whether a call changes data. A client drops what it cached under the tags of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Reads,
    Writes(&'static [&'static str]),
}

/// Parameters of an operation that has none.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoParams {}

/// The result of an operation that returns nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Done {}

/// A call that any front end can make. `App` is what operations work on.
pub trait Operation: 'static {
    type App: Send + Sync + 'static;
    /// `family/verb`
    const NAME: &'static str;
    const PERMISSION: Permission;
    const EFFECT: Effect;
    type Params: DeserializeOwned + JsonSchema + Send + 'static;
    type Output: Serialize + JsonSchema + Send + 'static;

    fn call(app: Arc<Self::App>, cx: CallContext, params: Self::Params) -> impl Future<Output = Result<Self::Output, Failure>> + Send;
}

/// An operation that blocks, for callers that do, too: tests and benchmarks.
pub trait BlockingOperation: Operation {
    fn run(app: &Self::App, cx: &CallContext, params: Self::Params) -> Result<Self::Output, Failure>;
}

pub type Reply = Pin<Box<dyn Future<Output = Result<Value, Failure>> + Send>>;

/// An [`Operation`] as a row of a table, without its types.
pub struct OperationDef<App> {
    pub name: &'static str,
    pub permission: Permission,
    pub effect: Effect,
    pub params: fn(&mut SchemaGenerator) -> Schema,
    pub output: fn(&mut SchemaGenerator) -> Schema,
    pub(crate) invoke: fn(Arc<App>, CallContext, Value) -> Reply,
}

impl<App: Send + Sync + 'static> OperationDef<App> {
    #[must_use]
    pub const fn of<T: Operation<App = App>>() -> Self {
        Self {
            name: T::NAME,
            permission: T::PERMISSION,
            effect: T::EFFECT,
            params: |generator| generator.subschema_for::<T::Params>(),
            output: |generator| generator.subschema_for::<T::Output>(),
            invoke: |app, cx, params| {
                Box::pin(async move {
                    let output = T::call(app, cx, parse(T::NAME, params)?).await?;
                    serde_json::to_value(output).map_err(|error| Failure::new(Code::Internal, format!("{}: {error}", T::NAME)))
                })
            },
        }
    }
}

/// An error names the parameter.
fn parse<T: DeserializeOwned>(operation: &str, params: Value) -> Result<T, Failure> {
    serde_path_to_error::deserialize(params)
        .map_err(|error| Failure::invalid(format!("the parameters of {operation} are invalid: {error}")))
}

/// Declares the operations of a family and its table, `OPERATIONS`. Each names the type that stands for it in calls from Rust, the
/// permission that it needs, the tags of the data that it changes, and the function that does it:
///
/// ```ignore
/// operations! { App;
///     /// Merged, or both scopes.
///     List = "skill/list", Read, blocking list(ListParams) -> SkillList;
///     Create = "skill/create", Write["skill"], blocking create(CreateParams) -> SkillDetail;
///     Start = "run/start", Run["run"], async start(RunParams) -> RunOutcome;
/// }
/// ```
///
/// A `blocking` function is `fn(&App, &CallContext, Params) -> Result<Output, Failure>` and runs on a thread for that; an `async` one is
/// `async fn(Arc<App>, CallContext, Params) -> Result<Output, Failure>`.
#[macro_export]
macro_rules! operations {
    ($app:ty; $($(#[$doc:meta])* $name:ident = $wire:literal, $permission:ident $([$($tag:literal),+])?, $mode:tt $function:ident($params:ty) -> $output:ty;)+) => {
        $(
            #[doc = concat!("`", $wire, "`")]
            ///
            $(#[$doc])*
            pub struct $name;

            impl $crate::Operation for $name {
                type App = $app;
                const NAME: &'static str = $wire;
                const PERMISSION: $crate::Permission = $crate::Permission::$permission;
                const EFFECT: $crate::Effect = $crate::operations!(@effect $([$($tag),+])?);
                type Params = $params;
                type Output = $output;

                async fn call(
                    app: ::std::sync::Arc<$app>,
                    cx: $crate::CallContext,
                    params: $params,
                ) -> ::std::result::Result<$output, $crate::Failure> {
                    $crate::operations!(@call $mode $function, app, cx, params)
                }
            }

            $crate::operations!(@blocking $mode $name, $function, $app);
        )+

        /// The operations of this family, in the order of their documentation.
        pub(crate) const OPERATIONS: &[$crate::OperationDef<$app>] = &[$($crate::OperationDef::of::<$name>()),+];
    };
    (@effect) => { $crate::Effect::Reads };
    (@effect [$($tag:literal),+]) => { $crate::Effect::Writes(&[$($tag),+]) };
    (@blocking async $name:ident, $function:ident, $app:ty) => {};
    (@blocking blocking $name:ident, $function:ident, $app:ty) => {
        impl $crate::BlockingOperation for $name {
            fn run(
                app: &$app,
                cx: &$crate::CallContext,
                params: Self::Params,
            ) -> ::std::result::Result<Self::Output, $crate::Failure> {
                $function(app, cx, params)
            }
        }
    };
    (@call async $function:ident, $app:ident, $cx:ident, $params:ident) => { $function($app, $cx, $params).await };
    (@call blocking $function:ident, $app:ident, $cx:ident, $params:ident) => {
        $crate::blocking(move || $function(&$app, &$cx, $params)).await
    };
}

/// Runs blocking work on a thread of the blocking pool. A panic there fails this call only.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, Failure> + Send + 'static) -> Result<T, Failure> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(Failure::new(Code::Internal, format!("the call stopped unexpectedly: {error}"))))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_wrong_with_parameters_is_said_of_the_one_that_it_is() {
        let refused = |params| parse::<BTreeMap<String, Vec<u8>>>("size/put", params).unwrap_err().message;
        let sizes = refused(json!({ "names": [], "sizes": [1, "x"] }));
        assert_eq!(sizes, "the parameters of size/put are invalid: sizes[1]: invalid type: string \"x\", expected u8");
        assert_eq!(refused(json!([])), "the parameters of size/put are invalid: invalid type: sequence, expected a map");
    }
}
