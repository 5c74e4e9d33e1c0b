use axum::http::Method;

/// What a route sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http) enum Answer {
    /// The result as JSON.
    Json,
    /// The same with an entity tag. Cached for a moment, and not sent again to a client that has it.
    Tagged,
    /// A created skill, with its address.
    Created,
    /// The bytes of a file of a skill.
    File,
    /// The bytes of a file that is saved by the client.
    Download,
    /// The events of a run and its outcome, if the client accepts them; else the outcome as JSON.
    Run,
    /// The events of a run until it ends.
    RunEvents,
    /// Which skills change, without end.
    Changes,
}

/// What a request must have seen before it changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http) enum Precondition {
    None,
    /// The skill that the field names.
    Skill(&'static str),
    /// The file at `path` of the skill `id`. One that doesn't exist is created.
    File,
}

#[derive(Debug)]
pub(in crate::http) struct Route {
    pub(in crate::http) method: Method,
    /// With parameters in braces.
    pub(in crate::http) path: &'static str,
    pub(in crate::http) summary: &'static str,
    pub(in crate::http) operation: &'static str,
    /// Fields that have another name in the request: that name, then the operation's.
    pub(in crate::http) names: &'static [(&'static str, &'static str)],
    /// Fields that requests don't have.
    pub(in crate::http) hidden: &'static [&'static str],
    pub(in crate::http) precondition: Precondition,
    pub(in crate::http) answer: Answer,
}

const BY_ID: &[(&str, &str)] = &[("id", "skill")];
const BY_NAME: &[(&str, &str)] = &[("name", "skill")];

fn route(method: Method, path: &'static str, operation: &'static str, summary: &'static str) -> Route {
    Route { method, path, summary, operation, names: &[], hidden: &[], precondition: Precondition::None, answer: Answer::Json }
}

impl Route {
    fn names(self, names: &'static [(&'static str, &'static str)]) -> Self {
        Self { names, ..self }
    }

    fn hides(self, hidden: &'static [&'static str]) -> Self {
        Self { hidden, ..self }
    }

    fn if_match(self, precondition: Precondition) -> Self {
        Self { precondition, ..self }
    }

    fn answers(self, answer: Answer) -> Self {
        Self { answer, ..self }
    }
}

pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        route(Method::GET, "/api/skills", "catalog/list", "Lists the skills").answers(Answer::Tagged),
        route(Method::POST, "/api/skills", "catalog/create", "Creates a skill").answers(Answer::Created),
        route(Method::DELETE, "/api/skills", "skill/delete", "Deletes a skill, unless others depend on it")
            .names(BY_NAME)
            .if_match(Precondition::Skill("name")),
        route(Method::GET, "/api/skills/stats", "library/stats", "Counts the skills and their runs"),
        route(Method::GET, "/api/skills/detail", "catalog/get", "Reads a skill").names(BY_NAME).answers(Answer::Tagged),
        route(Method::POST, "/api/skills/merge", "skill/merge", "Merges a skill into another and archives it")
            .if_match(Precondition::Skill("target")),
        route(Method::POST, "/api/skills/deprecate", "skill/deprecate", "Deprecates a skill")
            .names(BY_NAME)
            .if_match(Precondition::Skill("name")),
        route(Method::POST, "/api/skills/promote", "skill/promote", "Promotes a skill")
            .names(BY_NAME)
            .if_match(Precondition::Skill("name")),
        route(Method::POST, "/api/skills/load-human", "catalog/load_shared", "Imports the skills in .cortex/skills of the workspace"),
        route(Method::POST, "/api/skills/export", "catalog/export_shared", "Exports skills into .cortex/skills of the workspace"),
        route(Method::GET, "/api/skills/dependencies", "catalog/dependencies", "Lists what a skill needs and what needs it").names(BY_NAME),
        route(Method::GET, "/api/skills/health", "catalog/health", "Reports the health of a skill").names(BY_NAME),
        route(Method::POST, "/api/skills/health", "catalog/maintain", "Degrades, deprecates and reinstates skills that a model wrote"),
        route(Method::GET, "/api/skills/{id}", "catalog/get", "Reads a skill").names(BY_ID).answers(Answer::Tagged),
        route(Method::PATCH, "/api/skills/{id}", "catalog/update", "Changes a skill")
            .names(BY_ID)
            .if_match(Precondition::Skill("id"))
            .answers(Answer::Tagged),
        route(Method::DELETE, "/api/skills/{id}", "skill/delete", "Deletes a skill, unless others depend on it")
            .names(BY_ID)
            .if_match(Precondition::Skill("id")),
        route(Method::GET, "/api/skills/{id}/tree", "catalog/tree", "Lists the files of a skill").names(BY_ID).answers(Answer::Tagged),
        route(Method::GET, "/api/skills/{id}/files/{*path}", "file/bytes", "Reads a file of a skill")
            .names(BY_ID)
            .hides(&["limit"])
            .answers(Answer::File),
        route(Method::PUT, "/api/skills/{id}/files/{*path}", "skill/edit", "Creates or replaces a file of a skill")
            .names(BY_ID)
            .hides(&["changes"])
            .if_match(Precondition::File),
        route(Method::POST, "/api/skills/{id}/files/{*path}", "skill/edit", "Creates or replaces a file of a skill")
            .names(BY_ID)
            .hides(&["changes"])
            .if_match(Precondition::File),
        route(Method::DELETE, "/api/skills/{id}/files/{*path}", "file/delete", "Deletes a file of a skill")
            .names(BY_ID)
            .hides(&["paths"])
            .if_match(Precondition::File),
        route(Method::GET, "/api/skills/{id}/bindings", "reference/list", "Lists the references of a skill").names(BY_ID),
        route(Method::POST, "/api/skills/{id}/bindings", "reference/attach", "Attaches a reference to a skill").names(BY_ID),
        route(Method::DELETE, "/api/skills/{id}/bindings/{bindingId}", "reference/remove", "Removes a reference")
            .names(&[("id", "skill"), ("bindingId", "id")])
            .if_match(Precondition::Skill("id")),
        route(Method::GET, "/api/skills/{id}/readiness", "manifest/readiness", "Checks whether a skill can run here").names(BY_ID),
        route(Method::GET, "/api/skills/{id}/export", "catalog/pack", "Downloads a skill as a package")
            .names(BY_ID)
            .answers(Answer::Download),
        route(Method::GET, "/api/runs", "run/list", "Lists the runs"),
        route(Method::POST, "/api/runs", "run/start", "Runs a skill").answers(Answer::Run),
        route(Method::GET, "/api/runs/{run}", "run/get", "Reads a run"),
        route(Method::POST, "/api/runs/{run}/cancel", "run/cancel", "Cancels a run"),
        route(Method::GET, "/api/runs/{run}/events", "run/get", "Follows a run").answers(Answer::RunEvents),
        route(Method::GET, "/api/traces", "trace/list", "Lists the steps of runs"),
        route(Method::GET, "/api/traces/{trace}", "trace/get", "Reads a step of a run"),
        route(Method::GET, "/api/events", "catalog/list", "Follows the changes of skills")
            .hides(&["cursor", "enabled", "lifecycle", "limit", "origin", "scope", "source", "tag"])
            .answers(Answer::Changes),
    ]
}
