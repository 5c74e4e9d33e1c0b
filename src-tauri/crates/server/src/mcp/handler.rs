use std::sync::Arc;

use axum::http::request::Parts;
use inklings_app::features::resource::{
    ExposedSkill, ExposedSkills, GetResource, ListResources, ListResourcesParams, ReadResource, ReadResourceParams, ResourceRef,
};
use inklings_app::features::tool;
use inklings_app::{App, dispatch};
use inklings_rpc::{CallContext, CancellationToken, Code, Effect, Failure, Operation, Progress, ProgressReporter, RemoteRole, call};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorCode, ErrorData, GetSkillRequestParams, GetSkillResult,
    Implementation, ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ProgressToken, ReadResourceDirectoryRequestParams, ReadResourceDirectoryResult, ReadResourceRequestParams,
    ReadResourceResponse, ResourceTemplate, ServerCapabilities, ServerConfig, SubscriptionFilter,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{Peer, RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::changes::SkillChanges;
use super::file_cache::FileCache;
use super::recording::Recording;
use super::uri::SkillUri;
use super::{resources, tools};
use crate::catalog_version::CatalogVersion;
use crate::{Caller, Served};

const INSTRUCTIONS: &str = "Skills: instructions for kinds of tasks. List or search them, read the one that fits the task, and follow it. \
                            Run those that have prompts, scripts or programs with run_skill.";
/// Skills on a page of any list.
const PAGE: usize = 100;
/// Progress that waits to be sent. A client that doesn't read loses some of it.
const PROGRESS_CAPACITY: usize = 64;

/// Serves clients.
#[derive(Clone)]
pub struct Handler {
    served: Arc<Served>,
    /// Role of a client that was started with the server. None if requests bring their own [`Caller`].
    role: Option<RemoteRole>,
    files: Arc<FileCache>,
    /// Runs the calls of tools, which may take long.
    runtime: Handle,
}

impl Handler {
    /// To be called in the runtime that runs the calls of tools.
    pub(super) fn for_stdio(served: Served, role: RemoteRole) -> Self {
        let version = CatalogVersion::of(&served);
        Self::new(served, version, Some(role))
    }

    /// The same. `version`: of the catalog.
    pub(crate) fn for_http(served: &Served, version: Arc<CatalogVersion>) -> Self {
        Self::new(served.clone(), version, None)
    }

    fn new(served: Served, version: Arc<CatalogVersion>, role: Option<RemoteRole>) -> Self {
        Self { served: Arc::new(served), role, files: Arc::new(FileCache::new(version)), runtime: Handle::current() }
    }

    fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        if let Some(role) = self.role {
            let client = context.client_info().map(|client| client.name).unwrap_or_default();
            return Caller::of_client(&client, role);
        }
        let brought = context.extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<Caller>());
        // Nothing gets here without one; if it did, it would be a guest.
        brought.cloned().unwrap_or_else(|| Caller::of_client("", RemoteRole::Guest))
    }

    fn context(&self, context: &RequestContext<RoleServer>, cancel: CancellationToken, progress: ProgressReporter) -> CallContext {
        self.caller(context).context(self.served.workspace.clone(), &self.served.app.origin, cancel, progress)
    }

    async fn call<T: Operation<App = App>>(&self, context: &RequestContext<RoleServer>, params: T::Params) -> Result<T::Output, Failure> {
        call::<T>(&self.served.app, self.context(context, CancellationToken::default(), ProgressReporter::default()), params).await
    }

    async fn page(
        &self,
        request: Option<PaginatedRequestParams>,
        context: &RequestContext<RoleServer>,
    ) -> Result<ExposedSkills, ErrorData> {
        let after = request.and_then(|request| request.cursor);
        let params = ListResourcesParams { after, limit: Some(PAGE) };
        self.call::<ListResources>(context, params).await.map_err(|failure| error(&failure))
    }

    async fn skill(&self, uri: &SkillUri, context: &RequestContext<RoleServer>) -> Result<ExposedSkill, Failure> {
        self.call::<GetResource>(context, ResourceRef { slug: uri.slug.clone() }).await
    }

    fn record(&self, context: &RequestContext<RoleServer>, method: &str, target: Option<&str>) -> Recording {
        let at = self.served.app.clock.now();
        Recording::begin(&self.served.activity, at, self.caller(context), context.client_info().as_ref(), method, target)
    }

    fn changes(&self) -> SkillChanges {
        SkillChanges::new(self.served.changes.resubscribe(), self.served.workspace.as_ref())
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_skills_with_directory_read()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("inklings", env!("CARGO_PKG_VERSION")).with_title("Inklings Skill Studio"))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.record(&context, "tools/list", None).succeed();
        Ok(ListToolsResult::with_all_items(tools::list(&self.caller(&context), self.served.workspace.is_some(), self.served.tools)))
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        let unknown = || ErrorData::invalid_params(format!("there is no tool {:?}", request.name), None);
        let name = tool::operation_name(&request.name);
        let recording = self.record(&context, "tools/call", name.map(|_| request.name.as_ref()));
        let name = name.ok_or_else(unknown)?;
        let (cancel, progress) = (CancellationToken::new(), reporter(context.meta.get_progress_token(), &context.peer));
        let cx = self.context(&context, cancel.clone(), progress);
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let app = self.served.app.clone();
        let mut reply = self.runtime.spawn(dispatch(app, cx, name, arguments));
        let result = tokio::select! {
            result = &mut reply => result,
            // A cancelled call ends by itself, so that its run is closed and recorded.
            () = context.ct.cancelled() => {
                cancel.cancel();
                reply.await
            }
        };
        if tool::operation(&request.name).is_none_or(|operation| operation.effect != Effect::Reads) {
            self.files.forget();
        }
        let result = result.unwrap_or_else(|_| Err(Failure::new(Code::Internal, "the call stopped unexpectedly")));
        let result = match result {
            Ok(value) => tools::result(value),
            Err(failure) => tools::failure(&failure),
        };
        if result.is_error != Some(true) {
            recording.succeed();
        }
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let recording = self.record(&context, "resources/list", None);
        let page = self.page(request, &context).await?;
        recording.succeed();
        let mut result = ListResourcesResult::with_all_items(page.skills.iter().flat_map(resources::files).collect());
        result.next_cursor = page.next;
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template = ResourceTemplate::new("skill://{slug}/{+path}", "skill-file").with_title("File of a skill");
        Ok(ListResourceTemplatesResult::with_all_items(vec![template]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let recording = self.record(&context, "resources/read", None);
        let missing = || {
            let data = json!({ "uri": request.uri });
            ErrorData::resource_not_found(format!("resource not found: {}", request.uri), Some(data))
        };
        let uri = SkillUri::parse(&request.uri).ok_or_else(missing)?;
        let params = ReadResourceParams { path: uri.file().ok_or_else(missing)?, slug: uri.slug };
        match self.files.get(self.caller(&context).role, &request.uri, self.call::<ReadResource>(&context, params)).await {
            Ok(file) => {
                recording.succeed();
                Ok(resources::contents(&request.uri, &file).into())
            }
            Err(failure) if failure.code == Code::NotFound => Err(missing()),
            Err(failure) => Err(error(&failure)),
        }
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        let recording = self.record(&context, "skills/list", None);
        let page = self.page(request, &context).await?;
        recording.succeed();
        let mut result = ListSkillsResult::with_all_items(page.skills.iter().filter_map(resources::skill).collect());
        result.next_cursor = page.next;
        Ok(result)
    }

    async fn get_skill(&self, request: GetSkillRequestParams, context: RequestContext<RoleServer>) -> Result<GetSkillResult, ErrorData> {
        let recording = self.record(&context, "skills/get", None);
        let missing = || ErrorData::invalid_params(format!("skill not found: {}", request.uri), None);
        let uri = SkillUri::parse(&request.uri).ok_or_else(missing)?;
        let exposed = match self.skill(&uri, &context).await {
            Ok(exposed) => exposed,
            Err(failure) if failure.code == Code::NotFound => return Err(missing()),
            Err(failure) => return Err(error(&failure)),
        };
        let skill = resources::skill(&exposed).filter(|skill| skill.uri == request.uri).ok_or_else(missing)?;
        recording.succeed();
        Ok(GetSkillResult::new(skill))
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        let recording = self.record(&context, "resources/directory/read", None);
        let missing = || ErrorData::invalid_params(format!("folder not found: {}", request.uri), None);
        let uri = SkillUri::parse(&request.uri).ok_or_else(missing)?;
        match self.skill(&uri, &context).await {
            Ok(exposed) => {
                let children = resources::children(&exposed, &uri.path).ok_or_else(missing)?;
                recording.succeed();
                Ok(ReadResourceDirectoryResult::with_all_items(children))
            }
            Err(failure) if failure.code == Code::NotFound => Err(missing()),
            Err(failure) => Err(error(&failure)),
        }
    }

    /// Also gets the requests of methods whose parameters aren't theirs.
    async fn on_custom_request(&self, request: CustomRequest, context: RequestContext<RoleServer>) -> Result<CustomResult, ErrorData> {
        let Some(check) = params_check(&request.method) else {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None));
        };
        // It isn't marked as successful.
        let _recording = self.record(&context, &request.method, None);
        let reason = check(request.params.unwrap_or_else(|| json!({}))).err().map_or_else(String::new, |error| format!(": {error}"));
        Err(ErrorData::invalid_params(format!("the parameters of {} are invalid{reason}", request.method), None))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let mut changes = self.changes();
        tokio::spawn(async move { while changes.next().await && context.peer.notify_resource_list_changed().await.is_ok() {} });
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.changes();
        loop {
            tokio::select! {
                () = subscription.cancelled() => return Ok(()),
                goes_on = changes.next() => {
                    if !goes_on || subscription.sink().notify_resource_list_changed().await.is_err() {
                        return Ok(());
                    }
                }
            }
        }
    }
}

type ParamsCheck = fn(Value) -> Result<(), serde_json::Error>;

/// Reads the parameters of a method. None if there is no such method.
fn params_check(method: &str) -> Option<ParamsCheck> {
    fn check<T: DeserializeOwned>(params: Value) -> Result<(), serde_json::Error> {
        serde_json::from_value::<T>(params).map(drop)
    }
    Some(match method {
        "tools/call" => check::<CallToolRequestParams>,
        "tools/list" | "resources/list" | "resources/templates/list" | "skills/list" => check::<PaginatedRequestParams>,
        "resources/read" => check::<ReadResourceRequestParams>,
        "resources/directory/read" => check::<ReadResourceDirectoryRequestParams>,
        "skills/get" => check::<GetSkillRequestParams>,
        _ => return None,
    })
}

/// Sends the progress of a call to the client, if it asked for that.
fn reporter(token: Option<ProgressToken>, peer: &Peer<RoleServer>) -> ProgressReporter {
    let Some(token) = token else { return ProgressReporter::default() };
    let (sender, mut receiver) = mpsc::channel::<Progress>(PROGRESS_CAPACITY);
    let peer = peer.clone();
    tokio::spawn(async move {
        while let Some(progress) = receiver.recv().await {
            #[expect(clippy::cast_precision_loss, reason = "the protocol has floating-point numbers")]
            let number = |count: u64| count as f64;
            let mut param = ProgressNotificationParam::new(token.clone(), number(progress.done));
            param.total = progress.total.map(number);
            if peer.notify_progress(param).await.is_err() {
                return;
            }
        }
    });
    ProgressReporter::new(move |progress| {
        // Full or closed: progress may be lost.
        let _ = sender.try_send(progress);
    })
}

fn error(failure: &Failure) -> ErrorData {
    let data = serde_json::to_value(failure).ok();
    match failure.code {
        Code::Invalid | Code::NotFound => ErrorData::invalid_params(failure.message.clone(), data),
        Code::Forbidden => ErrorData::invalid_request(failure.message.clone(), data),
        _ => ErrorData::internal_error(failure.message.clone(), data),
    }
}
