// Generated from schema.json by `cargo xtask generate`; change the operations in Rust instead.

export interface AcceptedProposal {
  /** The changed skill: a fork if the original is locked. */
  skill: string;
  revision: number;
  forked: boolean;
}

export interface ArtifactInfo {
  /** The ID of an artifact. Unique within a database. */
  id: string;
  kind: ArtifactKind;
  name: string;
  ordinal: number;
  /** Model family. Null for the default variant. */
  variant: string | null;
  /** Kind-specific settings. */
  metadata: {
    [k: string]: unknown;
  };
}

export type ArtifactKind = 'description' | 'prompt_template' | 'code_template' | 'dspy_module' | 'approach' | 'example';

export type AttemptOutcome = 'kept' | 'rejected' | 'repeated' | 'invalid';

/** A message about the app's or a workspace's state, shown until the state changes. */
export interface Banner {
  severity: Severity;
  message: string;
  hint: string | null;
  /** Operation that does what the hint says, if one does. */
  action: string | null;
}

/** An entry of the change feed. It says what to read again and has no data itself. */
export interface ChangeEvent {
  /** Position in the scope's feed. 0 for pages and the status of the search, which have no feed. */
  seq: number;
  /**
   * `skill`, `draft`, `input`, `setting`, `workspace`, `proposal`, `reference`, `chat`, `action`, `agent`, `note`, `page` or `search`;
   * `database` if the database was replaced.
   */
  kind: string;
  /** IDs of what changed. Empty if there are too many. */
  ids: string[];
  /** Origin of the write. Empty if unknown. */
  origin: string;
  scope: Scope;
  /** Folder of the workspace. Null for the account. */
  workspace: string | null;
}

/** The side that changed a file since the common base. */
export type ChangedBy = 'ours' | 'theirs' | 'both' | 'conflict';

/** Codes of [`Failure`]. */
export type Code =
  | ('notFound' | 'limit' | 'unknownOperation' | 'script' | 'program' | 'cancelled')
  | 'invalid'
  | 'locked'
  | 'revisionConflict'
  | 'exists'
  | 'hasDependents'
  | 'readOnly'
  | 'newerDatabase'
  | 'corrupt'
  | 'busy'
  | 'unsavedDraft'
  | 'forbidden'
  | 'noModel'
  | 'model'
  | 'notTrusted'
  | 'approvalRequired'
  | 'assertion'
  | 'notInstalled'
  | 'io'
  | 'internal';

/** A file that differs. */
export interface ComparedFile {
  /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
  path: string;
  change: PathChange;
  /** Whether the file is text on both sides. */
  text: boolean;
  /** Whether the execute bit differs. */
  mode: boolean;
  /** Whether the file has the execute bit on the right side. */
  executable: boolean;
  /** Lines only on the right side. Null for binary files. */
  added: number | null;
  /** Lines only on the left side. Null for binary files. */
  removed: number | null;
}

/** Lines and columns count from 1; columns count Unicode characters, not bytes. */
export interface Diagnostic {
  /** Stable rule ID, `family/rule`. */
  rule: string;
  severity: Severity;
  /** Lower case, without a trailing period. */
  message: string;
  hint: string | null;
  /** Path in the skill, or on disk outside of skills. */
  file: string | null;
  line: number | null;
  column: number | null;
  end_line: number | null;
  /** Exclusive. */
  end_column: number | null;
  /** JSON pointer, for diagnostics about JSON. */
  pointer: string | null;
}

/** The result of an operation that returns nothing. */
export type Done = Record<string, never>;

/** The unsaved text of a file. */
export interface Draft {
  /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
  skill_id: string;
  scope: Scope;
  /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
  path: string;
  /** The revision that the text is based on. */
  base_revision: number;
  /** Hash of the file at that revision. Null for a new file. */
  base_sha256: string | null;
  text: string;
  /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
  updated_at: string;
}

export interface EditResult {
  skill: SkillDetail;
  /** Current revision. */
  revision: number;
  /**
   * The revision that the edits were applied to; `revision` itself if nothing changed. Reverting from `revision` to it undoes these
   * edits only.
   */
  before: number;
  /** Whether the edits were applied to a newer revision than expected. */
  rebased: boolean;
  diagnostics: Diagnostic[];
}

/** Summary of the evaluation that a manifest declares. */
export interface EvalSummary {
  /** Whether it declares criteria, cases, metrics or a baseline. */
  contract: boolean;
  /** Number of requests that should trigger the skill. */
  triggerCases: number;
  /** Number of situations that its work is evaluated in. */
  functionalScenarios: number;
  /** Number of criteria. */
  successCriteria: number;
  /** Number of observed metrics. */
  trackedMetrics: number;
  /** What candidates are compared with. */
  baseline: string | null;
  /** Whether a score is sufficient to promote a candidate. */
  autonomousPromotion: boolean;
}

/** An export format of a skill. */
export type ExportFormat = 'amble' | 'markdown' | 'claude-skill' | 'openai-gpt' | 'cowork';

/** A skill of an export, written as a whole or not at all. */
export interface ExportItem {
  /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
  id: string;
  scope: Scope;
  /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  slug: string;
  name: string;
  /** The folder or file. Relative if no target folder was given. */
  path: string;
  /** Number of exported files. */
  files: number;
  /**
   * Files that the format can't contain.
   *
   * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
   */
  left_out: string[];
  /** Problems to know before sharing the skill. */
  diagnostics: Diagnostic[];
  /** Why this skill wasn't exported. */
  failure: Failure | null;
}

export interface ExportReport {
  /** In the requested order. */
  items: ExportItem[];
  dry_run: boolean;
  /** Whether it was cancelled. `items` has the skills exported before. */
  stopped: boolean;
}

/** The error of a call, for every front end. */
export interface Failure {
  code: Code;
  /** What happened, to what. */
  message: string;
  /** The next step, in words that fit any front end. */
  hint: string | null;
  /** Set if front ends describe the step in their own words instead of `hint`. */
  nextStep?: NextStep | null;
  /** Details that depend on the code, such as `diagnostics`. */
  fields: {
    [k: string]: unknown;
  } | null;
  /** ID of the call, as in the log. */
  requestId: string;
}

/** A copy of a repository's files at one commit. */
export interface FetchedRepository {
  source: RepositorySource;
  /** The folder that was asked for, in the copy. */
  path: string;
}

/** A file before and after a change. */
export interface FileChange {
  path: string;
  /** Null for a new file. */
  before: string | null;
  /** Null for a deleted file. */
  after: string | null;
}

/** A file of a skill, without its content. */
export interface FileEntry {
  /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
  path: string;
  /** In bytes. */
  size: number;
  /** The SHA-256 of some bytes; text form is 64 lower-case hex digits. */
  sha256: string;
  /** The owner's execute bit. */
  executable: boolean;
  /** Whether it is editable as text: UTF-8 without NUL. */
  text: boolean;
  role: FileRole;
  artifact: ArtifactInfo | null;
  /** Whether it has unsaved text. */
  draft: boolean;
}

export interface FileRef {
  /** ID, slug or title. */
  skill: string;
  /** Scope of the skill. [default: workspace, then account] */
  scope?: Scope | null;
  /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
  path: string;
}

/** Role of a file in its skill. */
export type FileRole = ('artifact' | 'file') | 'main' | 'manifest' | 'state';

/** When a gate pauses the run. */
export type GateMoment = 'before_run' | 'before_write' | 'after_draft' | 'low_confidence';

export interface ImportItem {
  /** Its folder or file, followed by the path in the package if there is one. */
  path: string;
  /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  slug: string | null;
  name: string | null;
  status: ImportStatus;
  stored: boolean;
  /** The stored or the new skill. */
  skill: string | null;
  /** Current revision of the stored skill. */
  revision: number | null;
  /** The revision that both versions are based on, if known. */
  base: number | null;
  /** Files that differ from the base, by path. Only of updates and conflicts. */
  changes: PathMerge[];
  diagnostics: Diagnostic[];
}

export interface ImportReport {
  /** By path, in byte order. */
  items: ImportItem[];
  scope: Scope;
  dry_run: boolean;
  /** Whether it was cancelled. `items` has the skills processed before. */
  stopped: boolean;
  /** Number of skills found. */
  found: number;
  /** Problems while searching for skills: folders without permission, links that weren't followed. */
  diagnostics: Diagnostic[];
  /** Why it ended early, such as a full disk. `items` has the skills processed before. */
  failure: Failure | null;
}

export type ImportStatus = 'new' | 'update' | 'conflict' | 'unchanged' | 'locked' | 'refused';

/** A file in one of the formats that skills are imported from. */
export interface ImportedText {
  /** Name of the file, with its extension. */
  name: string;
  text: string;
}

export interface InstructionEdit {
  /** A part of the instructions that occurs once. Empty appends the text at the end. */
  find: string;
  replace: string;
}

export type Lifecycle = 'candidate' | 'verified' | 'released' | 'degraded' | 'deprecated' | 'archived';

/** Limits of a run. */
export interface Limits {
  /** Input and output tokens together. */
  tokens?: number | null;
  /** Estimated cost in USD. Calls with an unknown price don't count. */
  cost?: number | null;
  /** Wall time in seconds [default: 600]. */
  seconds?: number | null;
}

/** A file in the three versions of a merge. */
export interface MergeVersions {
  /** At the common base. Empty if there is none. */
  base: RevisionFile;
  /** As stored. */
  ours: RevisionFile;
  /** As imported, or in the copy. */
  theirs: RevisionFile;
}

/** A model of a configured provider, written `provider/model`. The model's own ID may contain slashes. */
export type ModelRef = string;

/**
 * A next step after a failure that each front end describes in its own words: the command line names a command, the window one of its
 * parts.
 */
export type NextStep =
  | 'findSkill'
  | 'findRevision'
  | 'findFile'
  | 'findCopy'
  | 'findRun'
  | 'findProposal'
  | 'mergeProposal'
  | 'findProvider'
  | 'addModel'
  | 'setKey'
  | 'checkKeyStore'
  | 'setValues'
  | 'raiseLimit'
  | 'checkDspy'
  | 'openWorkspace'
  | 'trustWorkspace'
  | 'approveGates'
  | 'decideGates';

/** Parameters of an operation that has none. */
export type NoParams = Record<string, never>;

export type Origin = 'human' | 'llm';

export type Outcome = ('passed' | 'failed') | 'not_run';

/** An export format other than a folder. */
export type PackageFormat = ('json' | 'skill' | 'amble') | 'markdown' | 'claude-skill' | 'openai-gpt' | 'cowork';

/** Why the last part of an operation failed. Its first part is stored. */
export interface PartialFailure {
  code: Code;
  message: string;
  hint: string | null;
}

/** How a path differs from the revision before. */
export type PathChange = ('added' | 'removed') | 'modified';

/** A file that at least one side changed. */
export interface PathMerge {
  /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
  path: string;
  by: ChangedBy;
}

/** A skill as it was when it ran. Not a foreign key: the skill may be in the other database, or deleted. */
export interface Proposal {
  id: string;
  proposal_kind: ProposalKind;
  /** Folder of the workspace it was made in; empty for the account. */
  workspace: string;
  skill_scope: Scope;
  /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
  skill_id: string;
  /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  skill_slug: string;
  skill_revision: number;
  /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
  artifact_path: string | null;
  title: string;
  status: ProposalStatus;
  /** Depends on the kind. */
  body: unknown;
  /** The revision that was made by accepting it. */
  revision: number | null;
  /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
  created_at: string;
  /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
  decided_at: string | null;
}

/** The origin of a proposal. */
export type ProposalKind = 'composer' | 'optimisation' | 'learned' | 'merge';

export type ProposalStatus = ('open' | 'rejected') | 'accepted';

/** What a person decided on something other than a proposal. */
export interface RecordedDecision {
  approved: boolean;
  actor: string;
  reason: string | null;
  /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
  decided_at: string;
}

/** A skill that another one needs, directly or through others, or that needs it. */
export interface RelatedSkill {
  /** Slug. Of a skill that doesn't exist, the name as written. */
  name: string;
  /** Title. Null if the skill doesn't exist. */
  title: string | null;
  scope: Scope | null;
  lifecycle: Lifecycle | null;
  enabled: boolean | null;
  /** 1 for a direct relation. */
  depth: number;
}

/** Where a skill was imported from. */
export interface RepositorySource {
  url: string;
  /** The branch or tag that was asked for. Null for the default branch. */
  branch?: string | null;
  /** Full hash. */
  commit: string;
  /** Folder in the repository. Empty for the whole repository. */
  folder: string;
}

/** Whether a person reviews each iteration. */
export type ReviewMode = 'supervised' | 'autonomous';

/** A file's content at a revision. */
export interface RevisionFile {
  /** Null if the content is binary or the file doesn't exist. */
  text: string | null;
  /** Null if the file doesn't exist. */
  sha256: string | null;
  /** In bytes. Null if the file doesn't exist. */
  size: number | null;
}

/** What became of the instructions. */
export interface Rewrite {
  attempts: RewriteAttempt[];
  /** Pass rates of the training cases. */
  train: Scores;
  /** Pass rates of the validation cases. Null without such cases, without a candidate, or if not all of them could be graded. */
  validation: Scores | null;
  /** The eval run with the validation cases. */
  validation_run: string | null;
  /** The proposal with the candidate. Null if no attempt helped. */
  proposal: string | null;
  /** Set if the proposal was accepted without a person, since the manifest allows it. */
  promoted: AcceptedProposal | null;
  /** Whether a limit ended it early. */
  over_budget: boolean;
  /** Null if unknown. */
  input_tokens: number | null;
  /** Null if unknown. */
  output_tokens: number | null;
  /** Estimated cost in USD. Null if unknown. */
  estimated_cost: number | null;
}

/** One proposal of the model. */
export interface RewriteAttempt {
  outcome: AttemptOutcome;
  /** Why, for other outcomes than `kept`; else what the edits are meant to achieve. */
  reason: string;
  edits: InstructionEdit[];
  /** Pass rate of the training cases. Null if nothing was run, or not all of them could be graded. */
  train: number | null;
  /** Its eval run. */
  run: string | null;
}

export type Role = 'user' | 'assistant';

/** One event of a run. */
export type RunEvent = {
  /** The ID of a run: all executions of one request. */
  run: string;
  /** Position in the run, from 0. */
  seq: number;
} & (
  | {
      kind: 'began';
      /** The ID of an artifact's execution. */
      trace: string;
      name: string;
      /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
      path: string;
      artifact_kind: ArtifactKind;
      /** Whether it only accompanies prompts. */
      context: boolean;
      /** The step that it replaces. */
      fallback_of: string | null;
    }
  | {
      kind: 'rendered';
      /** The ID of an artifact's execution. */
      trace: string;
      text: string;
    }
  | {
      kind: 'text';
      /** The ID of an artifact's execution. */
      trace: string;
      text: string;
    }
  | {
      kind: 'log';
      /** The ID of an artifact's execution. */
      trace: string;
      /** Includes line ends. */
      text: string;
    }
  | {
      kind: 'progress';
      /** The ID of an artifact's execution. */
      trace: string;
      /** From 0 to 1. */
      fraction: number;
      text: string;
    }
  | {
      kind: 'trial';
      /** The ID of an artifact's execution. */
      trace: string;
      /** Score from 0 to 1 on the training examples. */
      score: number | null;
      /** Null if unknown. */
      input_tokens: number | null;
      /** Null if unknown. */
      output_tokens: number | null;
      /** Estimated cost in USD. Null if unknown. */
      estimated_cost: number | null;
    }
  | {
      kind: 'ended';
      trace: Trace;
    }
  | {
      kind: 'finished';
      status: TraceStatus;
    }
);

/** A point of a run where a person decides. */
export interface RunGate {
  /** As in the skill's manifest. */
  key: string;
  /** Shown to the person who decides. */
  label: string;
  when: GateMoment;
  /** Null while the run waits for it. */
  decision: RecordedDecision | null;
}

export interface RunOutcome {
  /** The ID of a run: all executions of one request. */
  run: string;
  /** The ID of a session: a chat, an optimization or a series of runs. */
  session: string;
  status: TraceStatus;
  /** Output of the last step. */
  text: string | null;
  /** The output as a value, if it is structured. */
  value: unknown;
  /** Why it failed. */
  error: Failure | null;
  /** Its steps, in order. */
  traces: Trace[];
  /** Gates that it reached with its output. It waits for those without a decision. */
  gates: RunGate[];
  /** Null if unknown. */
  input_tokens: number | null;
  /** Null if unknown. */
  output_tokens: number | null;
  /** Estimated cost in USD. Null if unknown. */
  estimated_cost: number | null;
}

/** The database that a skill is stored in. */
export type Scope = 'account' | 'workspace';

/** Scores from 0 to 1, before and after. */
export interface Scores {
  /** Of the original program. */
  before: number;
  /** Of the candidate. */
  after: number;
}

export type ScriptOutcome =
  | ('out-of-cpu' | 'out-of-time' | 'out-of-memory' | 'stack-overflow' | 'no-submit' | 'result-too-large' | 'cancelled')
  | 'syntax'
  | 'exception'
  | 'exited'
  | 'bad-result'
  | 'ended'
  | 'unavailable';

/** Only `Error` stops an operation. */
export type Severity = 'info' | 'error' | 'warning' | 'hint';

/** The shape of a value, inferred from its uses. */
export type Shape = 'text' | 'list' | 'object';

/** A skill with its list of files. */
export interface SkillDetail {
  /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
  id: string;
  scope: Scope;
  /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  slug: string;
  /** Title. */
  name: string;
  description: string;
  /** Semantic version. */
  version: string;
  tags: string[];
  category: string;
  /** How it was added. */
  source: Source;
  origin: Origin;
  lifecycle: Lifecycle;
  /** 1 to 4. */
  trust_tier: number;
  /** Whether agents can find and run it. */
  enabled: boolean;
  /** Whether a user can invoke it by name. */
  user_invocable: boolean;
  /** Number of the current revision. */
  revision: number;
  /** Display name of the author. */
  author: string | null;
  /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
  created_at: string;
  /** Time of the current revision. */
  updated_at: string;
  /** Locked skills can only be duplicated. */
  locked: boolean;
  /** Whether this workspace skill overrides an account skill of the same slug. */
  shadows: boolean;
  /** Whether the workspace overrides this account skill. */
  shadowed: boolean;
  /** Slug of another visible skill with the same title. */
  collides_with: string | null;
  /** Kinds of its artifacts, in display order. */
  kinds: ArtifactKind[];
  files: number;
  /** Size of all files. */
  bytes: number;
  /** By path. */
  entries: FileEntry[];
  /** When another skill is the better choice. */
  when_not_to_use: string | null;
  /** Trigger phrases. */
  triggers: string[];
  intent_patterns: string[];
  /** Slugs of required skills. */
  depends_on: string[];
  /** Slugs of skills that it must not be used with. */
  conflicts_with: string[];
  /** The skill that it was forked from. */
  parent_skill_id: string | null;
  /** Where it was imported or forked from. */
  provenance: unknown;
  /** One line that says which scope wins and what it overrides. */
  resolved: string;
  /** Problems of the saved files. */
  diagnostics: Diagnostic[];
}

export interface SkillListCursor {
  scope: Scope;
  /** The folded title before the page; `None` for the first page of the scope. */
  after?: string | null;
}

export interface SkillManifestSummary {
  /** Whether the manifest declares anything at all. */
  declared: boolean;
  /** Requests that should trigger the skill. */
  triggers: string[];
  requiredTools: string[];
  requiredToolGroups: string[];
  forbiddenTools: string[];
  /** IDs of required external systems. */
  integrations: string[];
  /** Slugs of its actions. */
  actions: string[];
  /** Number of governed steps. */
  deterministicSteps: number;
  /** Slugs of the agents that parts of the work are delegated to. */
  delegates: string[];
  /** Number of points where a person decides. */
  humanGates: number;
  /** Number of gates that require a decision. */
  requiredGates: number;
  /** Whether it declares how to work on a goal. */
  goalLoop: boolean;
  reviewMode: ReviewMode | null;
  /** Number of typed relations. */
  bindings: number;
  evals: EvalSummary;
  /** Whether MCP clients see it. Null means true. */
  exposeViaMcp: boolean | null;
  /** Allowed export formats. Null means all. */
  exportFormats: ExportFormat[] | null;
  /** Shown to others instead of the instructions. */
  externalSafeSummary: string | null;
}

export interface SkillRef {
  /** ID, slug or title. */
  skill: string;
  /** Scope of the skill. [default: workspace, then account] */
  scope?: Scope | null;
}

/** How a skill was added. Never taken from its content. */
export type Source = 'system' | 'community' | 'imported' | 'user';

export type Strictness = 'hard' | 'soft';

/** The execution of one artifact. */
export interface Trace {
  /** The ID of an artifact's execution. */
  id: string;
  /** The ID of a session: a chat, an optimization or a series of runs. */
  session_id: string;
  /** Shared by all executions of one run. */
  run_id: string;
  /** The run whose script or program started this one. */
  parent_run_id: string | null;
  skill_scope: Scope;
  /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
  skill_id: string;
  /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  skill_slug: string;
  skill_revision: number;
  /** The ID of an artifact. Unique within a database. */
  artifact_id: string;
  artifact_name: string;
  /** Path of its file. */
  artifact_path: string;
  artifact_kind: ArtifactKind;
  /** Model family. Null for the default variant. */
  variant: string | null;
  status: TraceStatus;
  /** Parameters of the run. Only on its first row. */
  params: {
    [k: string]: unknown;
  } | null;
  /** Path of the artifact if only one was run. Null for the whole skill. Only on the first row of the run. */
  asked_artifact: string | null;
  rendered_input: string | null;
  raw_output: string | null;
  error: string | null;
  detail: TraceDetail | null;
  /** Log of a script. */
  log: string | null;
  /** Whether input, output, log or values were shortened. */
  truncated: boolean;
  /** Whether the response is incomplete: the model reached its token limit, or its provider ended it. */
  cut_off: boolean;
  /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
  started_at: string;
  /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
  completed_at: string | null;
  duration_ms: number | null;
  /** Null if unknown. */
  input_tokens: number | null;
  /** Null if unknown. */
  output_tokens: number | null;
  /** Estimated cost in USD. Null if unknown. */
  estimated_cost: number | null;
  /** As `provider/model`. */
  model_requested: string | null;
  /** As the provider reported it. */
  model_id: string | null;
  assertions_run: number;
  assertions_passed: number;
  /** Weighted fraction of passed assertions, from 0 to 1. Null if none was checked. */
  score: number | null;
  verdicts: Verdict[];
  /** The execution that this one replaced as a fallback. */
  fallback_of: string | null;
  /** The trace whose run was replayed. */
  replay_of: string | null;
}

export interface TraceDetail {
  outcome: ScriptOutcome;
  /** Line numbers are those of the artifact's file. */
  traceback: string | null;
  /** Line of the artifact's file, from 1. */
  line: number | null;
}

/** All conditions must match. */
export interface TraceFilter {
  /** Slug. */
  skill?: string | null;
  /** Path of the artifact. */
  artifact?: string | null;
  kind?: ArtifactKind | null;
  /** All if empty. */
  status?: TraceStatus[];
  /** The model that answered. */
  model?: string | null;
  /** The ID of a session: a chat, an optimization or a series of runs. */
  session?: string | null;
  /** The ID of a run: all executions of one request. */
  run?: string | null;
  /** The run that started it. */
  parent?: string | null;
  /** Earliest start time. */
  since?: string | null;
  /** Latest start time, exclusive. */
  until?: string | null;
  /** Text in the input, output or error. */
  text?: string | null;
  /** Only those with a failed assertion. */
  failed_assertions?: boolean;
}

export type TraceStatus = ('running' | 'ok' | 'error' | 'cancelled') | 'interrupted' | 'fallback';

export interface TreeRows {
  scope: Scope;
  /** Items: The ID of a skill. Kept when the skill is renamed. Unique within a database. */
  ids: string[];
}

/** The unsaved text of a file. */
export interface UnsavedText {
  /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
  path: string;
  text: string;
}

/** The result of an assertion. */
export interface Verdict {
  description: string;
  /** The type as written, with its check: `length/char_range`, `not-contains`. */
  assertion: string;
  severity: Strictness;
  weight: number;
  outcome: Outcome;
  /** From 0 to 1. Null for types that only pass or fail. */
  score: number | null;
  explanation: string;
}

/** Why an update isn't installed by itself. */
export type WaitReason = 'pinned' | 'permissions' | 'publisher' | 'manual' | 'failed';

/** An open workspace. */
export interface WorkspaceStatus {
  /** Absolute path, to be used in later calls. */
  path: string;
  /** The folder's name. */
  name: string;
  writable: boolean;
  /** Whether it has an agents.db. */
  has_store: boolean;
  /** Number of its own skills. */
  skills: number;
  /** Number of markdown pages. */
  pages: number;
  /** Whether the user trusts it. Nothing of an untrusted workspace runs. */
  trusted: boolean;
  /** Whether to offer to exclude our files from its git repository. */
  git_exclude_offer: boolean;
  banners: Banner[];
}

export namespace Action {
  export interface ActionEntry {
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    /** Slug. The skill need not exist in every workspace. Null for the built-in action, which takes it as a parameter. */
    skill: string | null;
    /** Scope of the skill. Null for the workspace's, else the account's. */
    scope: Scope | null;
    /** Path or name of the only artifact to run. Null for the skill's plan. */
    artifact: string | null;
    /** Values by variable. */
    params: {
      [k: string]: unknown;
    };
    /** Null for the default model. */
    model: ModelRef | null;
    /** How it is meant to be started. Nothing here starts it but a person, whatever its mode. */
    mode: ActionMode;
    enabled: boolean;
    /** Whether it ships with the app. It can be changed and disabled, but not deleted. */
    built_in: boolean;
    /** Why it may not run as it is saved, e.g. that its skill isn't in this workspace or the account. */
    warnings: string[];
  }

  export interface ActionList {
    /** By slug. */
    actions: ActionEntry[];
  }

  /** How an action is started. */
  export type ActionMode = 'manual' | 'trigger' | 'queue' | 'goal_loop';

  /** What an action did. */
  export type ActionOutcome =
    | {
        kind: 'run';
        outcome: RunOutcome;
      }
    | {
        kind: 'rewrite';
        outcome: Rewrite;
      };

  export interface ActionRef {
    slug: string;
  }

  export interface RunActionParams {
    slug: string;
    /** ID for the run, for its events and to cancel it. [default: a new ID] */
    run?: string | null;
    /** Values that replace saved ones of the same name. */
    params?: {
      [k: string]: unknown;
    };
    limits?: Limits;
    /** Keys of the skill's gates that the user approves for this run. */
    approve?: string[];
  }

  export interface SaveActionParams {
    /** 1 to 64 lowercase letters, digits and single hyphens. An action with this slug is replaced. */
    slug: string;
    /** ID, slug or title. Null for the built-in action only. */
    skill?: string | null;
    /** Scope of the skill. [default: workspace, then account, whenever it runs] */
    scope?: Scope | null;
    /** Run only this artifact: path or name. [default: the skill's plan] */
    artifact?: string | null;
    /** Values by variable. */
    params?: {
      [k: string]: unknown;
    };
    /** [default: the default model, whenever it runs] */
    model?: ModelRef | null;
    /** Other modes than `manual`, which is the default, are stored; nothing here starts such an action but a person. */
    mode?: ActionMode | null;
    /** [default: true] */
    enabled?: boolean | null;
  }
}

export namespace Agent {
  /** A named profile for chats. */
  export interface Agent {
    name: string;
    /** Instructions that are part of its system prompt. */
    notes: string;
    /** Null for the default model. */
    model: ModelRef | null;
    /** Names of the tools that it may call. Null for all. */
    tools: string[] | null;
    /** Whether it is told of its assigned skills only. */
    only: boolean;
    /** Highest priority first. */
    skills: AssignedSkill[];
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    created_at: string;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    updated_at: string;
  }

  export interface AgentList {
    /** By name. */
    agents: Agent[];
  }

  /** What is stored of an agent beside its name and skills. */
  export interface AgentProfile {
    /** Instructions that are part of its system prompt. */
    notes?: string;
    /** Null for the default model. */
    model?: ModelRef | null;
    /** Names of the tools that it may call. Null for all. */
    tools?: string[] | null;
    /** Whether it is told of its assigned skills only. */
    only?: boolean;
  }

  export interface AgentRef {
    name: string;
  }

  export interface AssignParams {
    agent: string;
    /** Slug. The skill need not exist in every workspace. */
    skill: string;
    /** Skills of higher priority are listed first. */
    priority?: number;
  }

  /** A skill that is listed first to an agent. */
  export interface AssignedSkill {
    /** The skill need not exist in every workspace. */
    slug: string;
    /** Highest first. */
    priority: number;
  }

  export interface AssignedSkills {
    /** Highest priority first. */
    skills: AssignedSkill[];
  }

  export interface CreateAgentParams {
    name: string;
    profile?: AgentProfile;
    skills?: AssignedSkill[];
  }

  export interface UnassignParams {
    agent: string;
    /** Slug. */
    skill: string;
  }

  export interface UpdateAgentParams {
    name: string;
    /** New name. [default: keep it] */
    rename?: string | null;
    /** Replaces the profile. [default: keep it] */
    profile?: AgentProfile | null;
    /** Replaces the assigned skills. [default: keep them] */
    skills?: AssignedSkill[] | null;
  }
}

export namespace App {
  export interface AppStatus {
    version: string;
    /** The account's folder. */
    home: string;
    /** The person's home folder, which is shown as `~`. */
    user_home: string | null;
    /** Id of this process in the change feed: changes with another origin come from elsewhere. */
    origin: string;
    /** The open workspace. */
    workspace: WorkspaceStatus | null;
    /** Banners about the account. */
    banners: Banner[];
    /** Number of visible skills. */
    skills: number;
    /** Where the sample workspace is or would be. */
    sample_workspace: string;
  }

  /** Facts about the app, the machine and the databases. */
  export interface Diagnostics {
    /** Plain text. */
    text: string;
  }
}

export namespace Artifact {
  export interface DeclareParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    kind: ArtifactKind;
    /** Name, unique in the skill together with the variant. */
    name: string;
    /** Model family. [default: the default variant] */
    variant?: string | null;
    /** File to declare. [default: a new file at the default path of the kind] */
    path?: string | null;
    /** Text of a new file. [default: a starter text of the kind] */
    text?: string | null;
  }

  export interface UndeclareParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
  }
}

export namespace Catalog {
  /** Takes the names of fields of other systems: `name` and `title`, or `slug` and `name`. */
  export interface CreateRecordParams {
    /** The slug if there is a title, else the title. */
    name: string;
    title?: string | null;
    /** [default: derived from the title] */
    slug?: string | null;
    /** What the skill does and when to use it. */
    description: string;
    /** Instructions in Markdown, without frontmatter. */
    content?: string | null;
    /** The same as `content`. */
    instructions?: string | null;
    category?: string | null;
    tags?: string[] | null;
    manifest?: {
      [k: string]: unknown;
    } | null;
    /** [default: the workspace if one is open, else the account] */
    scope?: Scope | null;
  }

  /** The skills that a skill needs, and those that need it. */
  export interface DependencyGraph {
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    name: string;
    /** Nearest first, each once. */
    dependencies: RelatedSkill[];
    /** Nearest first, each once. */
    dependents: RelatedSkill[];
    /** Slugs of skills that need each other in a circle; the first is also the last. Null if there is no circle. */
    cycle: string[] | null;
  }

  export interface ExportSharedParams {
    /** ID, slug or title of each. [default: all visible skills] */
    skills?: string[] | null;
    /** Replace folders that differ. Without it, they are an error. */
    replace?: boolean;
    /** Report what would be written without writing. */
    dry_run?: boolean;
  }

  export type HealthAdvice = ('keep' | 'degrade' | 'deprecate') | 'reinstate';

  export type LifecycleAction = 'promoted' | 'degraded' | 'deprecated' | 'archived' | 'reinstated';

  export interface ListRecordsParams {
    /** List those of people or of models only. */
    origin?: Origin | null;
    /** List those in this state only. */
    lifecycle?: Lifecycle | null;
    source?: Source | null;
    /** List those with this tag only. */
    tag?: string | null;
    enabled?: boolean | null;
    /** [default: the visible skills of both] */
    scope?: Scope | null;
    /** `next` of the previous page. [default: the first page] */
    cursor?: string | null;
    /** Maximum number of skills, at most 500. [default: 100] */
    limit?: number | null;
  }

  export interface LoadSharedParams {
    /** Report what would happen without storing. */
    dry_run?: boolean;
  }

  export interface MaintainParams {
    /** Report what would be changed without changing it. */
    dry_run?: boolean;
  }

  export interface Maintenance {
    /** Skills that a model wrote. */
    changed: MaintenanceChange[];
    /** Skills that people wrote. They decide. */
    proposed: MaintenanceChange[];
    dry_run: boolean;
  }

  export interface MaintenanceChange {
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    name: string;
    scope: Scope;
    action: LifecycleAction;
    from: Lifecycle;
    /** Null if it wasn't changed. */
    to: Lifecycle | null;
    overall: number;
    /** The numbers behind it, as recorded in the ledger. */
    reason: string;
    /** Why it couldn't be changed. */
    failure: PartialFailure | null;
  }

  export interface PackParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    format: PackageFormat;
  }

  export interface PackedSkill {
    file_name: string;
    media_type: string;
    base64: string;
    /**
     * Files that the format can't contain.
     *
     * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
     */
    omitted: string[];
  }

  /** How well a skill does. Each number is from 0 to 1. */
  export interface SkillHealth {
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    name: string;
    lifecycle: Lifecycle;
    origin: Origin;
    /** 0.35 utility + 0.25 (1 - redundancy) + 0.2 freshness + 0.2 (1 - failure risk). */
    overall: number;
    /** Rises with each success, falls with each failure. */
    utility: number;
    /** Similarity to the most similar visible skill, by the words of their titles and descriptions. */
    redundancy: number;
    /** Slug of that skill. Null if none has a word in common. */
    similar_to: string | null;
    /** Falls from 1 to 0.05 in the 30 days after its last use, or after its creation. */
    freshness: number;
    /** 1 - the estimated success rate. */
    failure_risk: number;
    uses: number;
    /** What maintenance would do. */
    advice: HealthAdvice;
    /** Errors in its files. */
    errors: number;
    /** Warnings about its files. */
    warnings: number;
  }

  /** A skill without its instructions. */
  export interface SkillRecord {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    /** The slug: what tools call the skill by. */
    name: string;
    title: string;
    description: string;
    category: string;
    tags: string[];
    scope: Scope;
    source: Source;
    origin: Origin;
    lifecycle: Lifecycle;
    /** 1 to 4. */
    trust_tier: number;
    /** From 0 to 1: by lifecycle, success and utility. */
    quality: number;
    /** From 0 to 1: rises with each success, falls with each failure. */
    utility: number;
    /** An estimate that is low without uses. */
    success_rate: number;
    enabled: boolean;
    /** Number of the revision. */
    version: number;
    /** Semantic version, set by the author. */
    package_version: string;
    author: string | null;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    created_at: string;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    updated_at: string;
    /** As declared. Null without one. */
    manifest: unknown;
    manifestSummary: SkillManifestSummary;
    /** Why it shouldn't be used. */
    warning: string | null;
  }

  /** A skill without its instructions. */
  export interface SkillRecordDetail {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    /** The slug: what tools call the skill by. */
    name: string;
    title: string;
    description: string;
    category: string;
    tags: string[];
    scope: Scope;
    source: Source;
    origin: Origin;
    lifecycle: Lifecycle;
    /** 1 to 4. */
    trust_tier: number;
    /** From 0 to 1: by lifecycle, success and utility. */
    quality: number;
    /** From 0 to 1: rises with each success, falls with each failure. */
    utility: number;
    /** An estimate that is low without uses. */
    success_rate: number;
    enabled: boolean;
    /** Number of the revision. */
    version: number;
    /** Semantic version, set by the author. */
    package_version: string;
    author: string | null;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    created_at: string;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    updated_at: string;
    /** As declared. Null without one. */
    manifest: unknown;
    manifestSummary: SkillManifestSummary;
    /** Why it shouldn't be used. */
    warning: string | null;
    /** Instructions in Markdown, without frontmatter. */
    content: string;
    /** The same as `content`. */
    instructions: string;
    steps: SkillStep[];
    /**
     * Paths of its files.
     *
     * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
     */
    files: string[];
  }

  export interface SkillRecords {
    /** By slug. */
    skills: SkillRecord[];
    /** Null on the last page. */
    next: string | null;
  }

  /** One step of a skill's procedure. */
  export interface SkillStep {
    /** Position, from 1. */
    step: number;
    /** Short name of the action. */
    action: string;
    description: string;
    /** Tool to use. */
    tool?: string | null;
    /** The tool's parameters. */
    params?: {
      [k: string]: unknown;
    } | null;
  }

  export interface SkillTree {
    /** Number of the revision. */
    revision: number;
    /** Folders first, then files, each by name. */
    children: TreeNode[];
  }

  export type TreeNode =
    | {
        type: 'folder';
        name: string;
        path: string;
        children: TreeNode[];
      }
    | {
        type: 'file';
        name: string;
        /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
        path: string;
        /** In bytes. */
        size: number;
        /** Of its bytes. The entity tag of the file. */
        sha256: string;
        executable: boolean;
        /** Null for a file that is no artifact. */
        kind: ArtifactKind | null;
      };

  /** Values to change. Omitted values are kept. */
  export interface UpdateRecordParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Refuse if this isn't the current revision. [default: any] */
    expected?: number | null;
    /** The slug is kept. */
    title?: string | null;
    /** The same as `title`, unless it is the slug. */
    name?: string | null;
    /** What the skill does and when to use it. */
    description?: string | null;
    /** New instructions in Markdown, without frontmatter, replacing all. */
    content?: string | null;
    /** The same as `content`. */
    instructions?: string | null;
    category?: string | null;
    tags?: string[] | null;
    /** Replaces the manifest. */
    manifest?: {
      [k: string]: unknown;
    } | null;
    /** Whether agents can find and run it. */
    enabled?: boolean | null;
  }
}

export namespace Chat {
  export interface AttachParams {
    /** Absolute. */
    paths: string[];
  }

  /** Files as attachments of a message that isn't sent yet, in the order of the request. */
  export interface AttachedFiles {
    attachments: Attachment[];
    refused: RefusedAttachment[];
  }

  /** A text that the user added to a message. */
  export interface Attachment {
    /** Name of the page or file. */
    name: string;
    text: string;
  }

  /** Why a file can't be attached. */
  export type AttachmentRefusal = ('folder' | 'size') | 'binary' | 'unreadable';

  export interface ChatDetail {
    session: ChatSession;
    /** The messages of the branch that is shown. */
    messages: ChatEntry[];
    /** Whether an answer is being written by this process. */
    active: boolean;
  }

  /** A message with its other versions. */
  export interface ChatEntry {
    /** The ID of a message of a chat. */
    id: string;
    /** The ID of a session: a chat, an optimization or a series of runs. */
    session: string;
    /** Null for a first message. */
    parent: string | null;
    role: Role;
    status: MessageStatus;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    created_at: string;
    /** The user's text. Empty for answers, whose text is in their steps. */
    text: string;
    attachments: Attachment[];
    /** Slug of the skill that the user chose for this message. */
    skill: string | null;
    error: ChatError | null;
    /** As reported by the provider. */
    model: string | null;
    /** Null if unknown. */
    input_tokens: number | null;
    /** Null if unknown. */
    output_tokens: number | null;
    /** Estimated cost in USD. Null if unknown. */
    estimated_cost: number | null;
    feedback: Feedback | null;
    /** What was done for an answer, in order. Empty for the user's messages. */
    steps: ChatStep[];
    /**
     * It and its siblings, in order of creation.
     *
     * Items: The ID of a message of a chat.
     */
    versions: string[];
  }

  /** Why an answer failed. */
  export interface ChatError {
    message: string;
    /** Whether another attempt may succeed. */
    retry: boolean;
  }

  export type ChatEvent = {
    /** The ID of a session: a chat, an optimization or a series of runs. */
    session: string;
    /** The answer. */
    message: string;
  } & (
    | {
        event: 'began';
      }
    | {
        event: 'step';
        position: number;
        step: ChatStep;
      }
    | {
        event: 'text';
        position: number;
        text: string;
      }
    | {
        event: 'ended';
        status: MessageStatus;
      }
  );

  export interface ChatList {
    /** Latest first. */
    sessions: ChatSummary[];
  }

  export interface ChatRef {
    /** The ID of a session: a chat, an optimization or a series of runs. */
    session: string;
  }

  export interface ChatSession {
    /** The ID of a session: a chat, an optimization or a series of runs. */
    id: string;
    /** Folder of the workspace it belongs to; empty for the account. */
    workspace: string;
    title: string;
    /** Name of the agent that answers. */
    agent: string | null;
    /** Null for the default model. */
    model: ModelRef | null;
    /** The last message of the branch that is shown. */
    head: string | null;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    created_at: string;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    updated_at: string;
  }

  /** Something done for an answer. */
  export type ChatStep =
    | {
        kind: 'recommended';
        skills: RecommendedSkill[];
      }
    | {
        kind: 'decided';
        decision: DecisionKind;
      }
    | {
        kind: 'text';
        /** Number of the model's response, from 0. */
        round: number;
        text: string;
        /** Whether it ends the answer. False while it arrives, and if tools are called after it. */
        last: boolean;
      }
    | {
        kind: 'question';
        round: number;
        call: ToolCall | null;
        question: string;
        /** Suggested answers. */
        options: string[];
      }
    | {
        kind: 'tool';
        /** Number of the model's response, from 0. */
        round: number;
        call: ToolCall;
        status: ToolStatus;
        /** Null if it needs no permission. */
        preview: ToolPreview | null;
        /** What the model receives. */
        result: string | null;
        change: ToolChange | null;
        /** The run that it started. */
        run: string | null;
        /** The proposal that it made or revised. */
        proposal: string | null;
      }
    | {
        kind: 'notice';
        text: string;
      };

  /** A session in a list. */
  export interface ChatSummary {
    /** The ID of a session: a chat, an optimization or a series of runs. */
    id: string;
    /** Folder of the workspace it belongs to; empty for the account. */
    workspace: string;
    title: string;
    /** Name of the agent that answers. */
    agent: string | null;
    /** Null for the default model. */
    model: ModelRef | null;
    /** The last message of the branch that is shown. */
    head: string | null;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    created_at: string;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    updated_at: string;
    /** Number of messages in all branches. */
    messages: number;
    /** Null if unknown. */
    input_tokens: number | null;
    /** Null if unknown. */
    output_tokens: number | null;
    /** Estimated cost in USD. Null if unknown. */
    estimated_cost: number | null;
  }

  export interface CreateChatParams {
    /** [default: made from the first message] */
    title?: string | null;
    /** Name of the agent that answers. */
    agent?: string | null;
    /** [default: the agent's model, or the default model] */
    model?: ModelRef | null;
  }

  /** What the model decided to do about a message. */
  export type DecisionKind = 'respond' | 'activate' | 'research' | 'clarify' | 'act';

  /** The user's opinion of an answer. */
  export type Feedback = 'up' | 'down';

  export interface ListChatsParams {
    /** Only sessions whose title or messages contain it. */
    text?: string;
    /** Maximum number of sessions, at most 1,000. [default: 200] */
    limit?: number | null;
  }

  export interface MarkParams {
    /** The ID of a session: a chat, an optimization or a series of runs. */
    session: string;
    /** An answer. */
    message: string;
    /** Null removes the mark. */
    feedback?: Feedback | null;
  }

  export interface MessageRef {
    /** The ID of a session: a chat, an optimization or a series of runs. */
    session: string;
    /** The ID of a message of a chat. */
    message: string;
  }

  /** The state of a message. */
  export type MessageStatus = ('done' | 'failed') | 'running' | 'waiting' | 'stopped' | 'interrupted';

  /** The user's answer to a tool that asks. */
  export type Permit = ('once' | 'deny') | 'session' | 'always';

  export interface PermitParams {
    /** The ID of a session: a chat, an optimization or a series of runs. */
    session: string;
    /** ID of the tool call. */
    call: string;
    permit: Permit;
  }

  export interface PreviewedSkill {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    revision: number;
  }

  /** A skill that fits a message, and why. */
  export interface RecommendedSkill {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    name: string;
    description: string;
    score: number;
    /** The name or trigger that the message contains. */
    exact: string | null;
    /** Words of the message that the skill has. */
    terms: string[];
  }

  export interface RefusedAttachment {
    name: string;
    reason: AttachmentRefusal;
  }

  export interface SendParams {
    /** The ID of a session: a chat, an optimization or a series of runs. */
    session: string;
    text: string;
    attachments?: Attachment[];
    /** Slug of the skill to use for this message. */
    skill?: string | null;
    /** The message that this one is an edit of. Both stay, as branches. [default: add to the end] */
    edits?: string | null;
  }

  /** A model's request to call a tool. */
  export interface ToolCall {
    id: string;
    name: string;
    /** A JSON object. Empty if the model wrote something else. */
    arguments: {
      [k: string]: unknown;
    };
    /** What the model wrote instead of a JSON object. */
    invalid_arguments?: string | null;
  }

  /** What a tool changed, so that it can be undone. */
  export interface ToolChange {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    /** The revision before. Null if the skill was created. */
    from: number | null;
    /** The revision after. Null if the skill was deleted. */
    to: number | null;
  }

  /** What a tool is about to do, for the user who permits it. */
  export interface ToolPreview {
    /** What it does, in a sentence. */
    summary: string;
    /** The skill that it changes or runs. */
    skill: PreviewedSkill | null;
    files: FileChange[];
    /** What the user approves with it: labels of gates in the manifests of the skills in use. */
    gates: string[];
  }

  export type ToolStatus = ('running' | 'done' | 'failed') | 'asked' | 'allowed' | 'denied';

  /** Omitted values are kept. */
  export interface UpdateChatParams {
    /** The ID of a session: a chat, an optimization or a series of runs. */
    session: string;
    title?: string | null;
    /** Null for none. */
    agent?: string | null;
    /** Null for the default model. */
    model?: ModelRef | null;
  }

  export interface WithdrawnPermissions {
    count: number;
  }
}

export namespace Check {
  /** Selects the skills to check: a page of all, or some. */
  export interface CheckAllParams {
    /** `next` of the previous page. [default: the first page] */
    from?: SkillListCursor | null;
    /** Maximum number of skills, at most 1,000. [default: 200] */
    limit?: number | null;
    /** Check only these skills, such as those that changed. Deleted ones are skipped. */
    only?: TreeRows | null;
    /** Lowest severity to list. [default: warning] */
    least?: Severity | null;
  }

  /** Checks a text as the content of a file. */
  export interface CheckFileParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Path of the file, which may be new. */
    path: string;
    text: string;
  }

  export interface CheckedFile {
    /** By position. */
    diagnostics: Diagnostic[];
    /** Best first for each diagnostic. Empty for a locked skill. */
    fixes: OfferedFix[];
  }

  export interface CheckedSkills {
    /** Those with listed diagnostics, the workspace's first, each scope by title. */
    skills: SkillFindings[];
    /** Number of skills that were checked. */
    checked: number;
    /** Null on the last page. */
    next: SkillListCursor | null;
    /** Number of all skills. */
    total: number;
  }

  export interface Findings {
    /** By file and position. */
    diagnostics: Diagnostic[];
  }

  export interface Fix {
    /** Label of the action. */
    title: string;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
    /** In order and without overlap; positions refer to the text before all edits. */
    edits: TextEdit[];
    /** New path, if the fix moves the file. */
    rename: string | null;
  }

  export interface Fixes {
    /** Best first. */
    fixes: Fix[];
    /** The text that they apply to. */
    text: string;
    /** Whether the skill is locked, so that there are no fixes. */
    locked: boolean;
  }

  /** Selects the diagnostics of a file whose fixes are listed. */
  export interface FixesParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
    /** Unsaved text of the file. [default: the saved text] */
    text?: string | null;
    /** Only diagnostics of this rule. */
    rule?: string | null;
    /** Only diagnostics that begin on this line. */
    line?: number | null;
  }

  /** The result of validating one skill. */
  export interface FolderValidation {
    /** Its folder or file. */
    path: string;
    /** Whether there are no errors. */
    ok: boolean;
    diagnostics: Diagnostic[];
  }

  /** A fix for one of several diagnostics. */
  export interface OfferedFix {
    /** Index of the diagnostic. */
    finding: number;
    /** Label of the action. */
    title: string;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
    /** In order and without overlap; positions refer to the text before all edits. */
    edits: TextEdit[];
    /** New path, if the fix moves the file. */
    rename: string | null;
  }

  /** Number of diagnostics by severity. */
  export interface SeverityCounts {
    errors: number;
    warnings: number;
    infos: number;
    hints: number;
  }

  /** Diagnostics of a stored skill. */
  export interface SkillFindings {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    scope: Scope;
    /** The revision that was checked. */
    revision: number;
    /** Of all diagnostics, listed or not. */
    counts: SeverityCounts;
    /** The listed ones, by file and position, at most 200. */
    diagnostics: Diagnostic[];
  }

  /** A replacement. Lines and columns count from 1, columns in characters, as in diagnostics. */
  export interface TextEdit {
    line: number;
    column: number;
    end_line: number;
    /** Exclusive. */
    end_column: number;
    text: string;
  }

  export interface ValidateParams {
    /** Absolute paths of skill folders, folders of skill folders, SKILL.md files or packages. */
    paths: string[];
    /** Check only against the Agent Skills specification. */
    strict?: boolean;
  }

  export interface Validation {
    /** By path, in byte order. */
    skills: FolderValidation[];
    /** Problems of the search for skills: folders without permission, links that weren't followed. */
    diagnostics: Diagnostic[];
    /** Whether it was cancelled before all skills were checked. */
    stopped: boolean;
  }
}

export namespace Client {
  export type ClientChange = 'install' | 'uninstall';

  export interface ClientEntry {
    id: string;
    name: string;
    /** Whether it left a trace on this machine. */
    installed: boolean;
    /** The user's file, and the workspace's if one is open. */
    files: ClientFile[];
  }

  /** A configuration file of a client, which may not exist. */
  export interface ClientFile {
    scope: ClientScope;
    path: string;
    state: ClientState;
    /** Role with which the server is started. Null for its default one. */
    role: string | null;
    /** Why the file is broken. */
    reason: string | null;
  }

  export interface ClientList {
    clients: ClientEntry[];
    /** Absolute path of the program that clients start. Null if it isn't installed. */
    program: string | null;
  }

  export interface ClientParams {
    /** ID of the client. */
    client: string;
    scope: ClientScope;
    /** Role for the calls of the client. [default: that of its entry, or the server's default role] */
    role?: string | null;
    /** Replace or remove an entry for another server of the same name. */
    replace?: boolean;
  }

  /** What a change would do. */
  export interface ClientPreview {
    path: string;
    /** Unified diff without file names. Empty if nothing changes. It may have secrets that are beside the change. */
    diff: string;
    /** Whether the file will be created. */
    creates: boolean;
    /** Whether the file will be deleted, since it has nothing else. */
    deletes: boolean;
    /** Path of the copy that will be made of the file. Null if there is one already. */
    backup: string | null;
  }

  export interface ClientReport {
    /** False if it was so already. */
    changed: boolean;
    file: ClientFile;
  }

  /** Whose configuration of a client. */
  export type ClientScope = 'user' | 'project';

  /** The entry of the server in a configuration file. */
  export type ClientState = ('none' | 'current') | 'outdated' | 'foreign' | 'broken';

  export interface PreviewClientParams {
    change: ClientChange;
    /** ID of the client. */
    client: string;
    scope: ClientScope;
    /** As for the change. */
    role?: string | null;
    /** As for the change. */
    replace?: boolean;
  }
}

export namespace Compare {
  export interface CompareFileParams {
    /** The old file. */
    left: FileVersion;
    /** The new file. */
    right: FileVersion;
  }

  export interface CompareParams {
    /** The old version. */
    left: Version;
    /** The new version. */
    right: Version;
  }

  export interface Comparison {
    left: Side;
    right: Side;
    /** Files that differ, by path. */
    files: ComparedFile[];
  }

  /** Both texts of a compared file. */
  export interface FileTexts {
    left: RevisionFile;
    right: RevisionFile;
  }

  /** A file of a version. */
  export interface FileVersion {
    of: Version;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
  }

  /** One side of a comparison. */
  export interface Side {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    /** Title. */
    name: string;
    scope: Scope;
    /** Null for a copy. */
    revision: number | null;
    /** Whether this is the current revision. */
    now: boolean;
    /** Folder of the copy. */
    copy: string | null;
  }

  /** A skill as it is now, at a revision, or as a copy in another agent's folder. */
  export interface Version {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Revision number. 0 is the empty folder before the first. [default: the current one] */
    revision?: number | null;
    /** Folder of a copy of the skill. Not allowed together with `revision`. */
    copy?: string | null;
  }
}

export namespace Db {
  export interface BackupParams {
    /** [default: the account] */
    scope?: Scope | null;
    /** Path of a file that doesn't exist yet, or of a folder, in which the copy is named by scope and time. */
    to: string;
  }

  /** The result of checking every page and index. */
  export interface DatabaseCheck {
    path: string;
    /** Whether no problems were found. */
    ok: boolean;
    /** Problems that SQLite reported. */
    findings: string[];
    /** Copies that were made before migrations, oldest first. */
    backups: string[];
  }

  /** A copy of a database. */
  export interface DatabaseCopy {
    /** The database. */
    path: string;
    copy: string;
  }

  export interface DatabaseRef {
    /** [default: the account] */
    scope?: Scope | null;
  }

  export interface RestoreDatabaseParams {
    /** [default: the account] */
    scope?: Scope | null;
    /** The copy to restore. */
    from: string;
  }

  /** A database that was replaced by a copy. */
  export interface RestoredDatabase {
    path: string;
    /** Where the replaced database is now. Null if there was none. */
    previous: string | null;
  }
}

export namespace Draft {
  export interface DiscardDraftParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
    /** A newer draft, which another window stored, stays. [default: any draft is discarded] */
    updated_at?: string | null;
  }

  /** Drafts of the account and the open workspace. */
  export interface DraftList {
    /** Newest first. */
    drafts: DraftMark[];
  }

  /** A file with unsaved text. Reading the file returns the text. */
  export interface DraftMark {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill_id: string;
    scope: Scope;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    updated_at: string;
  }

  export interface SaveDraftParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Path of the file, which may be new. */
    path: string;
    /** The revision that the text is based on. */
    base_revision: number;
    text: string;
  }

  export interface SaveDraftResult {
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    updated_at: string;
  }

  export interface SkillDrafts {
    /** Newest first. */
    drafts: Draft[];
  }
}

export namespace Eval {
  export type Case = {
    /** Identifies the case within its skill: `evals/evals.json#1`. */
    key: string;
    /** Path in the skill. */
    file: string;
    /** JSON pointer of its entry in the file. */
    pointer: string;
    name: string | null;
    tags: string[];
    split: Split;
  } & (
    | {
        kind: 'trigger';
        query: string;
        should_trigger: boolean;
      }
    | Task
  );

  /** A change of the cases in the files of `evals/`. Those of the manifest are edited there. */
  export type CaseChange =
    | {
        change: 'add';
        /** [default: evals/evals.json] */
        file?: string | null;
        name?: string | null;
        tags?: string[];
        case: NewCase;
      }
    | {
        change: 'paste';
        /** [default: evals/evals.json] */
        file?: string | null;
        text: string;
      }
    | {
        change: 'add_run';
        /** [default: evals/evals.json] */
        file?: string | null;
        /** The ID of a run: all executions of one request. */
        run: string;
        name?: string | null;
      }
    | {
        change: 'add_answer';
        /** [default: evals/evals.json] */
        file?: string | null;
        /** The ID of a session: a chat, an optimization or a series of runs. */
        session: string;
        /** The answer. */
        message: string;
        name?: string | null;
      }
    | {
        change: 'duplicate';
        key: string;
      }
    | {
        change: 'remove';
        key: string;
      }
    | {
        change: 'set';
        key: string;
        field: string;
        /** Null removes the field. */
        value?: unknown;
      };

  export interface CaseReport {
    key: string;
    title: string;
    split: Split;
    tags: string[];
    /** By variant, then by repeat; cells without a result are missing. */
    results: EvalResult[][];
    /** Positions of the variants that pass it less often than their baseline. */
    regressions: number[];
  }

  export interface CompareEvalsParams {
    /** The ID of a run of eval cases. */
    baseline: string;
    /** The ID of a run of eval cases. */
    candidate: string;
  }

  /** A candidate beside a baseline. */
  export interface Comparison2 {
    /** Cases that both have graded results of. */
    cases: number;
    /** Pass rate of the candidate minus that of the baseline. */
    difference: number;
    interval: Interval;
    /** Two-sided p-value of the exact test. */
    p_value: number;
    verdict: ComparisonVerdict;
    /** Cases that the candidate passes more often. */
    improved: number;
    /** Cases that the candidate passes less often. */
    regressed: number;
  }

  /** What a comparison shows at the significance level. */
  export type ComparisonVerdict = ('better' | 'worse' | 'no_difference_shown') | 'too_few';

  /** A skill that fires instead of the tested one. */
  export interface Confusion {
    /** Its slug. Null if none fires. */
    skill: string | null;
    /** Requests that should make the tested skill fire. */
    queries: string[];
  }

  export interface DeleteEvalsParams {
    /** Items: The ID of a run of eval cases. */
    runs: string[];
  }

  export interface DeletedEvals {
    /** Number of deleted runs. */
    deleted: number;
  }

  export interface EditCasesParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Made in this order, all or none. */
    changes: CaseChange[];
    /** The revision that the changes are meant for. [default: the current revision] */
    expected?: number | null;
  }

  /** The cases after a change. */
  export interface EditedCases {
    cases: Case[];
    diagnostics: Diagnostic[];
    /** Current revision. */
    revision: number;
    /** The revision that was changed; `revision` itself if nothing changed. Reverting from `revision` to it undoes the change. */
    before: number;
  }

  /** The cases of a skill: of its manifest, then of its files. */
  export interface EvalCases {
    cases: Case[];
    /** Entries that aren't cases. */
    diagnostics: Diagnostic[];
  }

  /** What a run would do. */
  export interface EvalEstimate {
    /** Number of results. */
    cells: number;
    /** Results whose first response is cached. */
    cached: number;
    /** Results whose first request isn't known before they run. */
    unknown: number;
    /** Estimated minimum of the other results' input tokens. */
    input_tokens: number;
    /** Cost of these tokens in USD. Null if a price is unknown. */
    input_cost: number | null;
  }

  export interface EvalListParams {
    /** ID, slug or title. [default: all skills] */
    skill?: string | null;
    /** Maximum number of runs, at most 100. [default: 20] */
    limit?: number | null;
  }

  export type EvalOutcome = 'passed' | 'failed' | 'not_run' | 'error';

  export interface EvalParams {
    /** ID for the run. [default: a new ID] */
    run?: string | null;
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Keys of the cases. [default: all] */
    cases?: string[];
    /** Only cases with one of these tags. [default: all] */
    tags?: string[];
    /** Only cases of this split. [default: both] */
    split?: Split | null;
    /** [default: the default model] */
    models?: ModelRef[];
    /** Revisions to compare. [default: the current revision] */
    revisions?: number[];
    /** An open proposal to compare with the current revision. */
    proposal?: string | null;
    /** Run only with the skill. [default: false] */
    without_baseline?: boolean;
    /** Runs of each case, 1 to 100. [default: 1] */
    repeat?: number | null;
    /** Runs at the same time, 1 to 32. [default: 4] */
    concurrency?: number | null;
    /** Model that judges outputs. [default: the default model] */
    judge?: ModelRef | null;
    /** Ask models anew instead of using cached responses. [default: false] */
    fresh?: boolean;
    /** Of all runs together. */
    limits?: Limits;
  }

  /** The result of a case. Never changed: a later attempt after an error has a row of its own. */
  export interface EvalResult {
    /** Key of the case. */
    case: string;
    /** Position of the variant. */
    variant: number;
    /** From 0. */
    repeat: number;
    outcome: EvalOutcome;
    output: string | null;
    error: string | null;
    verdicts: Verdict[];
    /** Of the answer, also if it came from the cache. */
    usage: Usage;
    /** Of the judge, also if it came from the cache. */
    judge_usage: Usage;
    /** What was paid for the answer and its judge. As read from a store, it includes the attempts before this one. */
    paid: Usage;
    /** Of the answer, when it was first given. */
    duration_ms: number;
    /** As the provider reported it. */
    model_id: string | null;
    /** Its run, whose traces have what was sent. */
    run: string | null;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    created_at: string;
  }

  /** A run of cases. Only its status changes. */
  export interface EvalRun {
    /** The ID of a run of eval cases. */
    id: string;
    /** Folder of the workspace; empty for the account. */
    workspace: string;
    skill_scope: Scope;
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill_id: string;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    skill_slug: string;
    skill_revision: number;
    status: EvalStatus;
    /** Why it failed. */
    error: string | null;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    created_at: string;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    completed_at: string | null;
  }

  export interface EvalRunRef {
    /** The ID of a run of eval cases. */
    run: string;
  }

  export interface EvalRuns {
    /** Newest first. */
    runs: EvalSummary2[];
  }

  export type EvalStatus = ('running' | 'cancelled') | 'complete' | 'over_budget' | 'failed' | 'interrupted';

  export interface EvalSummary2 {
    run: EvalRun;
    variants: VariantReport[];
    /** Number of results, and of those that exist. */
    cells: number;
    done: number;
  }

  export interface ExportEvalParams {
    /** The ID of a run of eval cases. */
    run: string;
    format: ReportFormat;
    /** Absolute path of the file to write. [default: return the text] */
    out?: string | null;
    /** Overwrite an existing file. */
    replace?: boolean;
  }

  export interface ExportedReport {
    out: string | null;
    /** The text, if no file was requested. */
    text: string | null;
  }

  /** A confidence interval at [`CONFIDENCE`]. */
  export interface Interval {
    low: number;
    high: number;
  }

  /** What a model chose for the trigger cases of a skill. */
  export interface ModelTriggerReport {
    model: ModelRef;
    /** Null if unknown. */
    input_tokens: number | null;
    /** Null if unknown. */
    output_tokens: number | null;
    /** Estimated cost in USD. Null if unknown. */
    estimated_cost: number | null;
    /** Null without trigger cases. */
    rate: PassRate | null;
    results: TriggerResult[];
    /** What fires where the skill should, most frequent first. */
    confusions: Confusion[];
    /** Requests that make the skill fire although they shouldn't. */
    false_alarms: string[];
  }

  export interface ModelTriggersParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** [default: the default model] */
    model?: ModelRef | null;
  }

  /** A case to add. */
  export type NewCase =
    | {
        kind: 'trigger';
        query: string;
        should_trigger: boolean;
      }
    | {
        kind: 'task';
        /** Name or path of the artifact to run. [default: SKILL.md for a message, else the skill's plan] */
        artifact?: string | null;
        /** Values by name. A prompt is the value `message`. */
        input?: {
          [k: string]: unknown;
        };
        expected_output?: string | null;
        /** What a judge looks for, in plain words. */
        criteria?: string[];
        /** As in `metadata.assertions` of an artifact. */
        assertions?: unknown[];
        /** Paths of files in the skill that belong to the input. */
        files?: string[];
      };

  /** The stages in order. */
  export interface OptimizationLoop {
    stages: Stage[];
    /** Number of stages that are ready, of six. */
    ready: number;
  }

  /** A rate with its interval. */
  export interface PassRate {
    /** Mean share of passed repeats, from 0 to 1. */
    rate: number;
    interval: Interval;
    /** Number of graded cases. */
    cases: number;
  }

  /** A run with everything that follows from its results. */
  export interface Report {
    run: EvalRun;
    /** Repeats of each cell. */
    repeat: number;
    /** Number of cells, and of those with a result. */
    cells: number;
    done: number;
    variants: VariantReport[];
    cases: CaseReport[];
    /** Of all cells. */
    paid: Usage;
  }

  export type ReportFormat = ('json' | 'csv' | 'junit') | 'html';

  export interface ResumeEvalParams {
    /** The ID of a run of eval cases. */
    run: string;
    /** Of all runs together, including those before. [default: the limits that it began with] */
    limits?: Limits | null;
  }

  export interface RewriteParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Model that proposes edits and runs the cases. [default: the default model] */
    model?: ModelRef | null;
    /** Model that judges outputs. [default: the default model] */
    judge?: ModelRef | null;
    /** Maximum number of attempts, 1 to 20. [default: `maxIterations` of the manifest, or 3] */
    iterations?: number | null;
    /** Of all requests together. */
    limits?: Limits;
  }

  /** Two runs of the same cases, by their keys. */
  export interface RunComparison {
    /** Labels of the compared variants. */
    baseline: string;
    candidate: string;
    /** Null if no case was graded in both. */
    comparison: Comparison2 | null;
    /** Titles of cases that the candidate passes less often. */
    regressed: string[];
    /** Titles of cases that the candidate passes more often. */
    improved: string[];
    /** Cases that only one of the runs has. */
    unmatched: number;
  }

  /** The part of the cases that a case belongs to. */
  export type Split = 'train' | 'validation';

  export interface Stage {
    id: StageId;
    status: StageStatus;
    /** What there is. */
    detail: string;
    /** What to do next. Null if it is ready. */
    next: string | null;
  }

  export type StageId = 'target' | 'criteria' | 'cases' | 'candidates' | 'scores' | 'promotion';

  export type StageStatus = ('ready' | 'empty') | 'partial';

  export interface Task {
    /** Name or path of the artifact to run. None with a message runs SKILL.md, else the skill's plan. */
    artifact: string | null;
    /** Values by name. A prompt is the value `message`. */
    input: {
      [k: string]: unknown;
    };
    expected_output: string | null;
    /** What a judge looks for, in plain words. */
    criteria: string[];
    /** As in `metadata.assertions` of an artifact. */
    assertions: unknown[];
    /** Paths of files in the skill that belong to the input. */
    files: string[];
  }

  export interface TriggerReport {
    /** Null without trigger cases. */
    rate: PassRate | null;
    results: TriggerResult[];
    /** What fires where the skill should, most frequent first. */
    confusions: Confusion[];
    /** Requests that make the skill fire although they shouldn't. */
    false_alarms: string[];
  }

  /** The result of a trigger case. */
  export interface TriggerResult {
    /** Key of the case. */
    case: string;
    query: string;
    should_trigger: boolean;
    /** Slugs of the skills that fit, best first. The first one fires. */
    ranking: string[];
    passed: boolean;
  }

  export interface Usage {
    /** Null if unknown. */
    input_tokens: number | null;
    /** Null if unknown. */
    output_tokens: number | null;
    /** Estimated cost in USD. Null if unknown. */
    estimated_cost: number | null;
  }

  /** A skill or its absence, with a model. */
  export interface VariantReport {
    /** Unique in its run. */
    label: string;
    /** Null without the skill. */
    revision: number | null;
    model: ModelRef;
    /** Position of the variant that it is compared with. */
    baseline: number | null;
    /** Null if nothing was graded. */
    rate: PassRate | null;
    /** With the baseline. Null without one, or if no case was graded for both. */
    comparison: Comparison2 | null;
    /** Keys of the cases that passed in some repeats only. */
    flaky: string[];
    /** Results that count neither way. */
    not_graded: number;
    /** Of its answers, also of those from the cache. */
    usage: Usage;
    /** Of its judge. */
    judge_usage: Usage;
    /** Mean time of an answer. Null without answers. */
    mean_ms: number | null;
  }
}

export namespace Files {
  export interface AddParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Target folder in the skill. [default: its root] */
    folder?: string | null;
    /** Absolute paths of files and folders. All are added, or none. */
    paths: string[];
    /** What to do if a file with that name exists. */
    on_existing?: OnExisting;
  }

  /** The result of copying, moving or adding files. */
  export interface AddedFiles {
    skill: SkillDetail;
    /** Revision before the change. */
    before: number;
    /** The new files with their final paths. */
    files: FileMove[];
    /** The skill that they were moved from. */
    source: SkillDetail | null;
    /** Revision of that skill before the change. */
    source_before: number | null;
    /** Why the originals weren't deleted after copying. */
    failure: PartialFailure | null;
    diagnostics: Diagnostic[];
  }

  export interface BytesParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
    /** Maximum number of bytes from the beginning. [default: all] */
    limit?: number | null;
  }

  export interface CopyParams {
    /** The source skill: ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** The target skill. [default: the source skill] */
    to_skill?: string | null;
    /** Scope of the target skill. */
    to_scope?: Scope | null;
    /** Files and their new paths. All are copied, or none. */
    files: FileMove[];
    /** Delete the originals after copying. */
    remove?: boolean;
    /** What to do if a file with that name exists. */
    on_existing?: OnExisting;
  }

  export interface DeleteFilesParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /**
     * All are deleted, or none.
     *
     * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
     */
    paths: string[];
    /** Refuse if this isn't the current revision. [default: any] */
    expected?: number | null;
  }

  export interface FileBytes {
    entry: FileEntry;
    /** The skill's revision that has this content. */
    revision: number;
    /** Detected from the content, not from the name, such as `image/png`. */
    media_type: string;
    base64: string;
  }

  export interface FileContent {
    entry: FileEntry;
    /** The skill's revision that has this content. */
    revision: number;
    /** Null for binary content. */
    text: string | null;
    /** Unsaved text. */
    draft: Draft | null;
  }

  export interface FileMove {
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    from: string;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    to: string;
  }

  export interface FindParams {
    /** Characters of a name or path, in order; words in any order. Empty lists recent files, then all skills. */
    query: string;
    /** Maximum number of results, at most 500. [default: 50] */
    limit?: number | null;
    /** Recently opened files, last opened first. Those that match rank higher. */
    recent?: RecentFile[];
  }

  /** Renames files and updates the artifacts, states and Markdown links that refer to them. */
  export interface MoveParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** All are moved, or none. */
    moves: FileMove[];
  }

  /** A skill or file whose name matches. */
  export interface NameMatch {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    name: string;
    /** Null for the skill itself. */
    path: string | null;
    /** Kind of the artifact. Null for other files. */
    kind: ArtifactKind | null;
    /** The text that matches the query. */
    text: string;
    /** Matching positions in `text`, in UTF-16 code units. */
    at: number[];
  }

  export interface NameMatches {
    /** Best match first. */
    found: NameMatch[];
    /** Whether there are more matches than the limit. */
    more: boolean;
  }

  /** What to do if a file with that name exists. */
  export type OnExisting = 'refuse' | 'replace' | 'both' | 'skip';

  /** A recently opened file. */
  export interface RecentFile {
    scope: Scope;
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill: string;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
  }
}

export namespace Fork {
  export interface ForkUpdate {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    /** Revision with what could be merged. Null if nothing could. */
    revision: number | null;
    /**
     * Files of that revision that changed.
     *
     * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
     */
    updated: string[];
    /** Proposal with the files in which both changed the same lines. Null if there are none. */
    proposal: string | null;
    /** Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    conflicts: string[];
    /**
     * Files that aren't text and that both changed. The fork's are kept.
     *
     * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
     */
    kept: string[];
  }

  /** A copy of a skill whose original has changed since. */
  export interface OutdatedFork {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    title: string;
    /** Revision of the fork. */
    revision: number;
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    parent: string;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    parent_slug: string;
    /** Version of the original that the fork has the changes of. */
    base_version: string;
    /** Version of the original now. */
    version: string;
    /** Files that one of them changed since, by path. A conflict is a file that both changed. */
    changes: PathMerge[];
    /** The proposal that waits for a decision about lines that both changed. */
    proposal: string | null;
  }

  export interface OutdatedForks {
    /** By scope and name. */
    forks: OutdatedFork[];
  }

  export interface UpdateForkParams {
    /** ID, slug or title of the fork. */
    skill: string;
    /** Scope of the fork. [default: workspace, then account] */
    scope?: Scope | null;
    /** Revision of the fork that the user saw. [default: the current one] */
    revision?: number | null;
  }
}

export namespace Import {
  /** Params of `import/fetch`. */
  export interface FetchParams {
    /** URL of a git repository, address of a folder in its web pages, or `owner/name` of GitHub. */
    address: string;
    /** Branch or tag. [default: the one in the address, or the repository's default branch] */
    branch?: string | null;
    /** Folder in the repository. [default: the one in the address, or the whole repository] */
    folder?: string | null;
  }

  export interface ImportFileParams {
    /** Path of the imported skill, as in the import report. */
    path: string;
    /** The stored skill. */
    skill: string;
    scope: Scope;
    /** The revision that both versions are based on, if known. */
    base?: number | null;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    file: string;
    /** The texts of the import, if the path is of one of them. */
    texts?: ImportedText[];
  }

  /** Where a skill was imported from. */
  export interface ImportSource {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill: string;
    scope: Scope;
    /** Null if it wasn't a repository. */
    repository: RepositorySource | null;
    /** For people: the path of a folder, a file or a package, or the URL of the repository with the folder in it. */
    name: string;
  }
}

export namespace Input {
  export interface DeleteInputParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Path of the artifact. */
    path: string;
    name: string;
  }

  /** A named set of values. */
  export interface InputEntry {
    /** Empty for the values that were used last. */
    name: string;
    /** Values by variable. */
    params: {
      [k: string]: unknown;
    };
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    updated_at: string;
    /** The file of the skill that has the values. Null for a saved input. */
    example: string | null;
  }

  export interface InputList {
    /** Saved inputs, then the skill's examples that have every required value; each by name. */
    inputs: InputEntry[];
  }

  export interface SaveInputParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Path of the artifact. */
    path: string;
    /** Empty for the values that were used last. */
    name: string;
    /** Values by variable. */
    params: {
      [k: string]: unknown;
    };
  }
}

export namespace Kit {
  /** Params of `kit/change`. */
  export interface ChangeKitParams {
    /** Up to 60 characters. A kit of this name is created if there is none. */
    name: string;
    /** IDs, slugs or titles of skills to add. */
    add?: string[];
    /**
     * Slugs of skills to remove.
     *
     * Items: Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters.
     */
    remove?: string[];
    /** New name. */
    rename?: string | null;
  }

  /** Params of `kit/delete`. */
  export interface DeleteKitParams {
    name: string;
  }

  /** A named set of skills. It belongs to the account. */
  export interface Kit {
    name: string;
    /**
     * In alphabetical order. The caller may not see all of them: a skill may have been deleted, or be in another workspace.
     *
     * Items: Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters.
     */
    skills: string[];
  }

  export interface KitList {
    /** By name. */
    kits: Kit[];
  }
}

export namespace Library {
  export interface ApplyParams {
    /** At most 1,000. */
    skills: SkillRef[];
    action: BulkAction;
  }

  /** A compact mark on a skill's card. */
  export interface Badge {
    kind: BadgeKind;
    /** E.g. `2 tools`. */
    label: string;
    /** Names for the tooltip. */
    names: string[];
  }

  /** Selects the icon of a badge. */
  export type BadgeKind = 'tools' | 'integrations' | 'gates' | 'goalLoop';

  export type BulkAction =
    | {
        do: 'enable';
        on: boolean;
      }
    | {
        do: 'add_tag';
        tag: string;
      }
    | {
        do: 'remove_tag';
        tag: string;
      }
    | {
        do: 'set_category';
        category: string;
      }
    | {
        do: 'delete';
      };

  export interface BulkReport {
    /** In the requested order. */
    done: ChangedSkill[];
    failed: RefusedSkill[];
  }

  /** A skill that was changed, or needed no change. */
  export interface ChangedSkill {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    /** Title. */
    name: string;
    /** Null if nothing was changed. */
    undo: SkillUndo | null;
  }

  /** What the page of a skill shows beside its detail. */
  export interface LibraryCard {
    row: LibraryRow;
    quality: SkillQuality;
    /** Declared in the manifest. */
    manifest: SkillManifestSummary;
    /** `local` is the user of this machine. */
    created_by: string | null;
    deprecated_reason: string | null;
    /** When a person last promoted it. */
    last_validated_at: string | null;
    /** The session that the skill was learned in. */
    source_session: string | null;
    /** The skill that it was duplicated from, if that still exists. */
    parent: SkillParent | null;
  }

  /** Number of skills that match with one more filter value. */
  export interface LibraryCount {
    value: string;
    count: number;
  }

  /** Numbers of matching skills by value, each with the conditions of the other facets. */
  export interface LibraryFacets {
    /** `built_in`, `yours`. */
    ownerships: LibraryCount[];
    /** `human`, `llm`. */
    origins: LibraryCount[];
    /** `on`, `off`. */
    switches: LibraryCount[];
    /** In the order of the lifecycle. */
    lifecycles: LibraryCount[];
    /** Most frequent first. */
    categories: LibraryCount[];
    /** Most frequent first, among the skills that match all conditions. */
    tags: LibraryCount[];
    /** Number of the account's skills that the workspace overrides, whether or not they are included. */
    hidden: number;
  }

  export interface LibraryKey {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    scope: Scope;
  }

  export interface LibraryKeys {
    /** In the requested order. */
    keys: LibraryKey[];
  }

  export interface LibraryPage {
    /** In the requested order. */
    skills: LibraryRow[];
    /** Number of matching skills. */
    total: number;
    /** Only on the first page. */
    facets: LibraryFacets | null;
  }

  export interface LibraryParams {
    query?: LibraryQuery;
    /** Number of skills to skip. */
    offset?: number;
    /** Maximum number of skills. [default: all] */
    limit?: number | null;
  }

  /** A skill matches if it meets every condition: for categories and lifecycles one of the values, for tags all of them. */
  export interface LibraryQuery {
    /** Words that all occur in the title, slug, description or a tag. */
    text?: string;
    ownership?: Ownership | null;
    origin?: Origin | null;
    enabled?: boolean | null;
    /** Empty for any. */
    lifecycles?: Lifecycle[];
    /** Empty for any. */
    categories?: string[];
    tags?: string[];
    /** Include the account's skills that the workspace overrides. */
    hidden?: boolean;
    sort?: LibrarySort;
    /** Reverse the order. */
    reverse?: boolean;
  }

  /** A skill in the library. */
  export interface LibraryRow {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    /** Title. */
    name: string;
    description: string;
    /** Semantic version. */
    version: string;
    tags: string[];
    category: string;
    /** How it was added. */
    source: Source;
    origin: Origin;
    lifecycle: Lifecycle;
    /** 1 to 4. */
    trust_tier: number;
    /** Whether agents can find and run it. */
    enabled: boolean;
    /** Whether a user can invoke it by name. */
    user_invocable: boolean;
    /** Number of the current revision. */
    revision: number;
    /** Display name of the author. */
    author: string | null;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    created_at: string;
    /** Time of the current revision. */
    updated_at: string;
    /** Locked skills can only be duplicated. */
    locked: boolean;
    /** Whether this workspace skill overrides an account skill of the same slug. */
    shadows: boolean;
    /** Whether the workspace overrides this account skill. */
    shadowed: boolean;
    /** Slug of another visible skill with the same title. */
    collides_with: string | null;
    /** Kinds of its artifacts, in display order. */
    kinds: ArtifactKind[];
    files: number;
    /** Size of all files. */
    bytes: number;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    last_used_at: string | null;
    /** Runs in the last 30 days, in the workspace and the account. */
    runs: number;
    /** Cost of these runs in USD. Null if no price is known. */
    estimated_cost: number | null;
    /** Number of model steps without a known price. If any, `estimated_cost` is a minimum. */
    unpriced: number;
    /** Declared in the manifest. */
    badges: Badge[];
  }

  export type LibrarySort = 'slug' | 'name' | 'changed' | 'used' | 'cost' | 'size';

  export interface LibraryStats {
    /** Visible skills. */
    skills: number;
    /** Enabled skills that are neither deprecated nor archived. */
    active: number;
    deprecated: number;
    /** Runs in the last 30 days, including those of deleted skills. */
    runs: number;
    /** Cost of these runs in USD. Null if no price is known. */
    estimated_cost: number | null;
    /** Number of model steps without a known price. If any, `estimated_cost` is a minimum. */
    unpriced: number;
    /** Average freshness of the active skills, from 0.05 to 1. Null until one of them has run. */
    freshness: number | null;
  }

  export type Ownership = 'yours' | 'built_in';

  /** A skill that wasn't changed. */
  export interface RefusedSkill {
    /** As requested: ID, slug or title. */
    skill: string;
    scope: Scope | null;
    /** Title, if the skill exists. */
    name: string | null;
    failure: Failure;
  }

  /** Type-ahead in the list. */
  export interface SeekParams {
    query?: LibraryQuery;
    /** Beginning of the title. */
    prefix: string;
    /** Index to continue after. The search wraps around. */
    after?: number | null;
  }

  export interface SeekResult {
    /** Null if no title matches. */
    index: number | null;
  }

  /** The skill that another was duplicated from. */
  export interface SkillParent {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    /** Title. */
    name: string;
  }

  /** How well a skill did, of all time. */
  export interface SkillQuality {
    /** Runs, and answers in chats that loaded the skill. */
    uses: number;
    /** Uses that are known to have succeeded or failed: all runs, and the answers that the user judged. */
    outcomes: number;
    successes: number;
    /** Share of successes. Null without outcomes. */
    task_success_rate: number | null;
    /** Answers that the user judged. */
    judged: number;
    /** Those that the user marked as good, or whose proposal was accepted. */
    accepted: number;
    /** Share of accepted answers. Null if none was judged. */
    human_acceptance_rate: number | null;
    /** From 0 to 1: rises with each success, falls with each failure. */
    utility: number;
  }

  /** The step that undoes the change of a skill. */
  export type SkillUndo =
    | {
        by: 'enable';
        on: boolean;
      }
    | {
        by: 'revision';
        /** The revision before the change. */
        to: number;
        /** The revision that the change made. */
        from: number;
      }
    | {
        by: 'restore';
      };

  export interface UndoParams {
    /** At most 1,000. */
    steps: UndoStep[];
  }

  export interface UndoStep {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    scope: Scope;
    undo: SkillUndo;
  }
}

export namespace Link {
  export interface GitState {
    /** The branch, or the beginning of the commit. */
    branch: string;
    /** Whether files of the skill differ from the last commit. Null if that isn't known: git isn't installed, or the workspace isn't trusted. */
    modified: boolean | null;
  }

  /** Params of `link/add`. */
  export interface LinkFolderParams {
    /** Folder of the skill. */
    folder: string;
    /** Default: the workspace if the folder is in it, otherwise the account. */
    scope?: Scope | null;
  }

  export interface LinkList {
    /** By scope, then by folder. */
    links: LinkedSkill[];
    /** Of the skill that was asked for. Null outside of a repository. */
    git: GitState | null;
  }

  /** A skill whose files are a folder on disk. */
  export interface LinkedSkill {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    scope: Scope;
    /** Absolute. */
    folder: string;
    /** ID of the agent in whose folder it is. Null if it was linked by hand. */
    agent: string | null;
    /** Name of the agent. */
    agent_name: string | null;
    /** Why skill and folder differ. Null if they don't. */
    problem: string | null;
    /** Whether the skill is in the Studio. Otherwise the problem says why its folder can't be stored. */
    is_stored: boolean;
  }

  /** Params of `link/list`. */
  export interface ListLinksParams {
    /** Only this skill, with the state of its git repository. */
    skill?: SkillRef | null;
  }

  /** Params of `link/sync`. */
  export interface SyncLinksParams {
    /** Only this skill. */
    skill?: SkillRef | null;
  }
}

export namespace Log {
  export type LogLevel = 'error' | 'warn' | 'info';

  export interface LogLine {
    /** Counts from 1 since the app started. */
    seq: number;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    time: string;
    level: LogLevel;
    /** The module that logged it. */
    target: string;
    /** May have several lines. */
    message: string;
  }

  export interface LogPage {
    /** Oldest first. */
    lines: LogLine[];
    /** Number of the newest line; the next page begins after it. */
    newest: number;
    /** Number of requested lines that were already discarded. */
    missed: number;
    /** The log file; none if the log is in memory only. */
    file: string | null;
  }

  export interface ReadParams {
    /** `newest` of the previous page. [default: 0, all lines] */
    after?: number;
    /** Maximum number of lines, at most 5,000; older ones are skipped. [default: 5,000] */
    limit?: number | null;
  }

  export interface ReportParams {
    level: LogLevel;
    /** What failed, and where. Truncated after 4,000 characters. */
    message: string;
  }

  export interface ReportResult {
    /** Whether it was logged. Reports beyond the rate limit aren't. */
    logged: boolean;
  }
}

export namespace Manifest {
  /** A skill that a page names. */
  export interface PageSkill {
    /** As on the page. */
    name: string;
    found: boolean;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string | null;
    /** Null if it wasn't found. */
    skill: SkillReadiness | null;
  }

  /** The skills that a page is worked on with: the list `skills` in its frontmatter. */
  export interface PageSkills {
    /** Whether the page has such a list, or is of the type `goal`. */
    declared: boolean;
    skills: PageSkill[];
  }

  export interface PageSkillsParams {
    /** Slug of the page. */
    page: string;
  }

  /** Whether a skill can run here and now. Nothing was executed to find out. */
  export interface Readiness {
    /** Whether nothing is missing. */
    ready: boolean;
    ok: number;
    missing: number;
    unknown: number;
    requirements: Requirement[];
    /** Names of what is missing. */
    blockers: string[];
  }

  /** A requirement of a manifest, and whether it is met. */
  export interface Requirement {
    kind: RequirementKind;
    /** As in the manifest. */
    name: string;
    status: RequirementStatus;
    /** What was found. */
    detail: string;
    /** What to do about it. Null if it is met. */
    advice: string | null;
  }

  export type RequirementKind = ('tool' | 'tool_group' | 'integration' | 'action') | 'human_gate';

  export type RequirementStatus = ('ok' | 'missing') | 'unknown';

  /** A manifest in short, and its readiness. */
  export interface SkillReadiness {
    summary: SkillManifestSummary;
    readiness: Readiness;
  }
}

export namespace Marketplace {
  export interface AvailableUpdate {
    version: string;
    /** Why it isn't installed by itself. Null if the next sync installs it. */
    waits: WaitReason | null;
    /**
     * Permissions that the installed version doesn't have.
     *
     * Items: Text form is as in `native-scripts` or `tools:search`.
     */
    new_permissions: string[];
  }

  export interface ChangedFile {
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
    /** Whether it exists in each version. */
    in_from: boolean;
    in_to: boolean;
    /** Null if it doesn't exist or isn't UTF-8. */
    from_text: string | null;
    to_text: string | null;
  }

  export interface CompareVersionsParams {
    /** As in [`MarketplaceRef`]. */
    id: string;
    /** [default: the installed version, from the account] */
    from?: string | null;
    to: string;
  }

  export interface FailedUpdate {
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    failure: PartialFailure;
  }

  export interface InstallSkillParams {
    /** As in [`MarketplaceRef`]. */
    id: string;
    /** [default: the newest one that can be installed] */
    version?: string | null;
    /**
     * Permissions that the user was shown and agreed to. Those of the version that is installed needn't be repeated.
     *
     * Items: Text form is as in `native-scripts` or `tools:search`.
     */
    accept?: string[];
  }

  /** An installed skill beside what its registry says about it. */
  export interface InstalledMarketplaceSkill {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill: string;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    title: string;
    /** `<registry>/<name>` */
    id: string;
    version: string;
    pinned: boolean;
    status: InstalledStatus;
    /** Why it was yanked or revoked. */
    reason: string | null;
    update: AvailableUpdate | null;
  }

  export interface InstalledRef {
    /** ID, slug or title of an installed skill. */
    skill: string;
  }

  export interface InstalledSkills {
    /** By name. */
    skills: InstalledMarketplaceSkill[];
    /** Number of skills with an update. */
    updates: number;
    /** Number of revoked skills. */
    revoked: number;
  }

  export type InstalledStatus = 'current' | 'update' | 'yanked' | 'revoked' | 'unknown';

  export interface InstalledVersion {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill: string;
    version: string;
    pinned: boolean;
    /** Newer version that can be installed. */
    update: string | null;
  }

  export interface MarketplaceDependency {
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    /** Whether the account has a skill of this name. */
    installed: boolean;
    /** Where it can be installed from. */
    id: string | null;
  }

  /** A skill with its versions. */
  export interface MarketplaceDetail {
    /** `<registry>/<name>` */
    id: string;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    title: string;
    description: string;
    category: string;
    tags: string[];
    author: string | null;
    /** Who signed it. */
    publisher: string | null;
    version: string;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    published_at: string;
    /** Items: Text form is as in `native-scripts` or `tools:search`. */
    permissions: string[];
    /** Tokens of its instructions. */
    token_cost: number;
    /** Bytes to download. */
    length: number;
    /** Whether a version of it can be installed. */
    available: boolean;
    /** The registry whose skill of the same name is used instead, because it has a higher priority. */
    hidden_by: string | null;
    /** Null if the account has no skill from there. */
    installed: InstalledVersion | null;
    registry_title: string;
    /** Key of the publisher. */
    publisher_key: string;
    /** Of the archive. */
    sha256: string;
    /** Number of files. */
    files: number;
    /** Newest first. */
    versions: MarketplaceVersion[];
    dependencies: MarketplaceDependency[];
    /**
     * Permissions that the installed version doesn't have. All of them if it isn't installed.
     *
     * Items: Text form is as in `native-scripts` or `tools:search`.
     */
    new_permissions: string[];
    /** Why it can't be installed: the account has another skill of this name. */
    conflict: NameConflict | null;
  }

  export interface MarketplaceFile {
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
    /** In bytes. */
    size: number;
    executable: boolean;
    /** Null if it isn't UTF-8. */
    text: string | null;
  }

  /** The files of a version. */
  export interface MarketplacePackage {
    /** Text form is `<registry>/<slug>`. */
    id: string;
    version: string;
    /** Text of the readme, or of the instructions without a readme. */
    readme: string;
    /** By path. */
    files: MarketplaceFile[];
  }

  export interface MarketplacePage {
    /** Best first. */
    skills: MarketplaceSkill[];
    /** Number of skills on all pages. */
    total: number;
    /** Number of skills by category, whatever the category searched for. */
    categories: {
      [k: string]: number;
    };
  }

  export interface MarketplaceRef {
    /** `<registry>/<name>`, or a name, which is that of the registry with the highest priority. */
    id: string;
    /** [default: the newest one that can be installed] */
    version?: string | null;
  }

  /** A skill of a registry, in its newest version that can be installed, or the newest one if none can. */
  export interface MarketplaceSkill {
    /** `<registry>/<name>` */
    id: string;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    title: string;
    description: string;
    category: string;
    tags: string[];
    author: string | null;
    /** Who signed it. */
    publisher: string | null;
    version: string;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    published_at: string;
    /** Items: Text form is as in `native-scripts` or `tools:search`. */
    permissions: string[];
    /** Tokens of its instructions. */
    token_cost: number;
    /** Bytes to download. */
    length: number;
    /** Whether a version of it can be installed. */
    available: boolean;
    /** The registry whose skill of the same name is used instead, because it has a higher priority. */
    hidden_by: string | null;
    /** Null if the account has no skill from there. */
    installed: InstalledVersion | null;
  }

  export interface MarketplaceVersion {
    version: string;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    published_at: string;
    /** Who signed it. */
    publisher: string | null;
    /** Items: Text form is as in `native-scripts` or `tools:search`. */
    permissions: string[];
    token_cost: number;
    length: number;
    /** Why it isn't offered any more. */
    yanked: string | null;
    /** Why it must not be used. */
    revoked: string | null;
    /** The version of the app that it needs, if this one is too old. */
    needs_app: string | null;
    installed: boolean;
  }

  /** A skill of the account with the name of one of a registry. */
  export interface NameConflict {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill: string;
    title: string;
  }

  export interface PinParams {
    /** ID, slug or title of an installed skill. */
    skill: string;
    pinned: boolean;
  }

  export interface SearchMarketplaceParams {
    /** Words. Empty for all skills, by name. */
    query?: string;
    category?: string | null;
    registry?: string | null;
    /** Number of skills to skip. */
    offset?: number;
    /** 1 to 200. [default: 50] */
    limit?: number | null;
  }

  export interface SkillInstallation {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill: string;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    version: string;
    /** The version that it replaces. Null for a new skill. */
    replaced: string | null;
    /**
     * Skills that it depends on and the account doesn't have.
     *
     * Items: Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters.
     */
    missing: string[];
  }

  export interface SkillUpdates {
    updated: SkillInstallation[];
    failed: FailedUpdate[];
  }

  export interface UpdateSkillsParams {
    /** IDs, slugs or titles. [default: all with an update that needs no consent] */
    skills?: string[] | null;
    /**
     * Permissions that the user was shown and agreed to.
     *
     * Items: Text form is as in `native-scripts` or `tools:search`.
     */
    accept?: string[];
  }

  export interface VersionComparison {
    from: string;
    to: string;
    /** Files that differ, by path. */
    files: ChangedFile[];
    /** Items: Text form is as in `native-scripts` or `tools:search`. */
    added_permissions: string[];
    /** Items: Text form is as in `native-scripts` or `tools:search`. */
    removed_permissions: string[];
  }
}

export namespace Model {
  export interface DefaultParams {
    /** `provider/model`. Null for no default. */
    model?: ModelRef | null;
  }

  /** Where keys are stored. */
  export interface KeyLocation {
    kind: KeyLocationKind;
    /** Null for the keychain. */
    path?: string | null;
    /** One sentence on what it protects against. */
    protects: string;
  }

  export type KeyLocationKind = 'keychain' | 'file';

  export interface KeyParams {
    name: string;
    /** Null deletes the stored key. The key is never returned. */
    key?: Secret | null;
  }

  export interface KeyReport {
    key_state: KeyState;
  }

  /** The source of a provider's key. */
  export type KeySource =
    | {
        from: 'none';
      }
    | {
        from: 'env';
        var: string;
      }
    | {
        from: 'stored';
      };

  /** Whether the key of a provider is available. */
  export type KeyState = 'stored' | 'none' | 'environment' | 'missing';

  /** A kind of provider that can be set up. */
  export interface KindInfo {
    kind: ProviderKind;
    /** Display name. */
    title: string;
    /** Default address. */
    base_url: string | null;
    /** Default environment variable for the key. */
    key_variable: string | null;
    /** Whether it runs on this machine. */
    local: boolean;
  }

  /** A model server on this machine. */
  export interface LocalServer {
    kind: ProviderKind;
    base_url: string;
    models: string[];
  }

  export interface LocalServers {
    servers: LocalServer[];
  }

  export interface ModelList {
    /** Model IDs. */
    models: string[];
    /** Why the provider couldn't be asked for its models. The list then has those of its settings and the known ones of its kind. */
    failure: Failure | null;
  }

  export interface ModelSetup {
    providers: ProviderInfo[];
    /** The default model. */
    default: ModelRef | null;
    /** Price of the default model. Null if unknown. */
    default_price: Price | null;
    /** Where new keys are stored. */
    key_location: KeyLocation;
    /** Supported kinds of providers. */
    kinds: KindInfo[];
  }

  /** Price in USD per million tokens. */
  export interface Price {
    input: number;
    output: number;
    /** Of input tokens from the provider's cache; `input` if `None`. */
    cached?: number | null;
  }

  export interface ProviderInfo {
    /** Used in model names: `name/model`. */
    name: string;
    kind: ProviderKind;
    /** The address in use. */
    address: string | null;
    /** The configured address. Null for the default of the kind. */
    base_url: string | null;
    key: KeySource;
    key_state: KeyState;
    /** Models that the user listed. */
    models: string[];
    /** Prices that override the built-in ones. */
    prices: {
      [k: string]: Price;
    };
    /** Seconds to wait for the first byte and between chunks. Null for the default. */
    timeout_seconds: number | null;
  }

  export type ProviderKind =
    | ('anthropic' | 'openai' | 'gemini' | 'mistral' | 'openrouter' | 'ollama' | 'lmstudio')
    | 'llamacpp'
    | 'openai-compatible';

  export interface ProviderParams {
    /** Lower-case letters, digits and hyphens. */
    name: string;
    kind: ProviderKind;
    /** Address. [default: the default of the kind] */
    base_url?: string | null;
    /** Source of the key. [default: the environment variable of the kind] */
    key?: KeySource | null;
    /** Models to offer in addition to those that the provider lists. */
    models?: string[];
    /** Prices that override the built-in ones. */
    prices?: {
      [k: string]: Price;
    };
    /** Seconds to wait for the first byte and between chunks. */
    timeout_seconds?: number | null;
  }

  export interface ProviderRef {
    name: string;
  }

  /** A text that is wiped when it is dropped, and not printed by `Debug`. */
  export type Secret = string;

  export interface TestParams {
    /** Name of a provider, or `provider/model`. */
    target: string;
  }

  export interface TestReport {
    /** Whether the model answered. */
    ok: boolean;
    /** `None` if the provider has no model to test. */
    model?: ModelRef | null;
    /** The answer, truncated. */
    reply?: string | null;
    milliseconds: number;
    usage: TokenUsage;
    /** Estimated cost in USD. Null if unknown. */
    cost?: number | null;
    error?: string | null;
  }

  /** Tokens as counted by the provider; `None` if it didn't report them. */
  export interface TokenUsage {
    /** Including cached tokens. */
    input_tokens: number | null;
    output_tokens: number | null;
    /** Input tokens from the provider's cache. */
    cached_tokens: number | null;
  }
}

export namespace Note {
  export interface SetNotesParams {
    scope: Scope;
    /** Replaces the notes. */
    text: string;
  }

  /** The standing notes, which are part of every system prompt. */
  export interface UserNotes {
    account: string;
    /** Null if no workspace is open. */
    workspace: string | null;
    /** Maximum size of each in bytes. */
    limit: number;
  }
}

export namespace Optimize {
  /** Where examples come from. */
  export type ExampleSource =
    | {
        from: 'traces';
      }
    | {
        from: 'file';
        path: string;
      }
    | {
        from: 'lines';
        text: string;
      };

  export interface ExampleSummary {
    /** Number of examples. */
    count: number;
    /** Number of examples with outputs. */
    with_outputs: number;
    /** The first examples. */
    first: ProgramExample[];
    /** Lines or runs that aren't examples. */
    diagnostics: Diagnostic[];
  }

  export interface ExamplesParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Path or name of the `dspy_module`. */
    artifact: string;
    source: ExampleSource;
  }

  /** How a prediction is scored. */
  export type Metric =
    | {
        type: 'assertions';
      }
    | {
        type: 'exact';
        /** Name of an output. */
        field: string;
      }
    | {
        type: 'contains';
        /** Name of an output. */
        field: string;
      };

  export interface OptimizeOutcome {
    /** The run. Its trace has every model call. */
    run: RunOutcome;
    /** Null if it failed, was cancelled or found no better state. */
    proposal: Proposal | null;
    /** Examples that were skipped. */
    diagnostics: Diagnostic[];
  }

  export interface OptimizeParams {
    /** ID for the run, for its events and to cancel it. [default: a new ID] */
    run?: string | null;
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Path or name of the `dspy_module`. */
    artifact: string;
    /** ID of an optimizer that the manifest lists. */
    optimizer: string;
    /** Settings of the optimizer. */
    options?: {
      [k: string]: unknown;
    };
    /** [default: the artifact's assertions, or the first output if it has none] */
    metric?: Metric | null;
    source: ExampleSource;
    /** Share of the examples in the valset, 0 to 0.9. [default: 0.3] */
    valset_fraction?: number | null;
    /** Random seed. [default: 1] */
    seed?: number | null;
    /** Maximum number of model calls. */
    calls?: number | null;
    /** [default: the default model] */
    model?: ModelRef | null;
    limits?: Limits;
  }

  /** An artifact whose state was compiled by another version of DSPy. */
  export interface OutdatedArtifact {
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    skill: string;
    title: string;
    scope: Scope;
    /** Name of the artifact. */
    artifact: string;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
    /** The version that compiled the state. Null if unknown. */
    dspy: string | null;
    /** Whether it can be optimized again as before. */
    again: boolean;
  }

  /** States compiled by other versions of DSPy. They still work. */
  export interface OutdatedList {
    /** The installed version. */
    dspy: string;
    artifacts: OutdatedArtifact[];
  }

  /** An example of the trainset or valset. */
  export interface ProgramExample {
    inputs: {
      [k: string]: unknown;
    };
    /** Known good outputs. May be empty for a metric that doesn't need them. */
    outputs: {
      [k: string]: unknown;
    };
  }

  export interface ReoptimizeParams {
    /** ID for the run. [default: a new ID] */
    run?: string | null;
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Path or name of the artifact. */
    artifact: string;
    /** [default: the default model] */
    model?: ModelRef | null;
    limits?: Limits;
  }
}

export namespace Page {
  /** A link to a page that doesn't exist. */
  export interface BrokenLink {
    page: string;
    title: string;
    /** The target as written. */
    target: string;
    /** Display text. */
    text: string;
    /** Line in the file, from 1. */
    line: number;
  }

  /** A change of a page. */
  export interface HistoryEntry {
    /** Commit hash. Empty if the page isn't in a git repository. */
    id: string;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    time: string;
    /** Empty if unknown. */
    author: string;
    summary: string;
  }

  /** A search result. */
  export interface Hit {
    slug: string;
    title: string;
    type: string | null;
    tags: string[];
    /** Text around the first match, on one line. */
    snippet: string;
    /** Higher is better. Comparable within one search only. */
    score: number;
  }

  export interface IndexProgress {
    done: number;
    /** Number of files found so far. */
    total: number;
  }

  export interface LinkProblems {
    /** Links to pages that don't exist, by page and line. */
    broken: BrokenLink[];
    /** Pages without a backlink. */
    orphans: PageSummary[];
  }

  /** A page without its text. */
  export interface Page {
    /** Lower-case path without extension, e.g. `characters/mara-venn`. */
    slug: string;
    /** From the frontmatter, the first heading, or the file name. */
    title: string;
    /** `type` of the frontmatter. */
    type: string | null;
    /** From the frontmatter and from `#tags` in the text: lower case, without `#`, sorted. */
    tags: string[];
    /** Path of the file relative to the workspace, with `/`. */
    path: string;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    modified: string;
    /** In bytes. */
    size: number;
    /** Problem with the file, e.g. invalid frontmatter. */
    remark: string | null;
    /** The text below the frontmatter. */
    body: string;
    /** The line of the file, from 1, at which the body begins. */
    body_line: number;
    /** All fields of the frontmatter. */
    frontmatter: {
      [k: string]: unknown;
    };
  }

  /** By slug. */
  export interface PageChanges {
    added: string[];
    /** Pages whose text or slug changed. */
    changed: string[];
    /** Slugs that no longer exist. */
    removed: string[];
  }

  export interface PageDetail {
    page: Page;
    /** Links and backlinks. */
    references: References;
  }

  /** Values that pages can be filtered by, with the number of pages that have them. */
  export interface PageFacets {
    types: {
      [k: string]: number;
    };
    tags: {
      [k: string]: number;
    };
  }

  export interface PageFilter {
    /** Type, ignoring case. */
    type?: string | null;
    /** Tag, ignoring case. */
    tag?: string | null;
    /** Folder in the slug, e.g. `characters`. */
    folder?: string | null;
    order?: PageOrder;
  }

  export interface PageHistory {
    /** Newest first. */
    entries: HistoryEntry[];
  }

  export interface PageHistoryParams {
    /** Slug, title or alias. */
    slug: string;
    /** Maximum number of changes, at most 1,000. [default: 50] */
    limit?: number | null;
  }

  export interface PageHits {
    /** Best first. */
    hits: Hit[];
  }

  export interface PageList {
    pages: PageSummary[];
    /** Number of all matching pages. */
    total: number;
  }

  export interface PageListParams {
    filter?: PageFilter;
    /** Number of pages to skip. */
    offset?: number;
    /** Maximum number of pages, at most 1,000. [default: 50] */
    limit?: number | null;
  }

  export type PageOrder = 'slug' | 'title' | 'modified';

  export interface PageRef {
    /** Slug, title or alias, as in a `[[wikilink]]`. */
    slug: string;
  }

  export interface PageSearchParams {
    /** Search terms, without syntax. The last one matches by prefix. */
    query: string;
    /** Maximum number of results, at most 1,000. [default: 50] */
    limit?: number | null;
  }

  /** A page without its text. */
  export interface PageSummary {
    /** Lower-case path without extension, e.g. `characters/mara-venn`. */
    slug: string;
    /** From the frontmatter, the first heading, or the file name. */
    title: string;
    /** `type` of the frontmatter. */
    type: string | null;
    /** From the frontmatter and from `#tags` in the text: lower case, without `#`, sorted. */
    tags: string[];
    /** Path of the file relative to the workspace, with `/`. */
    path: string;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    modified: string;
    /** In bytes. */
    size: number;
    /** Problem with the file, e.g. invalid frontmatter. */
    remark: string | null;
  }

  export interface PagesStatus {
    /** Number of indexed pages. 0 before the folder is indexed for the first time. */
    pages: number;
    /** When this process last compared the folder with the index. */
    indexed_at: string | null;
    /** `None` if no indexing is in progress. */
    progress: IndexProgress | null;
    /** Why the index is temporary, e.g. because the folder can't be written. */
    temporary: string | null;
    skipped: Skipped[];
  }

  /** A link between two pages, seen from one of them. */
  export interface Reference {
    /** The page at the other end of the link. */
    slug: string;
    title: string;
    /** Display text. */
    text: string;
    /** The target as written. */
    target: string;
    /** Line in the file that contains the link, from 1. */
    line: number;
  }

  export interface References {
    /** Links of this page, in the order of its lines. */
    out: Reference[];
    /** Links of other pages to this one, by page and line. */
    in: Reference[];
    /** Links of this page to pages that don't exist. */
    broken: BrokenLink[];
  }

  /** A Markdown file that couldn't be indexed. */
  export interface Skipped {
    /** The file or folder, relative to the workspace. */
    path: string;
    reason: string;
  }
}

export namespace Path {
  export interface CompleteParams {
    /** The typed path. `~` is the home folder. */
    prefix: string;
    /** Include files that skills can be imported from. */
    packages?: boolean;
  }

  export interface Completion {
    path: string;
    name: string;
    /** Whether it contains skills or an agents.db. */
    skills: boolean;
    file: boolean;
  }

  export interface Completions {
    /** Folders by name, then files by name. */
    entries: Completion[];
    /** Absolute path of `prefix`. */
    path: string;
    /** Whether `path` can be chosen: a folder, or a file if files are included. */
    complete: boolean;
  }

  export type PathKind = 'skill' | 'skills' | 'folder' | 'file' | 'missing';

  export interface PathStatus {
    /** As requested. */
    path: string;
    kind: PathKind;
  }

  export interface PathStatusList {
    /** In the order of the request. */
    items: PathStatus[];
  }

  export interface PathStatusParams {
    /** Absolute. */
    paths: string[];
  }
}

export namespace Program {
  export type ProcessState = 'starting' | 'idle' | 'ready' | 'waiting' | 'unavailable';

  export interface ProgramManifest {
    /** DSPy's version, which states record. */
    dspy: string;
    templates: ProgramTemplate[];
    optimizers: ProgramOptimizer[];
  }

  /** A shipped optimizer. */
  export interface ProgramOptimizer {
    id: string;
    /** Display name. */
    title: string;
    /** What it changes and costs: at most two sentences. */
    description: string;
    /** JSON Schema of `options`, an object. */
    options: unknown;
    /** Minimum number of training examples. */
    least_examples: number;
    /** Whether examples must have known outputs. */
    needs_outputs: boolean;
  }

  /** Status of the DSPy process. */
  export interface ProgramStatus {
    state: ProcessState;
    /** Why it is unavailable, with the next step. */
    reason: string | null;
    /** Process ID. */
    pid: number | null;
    /** Version of DSPy: of the process, or of the installed one before it runs. Null if there is none. */
    dspy: string | null;
    /** Number of active jobs. */
    jobs: number;
    /** Number of failures in the last five minutes. */
    failures: number;
    /** The newest lines of its log, oldest first. */
    log: string[];
  }

  /** A shipped template. */
  export interface ProgramTemplate {
    id: string;
    /** Display name. */
    title: string;
    /** What it does and when to use it: at most two sentences. */
    description: string;
    /** Requirement on the signature, one sentence; empty if any works. */
    signature_rules: string;
    /** JSON Schema of `parameters`, an object. */
    parameters: unknown;
    /** IDs of the optimizers that support it. */
    optimizers: string[];
  }
}

export namespace Prompt {
  export type IndexFormat = 'list' | 'detailed';

  export interface IndexParams {
    format?: IndexFormat;
    /** Maximum size in tokens; skills that don't fit are left out. [default: 2000] */
    budget?: number | null;
    /** Name of an agent, whose assigned skills come before pinned ones. */
    agent?: string | null;
  }

  export interface RenderParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Path or artifact name of the template. */
    path: string;
    /** Unsaved text of the template. [default: the saved text] */
    text?: string | null;
    /** Values by variable. */
    params?: {
      [k: string]: unknown;
    };
    /** Model that selects the variant. [default: the variant in `path`] */
    model?: string | null;
  }

  export interface RenderedMessage {
    role: Role;
    text: string;
  }

  export interface RenderedPrompt {
    /** Variables of all variants, in order of first use. */
    variables: Variable[];
    /** By ordinal. */
    variants: RenderedVariant[];
  }

  /** A variant of a prompt for a model family. */
  export interface RenderedVariant {
    /** Model family. Null for the default variant. */
    variant: string | null;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
    /** Whether this variant would be sent. */
    selected: boolean;
    /** Null if the template can't be rendered. */
    text: string | null;
    /** Instructions that are sent with the text. Empty for a script. */
    system: string;
    /** What is sent before the text: the skill's examples as exchanges. */
    examples: RenderedMessage[];
    /** Estimated tokens of all that is sent, counted with one encoding for all models. */
    tokens: number | null;
    /** Variables without a value. */
    missing: string[];
    /** Why the template can't be rendered. */
    error: Diagnostic | null;
  }

  export interface SkillIndex {
    text: string;
    /** Size of the text in tokens. */
    tokens: number;
    /** Slugs of the skills that didn't fit the budget. */
    left_out: string[];
  }

  /** A variable of a template. */
  export interface Variable {
    name: string;
    shape: Shape;
    /** Fields that the template reads, of the object or of each item of the list, in the order of first use. */
    fields: string[];
    /** Whether every use is guarded by `is defined` or `default()`. */
    optional: boolean;
    /** From the artifact's `params` schema. */
    description?: string | null;
    default?: unknown;
  }
}

export namespace Proposal {
  export interface AcceptParams {
    id: string;
    reason?: string | null;
    /** Accept the changes of these files only. [default: all] */
    paths?: string[] | null;
    /** Scope of a new skill. [default: as proposed] */
    scope?: Scope | null;
  }

  export interface DecideParams {
    id: string;
    reason?: string | null;
  }

  export interface EditProposalParams {
    id: string;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
    /** The whole text. */
    content: string;
  }

  export interface ProposalList {
    /** Of the open workspace and the account, newest first. */
    proposals: Proposal[];
    /** Number of open proposals, regardless of the filter. */
    open: number;
  }

  export interface ProposalListParams {
    /** List only proposals for this skill: ID, slug or title. */
    skill?: string | null;
    /** List only proposals with this status. */
    status?: ProposalStatus | null;
  }

  export interface ProposalRef {
    id: string;
  }

  /** A proposal of the Composer, compared with the files that it is based on. */
  export interface ProposalReview {
    proposal: Proposal;
    /** The chat it was made in, if that still exists. */
    session: string | null;
    new_skill: boolean;
    files: ReviewedFile[];
    /** What the validator says about the proposed files and not about the present ones. Errors prevent accepting it. */
    diagnostics: Diagnostic[];
    /** Whether the skill was changed or deleted after the proposal was made. It can't be accepted until it is merged with the skill. */
    stale: boolean;
  }

  /** A file before and after a change. */
  export interface ReviewedFile {
    path: string;
    /** Null for a new file. */
    before: string | null;
    /** Null for a deleted file. */
    after: string | null;
    /** Whether the user edited it. */
    edited: boolean;
    /** Whether it has conflicts, which prevent accepting it. */
    conflict: boolean;
  }

  export interface WrapPromptParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Path or name of a prompt template. [default: the first one] */
    prompt?: string | null;
  }
}

export namespace Publish {
  export interface CreateRegistryParams {
    /** The folder must be new or empty. The keys in its folder of keys are used if there are any, and created otherwise. */
    target: PublishTarget;
    /** Lowercase letters, digits, hyphens and dots, as in `skills.example.org`. */
    id: string;
    title: string;
    /** Name that is shown as the publisher of its skills. [default: the title] */
    publisher?: string | null;
  }

  export interface CreatedRegistry {
    folder: string;
    id: string;
    title: string;
    /** What people compare when they add the registry. */
    fingerprint: string;
    keys: KeyPaths;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    expires: string;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    root_expires: string;
  }

  /** Files with secret keys, which only their owner can read. */
  export interface KeyPaths {
    folder: string;
    /** Signs who may sign. Needed once a year; keep it offline. */
    root: string;
    /** Signs the state of the registry. */
    snapshot: string;
    /** Signs skills. */
    publisher: string;
    /** Whether they were created, and not there before. */
    created: boolean;
  }

  /** What a key of a registry signs. */
  export type KeyRole = 'root' | 'snapshot' | 'publisher';

  export interface PlanReleaseParams {
    /** Absolute path of the registry's folder. */
    folder: string;
    /** Stored skills. */
    skills?: SkillRef[];
    /** Absolute paths of skill folders, folders of skill folders, or packages. */
    paths?: string[];
  }

  export interface PlannedSkill {
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    title: string;
    /** Null for a skill on disk. */
    id: string | null;
    /** Null for a skill on disk. */
    scope: Scope | null;
    /** Its folder or file. Null for a stored skill. */
    path: string | null;
    state: PlannedState;
    /** As it is written in the skill. */
    version: string;
    /** The version to publish: the written one if the registry doesn't have it yet. Null if it can't be determined. */
    next_version: string | null;
    /** Null for a new skill, and if all versions are revoked. */
    last: PublishedVersion | null;
    /** What follows from the changes since the last version. Null without any. */
    bump: VersionBump | null;
    /** The lowest version that doesn't look more compatible than the changes are. Null without changes. */
    required_version: string | null;
    /** Why `bump` isn't smaller. */
    reasons: string[];
    /** Files that differ from the last version, by path. */
    files: ComparedFile[];
    permissions: string[];
    permissions_gained: string[];
    permissions_lost: string[];
    /** Proposed text for the changelog, as Markdown. Empty without changes. */
    changelog: string;
    /** Of the validator, and of what can't be published. Errors block. */
    diagnostics: Diagnostic[];
  }

  export type PlannedState = 'update' | 'new' | 'unchanged' | 'blocked';

  export interface PublishFolder {
    /** Absolute path of the registry's folder. */
    folder: string;
  }

  /** Signatures and hashes of the index are verified, packages are not. */
  export interface PublishStatus {
    folder: string;
    id: string;
    title: string;
    /** The SHA-256 of some bytes; text form is 64 lower-case hex digits. */
    fingerprint: string;
    /** One more with each change. */
    serial: number;
    /** When clients refuse the registry's state as outdated. */
    expires: string;
    expired: boolean;
    /** Whether half of the usual 30 days have passed, so that the registry should be refreshed. */
    refresh_due: boolean;
    /** When clients refuse the registry's keys. */
    root_expires: string;
    root_expired: boolean;
    /** Whether half of the usual 365 days have passed. Refreshing with the root key renews it. */
    root_refresh_due: boolean;
    /** By key. */
    publishers: RegistryPublisher[];
    skills: number;
    versions: number;
    yanked: number;
    revoked: number;
    /** Versions of former publishers. Clients don't see them. */
    distrusted: number;
  }

  /** A registry to change, and how its changes are signed. */
  export interface PublishTarget {
    /** Absolute path of the registry's folder. */
    folder: string;
    /**
     * Absolute path of the folder with its keys: `snapshot.key`, `publisher.key`, and `root.key` if it isn't kept elsewhere. [default: a
     * folder of the account]
     */
    keys?: string | null;
    /** Days until clients refuse the registry's state as outdated, at most 365. [default: 30] */
    days?: number | null;
  }

  /** The registry after a change. */
  export interface PublishedState {
    serial: number;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    expires: string;
    /** Version of the root document, which names the keys. */
    root_version: number;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    root_expires: string;
    /** Whether anything was written. */
    changed: boolean;
  }

  export interface PublishedVersion {
    version: string;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    published_at: string;
    /** Of the package. */
    sha256: string;
  }

  export interface RefreshParams {
    target: PublishTarget;
  }

  export interface RegistryPublisher {
    name: string;
    /** `ed25519:` and 64 hex digits. */
    key: string;
  }

  /** Locked skills and skills on disk aren't changed, so their version must be new already. */
  export interface ReleaseParams {
    target: PublishTarget;
    skills?: ReleasedSkill[];
    /** Absolute paths of skill folders, folders of skill folders, or packages. */
    paths?: string[];
    /** Version of the app that the skills need. [default: any] */
    minimum_client?: string | null;
  }

  export interface ReleasePlan {
    /** ID of the registry. */
    registry: string;
    /** By slug. */
    skills: PlannedSkill[];
    /** Problems of the search for skills. */
    diagnostics: Diagnostic[];
    /** Whether all skills can be published. */
    ok: boolean;
  }

  export interface ReleaseReport {
    /** ID of the registry. */
    registry: string;
    /** By slug. */
    released: ReleasedVersion[];
    /** Number of skills whose version was published before. */
    unchanged: number;
    /** Of the registry. The same as before if nothing was written. */
    serial: number;
  }

  export interface ReleasedSkill {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Semantic version, which is written to the skill. [default: the one of the plan] */
    version?: string | null;
    /** Markdown that is added to the skill's CHANGELOG.md. [default: none] */
    changelog?: string | null;
  }

  export interface ReleasedVersion {
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    version: string;
    /** Of the stored skill with this version. Null for a skill on disk. */
    revision: number | null;
  }

  export interface RevokeParams {
    target: PublishTarget;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    skill: string;
    version: string;
    /** Shown to those who have the version. */
    reason: string;
  }

  export interface RotateKeysParams {
    target: PublishTarget;
    keys: KeyRole[];
  }

  /** Everything was verified as clients do. */
  export interface VerifiedRegistry {
    id: string;
    /** The SHA-256 of some bytes; text form is 64 lower-case hex digits. */
    fingerprint: string;
    serial: number;
    skills: number;
    versions: number;
    yanked: number;
    revoked: number;
    /** As in [`PublishStatus`]. */
    distrusted: number;
    /** Packages that no index names, as relative paths. They may be deleted. */
    unreferenced: string[];
  }

  /** What a new version changes for those who have the last one. */
  export type VersionBump = 'patch' | 'minor' | 'major';

  export interface YankParams {
    target: PublishTarget;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    skill: string;
    version: string;
    /** Shown to those who have the version. Null offers it again. */
    reason?: string | null;
  }
}

export namespace Reference {
  export interface AttachParams2 {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** `entity` for a page, `document` for a file or a web address. */
    target_kind: TargetKind;
    /** A page's slug, title or alias; a file's path in the workspace; an address with `https://` or `http://`. */
    target_ref: string;
    /** Attach before the reference at this position. [default: at the end] */
    position?: number | null;
    /** Attach the target even if it doesn't exist, to undo a removal. */
    allow_missing?: boolean;
  }

  /** A stored reference. Its target may be invalid, since the workspace's file is untrusted. */
  export interface Binding {
    /** The ID of a reference of a skill in a workspace. */
    id: string;
    target_kind: TargetKind;
    target_ref: string;
    /** Position among the references of the skill, in ascending order. */
    position: number;
    created_by: string;
    /** When it was attached. */
    created_at: string;
  }

  export interface FileText {
    /** Path relative to the workspace, with `/`. */
    path: string;
    /** In bytes. */
    size: number;
    /** Null if it isn't UTF-8 text or is larger than 1 MiB. */
    text: string | null;
  }

  export type ReferenceForm = 'page' | 'file' | 'address';

  /** A target that can be attached. */
  export interface ReferenceOffer {
    target_kind: TargetKind;
    target_ref: string;
    form: ReferenceForm;
    /** The page's title, the file's name or the address's host. */
    title: string;
  }

  export interface ReferenceOffers {
    /** Only the address if `query` is one. Otherwise pages, then files, each best first. */
    offers: ReferenceOffer[];
    /** Whether the workspace has more files than were searched. */
    is_partial: boolean;
  }

  export interface ReferenceParams {
    /** ID, slug or title of the skill. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** The ID of a reference of a skill in a workspace. */
    id: string;
  }

  export interface ReferenceSearchParams {
    /** Words of a page, parts of a file's path, or a web address. [default: the last changed pages and the first files] */
    query?: string;
    /** Maximum number of pages and of files, at most 100 each. [default: 20] */
    limit?: number | null;
  }

  /** A stored reference. Its target may be invalid, since the workspace's file is untrusted. */
  export interface SkillReference {
    /** The ID of a reference of a skill in a workspace. */
    id: string;
    target_kind: TargetKind;
    target_ref: string;
    /** Position among the references of the skill, in ascending order. */
    position: number;
    created_by: string;
    /** When it was attached. */
    created_at: string;
    form: ReferenceForm;
    /** The page's title, the file's name or the address's host. */
    title: string;
    /** Why the target can't be reached. Null if it can. Addresses aren't checked. */
    problem: string | null;
  }

  export interface SkillReferences {
    /** In their order. */
    references: SkillReference[];
  }

  export type TargetKind = 'entity' | 'document';
}

export namespace Registry {
  export interface AddRegistryParams {
    /** URL, or the absolute path of a folder. */
    address: string;
    /** SHA-256 of its first root document, as its owner states it. */
    fingerprint: string;
    /** URLs that are asked if the address doesn't answer. */
    mirrors?: string[];
    /** See [`RegistryInfo`]. */
    priority?: number;
  }

  /** What isn't given stays. */
  export interface ChangeRegistryParams {
    registry: string;
    /** URL, or the absolute path of a folder. The fingerprint must be the same. */
    address?: string | null;
    mirrors?: string[] | null;
    priority?: number | null;
    enabled?: boolean | null;
    updates_built_in?: boolean | null;
  }

  export interface InspectRegistryParams {
    /** URL, or the absolute path of a folder. */
    address: string;
  }

  /** What a server says about itself. Nothing of it is verified: compare the fingerprint with one from another source. */
  export interface RegistryIdentity {
    /** Identifies a registry: 1 to 64 lowercase ASCII letters, digits, and single inner hyphens or dots, as in `skills.example.org`. */
    id: string;
    title: string;
    address: string;
    /** The SHA-256 of some bytes; text form is 64 lower-case hex digits. */
    fingerprint: string;
    /** Whether a registry of this ID was added already. */
    is_known: boolean;
  }

  /** A registry that the user added. */
  export interface RegistryInfo {
    id: string;
    title: string;
    /** `https`, `http` or `file`. */
    address: string;
    /** Asked in this order if the address doesn't answer. */
    mirrors: string[];
    /** SHA-256 of its first root document. */
    fingerprint: string;
    /** Of two registries with a skill of the same name, the one with the higher number is used. */
    priority: number;
    enabled: boolean;
    /** Whether it may update the skills that were shipped with the app. */
    updates_built_in: boolean;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    added_at: string;
    /** When its contents were confirmed last. Null before the first sync. */
    synced_at: string | null;
    /** When the last sync was tried. */
    tried_at: string | null;
    /** Why the last sync failed. What was known before is still used. */
    failure: PartialFailure | null;
    /** Whether the server couldn't be reached. */
    is_offline: boolean;
    /** Number of its contents. Null before the first sync. */
    serial: number | null;
    /** From then on, nothing can be installed until it is synced again. */
    expires_at: string | null;
    /** Number of its skills. */
    skills: number;
    /** Names of its publishers. */
    publishers: string[];
  }

  export interface RegistryOutcome {
    id: string;
    /** Whether its contents are others than before. */
    changed: boolean;
    /** Parts of the index that were fetched. */
    fetched: number;
    /** Null if it was synced. */
    failure: PartialFailure | null;
    is_offline: boolean;
  }

  export interface RegistryRef {
    registry: string;
  }

  export interface SyncOutcome {
    registries: RegistryOutcome[];
    /** Skills that were updated by the sync. */
    updated: UpdatedSkill[];
    /** Skills with an update that wasn't installed. */
    waiting: WaitingUpdate[];
  }

  export interface SyncRegistriesParams {
    /** [default: all that are enabled] */
    registry?: string | null;
  }

  export interface UpdatedSkill {
    slug: string;
    from: string;
    to: string;
  }

  export interface WaitingUpdate {
    slug: string;
    from: string;
    to: string;
    why: WaitReason;
    /** Why it failed. */
    failure: PartialFailure | null;
  }

  export type RegistryListOutput = RegistryInfo[];
}

export namespace Resource {
  /** What a skill requires, and its approval points. */
  export interface Capabilities {
    tools: string[];
    toolGroups: string[];
    integrations: string[];
    actions: string[];
    /** Number of approval points. */
    humanGates: number;
  }

  export interface ExposedContent {
    file: ExposedFile;
    /** Null for binary files. */
    text: string | null;
    /** Null for texts. */
    base64: string | null;
  }

  export interface ExposedFile {
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
    /** SHA-256 of the bytes. */
    digest: string;
    bytes: number;
    /** By the extension of the path. Null if that says nothing. */
    media_type: string | null;
  }

  export interface ExposedSkill {
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    title: string;
    description: string;
    scope: Scope;
    revision: number;
    /** All fields of the frontmatter as written. Null if it doesn't name the skill by its slug. */
    frontmatter: {
      [k: string]: unknown;
    } | null;
    /** By path. */
    files: ExposedFile[];
  }

  export interface ExposedSkills {
    /** By slug. */
    skills: ExposedSkill[];
    /** `after` of the next page. Null on the last one. */
    next: string | null;
  }

  /** A skill without its instructions. */
  export interface ExternalSafeSkill {
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    /** Title. */
    name: string;
    /** None if it is only derived from the instructions. */
    description: string | null;
    capabilities: Capabilities;
    /** Phrases that trigger it. */
    triggers: string[];
    /** Summary by the author for external use. */
    externalSafeSummary: string | null;
    /** Whether MCP clients see it. None is unspecified, which means that they do. */
    exposeViaMcp: boolean | null;
  }

  /** A page of skills as they may be shown to anyone. */
  export interface ExternalSkills {
    /** By slug. */
    skills: ExternalSafeSkill[];
    /** `after` of the next page. Null on the last one. */
    next: string | null;
  }

  export interface ListResourcesParams {
    /** Slug of the last skill of the previous page. [default: the first page] */
    after?: string | null;
    /** Maximum number of skills, at most 500. [default: 100] */
    limit?: number | null;
  }

  export interface ReadResourceParams {
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
  }

  export interface ResourceRef {
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
  }
}

export namespace Run {
  export interface DecideGateParams {
    /** The ID of a run: all executions of one request. */
    run: string;
    /** Key of the gate. */
    gate: string;
    approved: boolean;
    reason?: string | null;
  }

  export interface DeletedRuns {
    /** Number of deleted traces. */
    traces: number;
  }

  /** A value that a plan needs and nothing provides. */
  export interface MissingInput {
    /** The artifact that needs it. */
    artifact: string;
    variable: string;
  }

  export interface ReplayParams {
    /** A trace of the run. */
    trace: string;
    /** ID for the new run. [default: a new ID] */
    run?: string | null;
    /** [default: the model of the replayed run] */
    model?: ModelRef | null;
    limits?: Limits;
    /** Keys of the skill's gates that the user approves for this run. */
    approve?: string[];
  }

  export interface RunDeleteParams {
    /** Items: The ID of a run: all executions of one request. */
    runs: string[];
  }

  /** A run, aggregated over its executions. */
  export interface RunDetail {
    /** The ID of a run: all executions of one request. */
    run_id: string;
    /** The ID of a session: a chat, an optimization or a series of runs. */
    session_id: string;
    /** The run that started it. */
    parent_run_id: string | null;
    skill_scope: Scope;
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill_id: string;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    skill_slug: string;
    skill_revision: number;
    /** The worst status of its executions, except `fallback`. */
    status: TraceStatus;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    started_at: string;
    /** When its last execution ended. Null while it is running. */
    completed_at: string | null;
    /** Total duration of its executions. Null while it is running. */
    duration_ms: number | null;
    /** Null if unknown. */
    input_tokens: number | null;
    /** Null if unknown. */
    output_tokens: number | null;
    /** Estimated cost in USD. Null if unknown. */
    estimated_cost: number | null;
    /** Number of executions. */
    traces: number;
    /** The last model that answered. */
    model_id: string | null;
    /** Name of the last executed artifact. */
    artifact_name: string;
    assertions_run: number;
    assertions_passed: number;
    /** Whether a fallback ran. */
    fell_back: boolean;
    /** The first error. */
    error: string | null;
    /** The traces of its steps, in order. */
    executions: Trace[];
    /** Nested runs, started by its scripts and programs, in order. Their usage isn't part of this run's. */
    called: RunSummary[];
    /** Gates that it reached with its output. It waits for those without a decision. */
    gates: RunGate[];
  }

  export interface RunList {
    /** Newest first. */
    runs: RunSummary[];
    /** Null on the last page. */
    next: number | null;
  }

  export interface RunListParams {
    filter?: TraceFilter;
    /** List the account's runs instead of the open workspace's. */
    account?: boolean;
    /** `next` of the previous page. [default: the first page] */
    before?: number | null;
    /** Maximum number of runs, at most 1,000. [default: 100] */
    limit?: number | null;
  }

  export interface RunParams {
    /** ID for the run, for its events and to cancel it. [default: a new ID] */
    run?: string | null;
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Run only this artifact: path or name. [default: the skill's plan] */
    artifact?: string | null;
    /** Number of the revision to run. [default: the current revision] */
    revision?: number | null;
    params?: {
      [k: string]: unknown;
    };
    /** [default: the default model] */
    model?: ModelRef | null;
    limits?: Limits;
    /** Keys of the skill's gates that the user approves for this run. */
    approve?: string[];
  }

  /** What a run would do. */
  export interface RunPlan {
    /** In order. Context for the prompts comes first. */
    steps: Step[];
    /** Artifacts that are skipped. */
    left_out: SkippedArtifact[];
    /** Missing values. A run is refused until there are none. */
    missing: MissingInput[];
    /** Null if no model is set up. */
    model: ModelRef | null;
    /** Estimated minimum of input tokens, counting the prompts that can be rendered already. */
    input_tokens: number | null;
    /** Cost of these tokens in USD. Null if the price is unknown. */
    input_cost: number | null;
    /** Whether the workspace must be trusted first. */
    needs_trust: boolean;
  }

  export interface RunRef {
    /** The ID of a run: all executions of one request. */
    run: string;
  }

  /** A run, aggregated over its executions. */
  export interface RunSummary {
    /** The ID of a run: all executions of one request. */
    run_id: string;
    /** The ID of a session: a chat, an optimization or a series of runs. */
    session_id: string;
    /** The run that started it. */
    parent_run_id: string | null;
    skill_scope: Scope;
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill_id: string;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    skill_slug: string;
    skill_revision: number;
    /** The worst status of its executions, except `fallback`. */
    status: TraceStatus;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    started_at: string;
    /** When its last execution ended. Null while it is running. */
    completed_at: string | null;
    /** Total duration of its executions. Null while it is running. */
    duration_ms: number | null;
    /** Null if unknown. */
    input_tokens: number | null;
    /** Null if unknown. */
    output_tokens: number | null;
    /** Estimated cost in USD. Null if unknown. */
    estimated_cost: number | null;
    /** Number of executions. */
    traces: number;
    /** The last model that answered. */
    model_id: string | null;
    /** Name of the last executed artifact. */
    artifact_name: string;
    assertions_run: number;
    assertions_passed: number;
    /** Whether a fallback ran. */
    fell_back: boolean;
    /** The first error. */
    error: string | null;
  }

  export interface ScriptParams {
    /** ID for the run, for its events and to cancel it. [default: a new ID] */
    run?: string | null;
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Path of a Python file of the skill. */
    path: string;
    /** Its `sys.argv`, without the path. */
    args?: string[];
    stdin?: string;
    limits?: Limits;
    /** Keys of the skill's gates that the user approves for this run. */
    approve?: string[];
  }

  export interface ScriptRunOutcome {
    /** The ID of a run: all executions of one request. */
    run: string;
    /** The ID of a session: a chat, an optimization or a series of runs. */
    session: string;
    status: TraceStatus;
    /** From 0 to 255. Null if it was stopped or aborted. */
    exit_code: number | null;
    stdout: string;
    stderr: string;
    /** Whether `stdout` or `stderr` reached its limit. */
    truncated: boolean;
    /** Why it failed. Set for every exit code but 0. */
    error: Failure | null;
    /** Its step. */
    traces: Trace[];
    /** Gates that it reached with its output. It waits for those without a decision. */
    gates: RunGate[];
    /** Null if unknown. */
    input_tokens: number | null;
    /** Null if unknown. */
    output_tokens: number | null;
    /** Estimated cost in USD. Null if unknown. */
    estimated_cost: number | null;
  }

  export interface SkippedArtifact {
    name: string;
    reason: string;
  }

  export interface Step {
    name: string;
    /** The file of the variant for the model. */
    path: string;
    kind: ArtifactKind;
    /** Whether it only accompanies prompts (description, approach, example). */
    context: boolean;
    /** Required values. */
    needs: string[];
    /** The prompt that runs if this artifact can't. */
    fallback: string | null;
    /** Why it can't run now; its fallback runs instead. */
    unavailable: string | null;
  }
}

export namespace Script {
  export type MemberKind = 'function' | 'class' | 'exception';

  /** A member of the module that scripts import. */
  export interface ScriptFunction {
    /** Name within the module, such as `search` or `skills.list`. */
    name: string;
    kind: MemberKind;
    /** Python signature without the module. */
    signature: string;
    /** Return type in Python syntax. Empty for a class or an exception. */
    returns: string;
    /** One or two sentences. */
    doc: string;
  }

  /** The module that scripts can import. */
  export interface ScriptModule {
    /** Name of the module. */
    module: string;
    /** Members in display order. */
    functions: ScriptFunction[];
    /** Why scripts can't run here. Null if they can. */
    unavailable: string | null;
  }
}

export namespace Search {
  /** How far the background is with the vectors of a catalog. */
  export interface IndexingProgress {
    /** Skills whose vectors are there. */
    done: number;
    total: number;
  }

  /** Why a skill isn't recommended. */
  export type LeftOutReason =
    ('disabled' | 'deprecated' | 'archived') | 'unproven' | 'conflict' | 'avoided' | 'weak' | 'rank';

  /** A skill that fits a message, with the parts of its score. */
  export interface LeftOutSkill {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    name: string;
    description: string;
    score: number;
    /** The name or trigger that the message contains. It outweighs everything else. */
    exact: string | null;
    /** Similarity of the meanings, at most about 1. Null without the embedding model. */
    similarity: number | null;
    /** Share of the message's words that the skill has, weighted by their rarity. */
    coverage: number;
    /** Those words, as they are in the message. */
    terms: string[];
    /** What was subtracted since its `when_not_to_use` fits. */
    avoided: number;
    /** What the score was multiplied by, for its lifecycle. */
    quality: number;
    reason: LeftOutReason;
  }

  /** Params of `search/skills`. */
  export interface SearchSkillsParams {
    /** What a user asks for. */
    message: string;
    /** Maximum number of skills, at most 50. [default: 5] */
    limit?: number | null;
  }

  export interface SearchStatus {
    /** Null if nothing is computed. Until then, only the words of the other skills count. */
    indexing: IndexingProgress | null;
    /**
     * Why meanings can't be compared, so that only words count. Null if they can, as far as is known: the embedding model is loaded with
     * the first search.
     */
    words_only: string | null;
  }

  /** A skill that fits a message, with the parts of its score. */
  export interface SkillMatch {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    name: string;
    description: string;
    score: number;
    /** The name or trigger that the message contains. It outweighs everything else. */
    exact: string | null;
    /** Similarity of the meanings, at most about 1. Null without the embedding model. */
    similarity: number | null;
    /** Share of the message's words that the skill has, weighted by their rarity. */
    coverage: number;
    /** Those words, as they are in the message. */
    terms: string[];
    /** What was subtracted since its `when_not_to_use` fits. */
    avoided: number;
    /** What the score was multiplied by, for its lifecycle. */
    quality: number;
  }

  export interface SkillSearchResult {
    /** Best first. Empty if no skill fits. */
    skills: SkillMatch[];
    /** The best of the others. */
    left_out: LeftOutSkill[];
    /** The words of the message that were looked up: all but those that say nothing about its topic. */
    words: string[];
    /** Why meanings weren't compared, so that only words counted. */
    words_only: string | null;
  }
}

export namespace Server {
  export interface RunningServer {
    /** `http://127.0.0.1:PORT` */
    address: string;
    /** Folder of the workspace that it serves. Null if it serves the account only. */
    workspace: string | null;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    started_at: string;
    /** File with a token for the person at this machine, as long as the server runs. */
    token_file: string;
  }

  /** A call without its parameters. */
  export interface ServerCall {
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    at: string;
    protocol: ServerProtocol;
    /** As in [`ServerClient`]. */
    caller: string;
    /** As in [`ServerClient`]. */
    program: string | null;
    /** HTTP method, or method of MCP. */
    method: string;
    /** Operation, tool, or pattern of the address. Null if the method says it all. */
    target: string | null;
    /** Status code of HTTP. Null for MCP. */
    status: number | null;
    failed: boolean;
    milliseconds: number;
  }

  export interface ServerClient {
    protocol: ServerProtocol;
    /** `local`, or `token:NAME`. */
    caller: string;
    /** Name and version of the program, as it states them itself. */
    program: string | null;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    first_seen_at: string;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    last_call_at: string;
    calls: number;
  }

  export type ServerProtocol = 'http' | 'mcp';

  export interface ServerStatus {
    /** Null if no server runs. */
    running: RunningServer | null;
    /** Why the last start failed. Null if it didn't, or once it was tried again. */
    failure: string | null;
    /** Callers since the last start, the last one first. */
    clients: ServerClient[];
    /** Calls since the last start, newest first. */
    calls: ServerCall[];
  }

  export interface StartServerParams {
    /** On the loopback address; 0 for any free one. [default: the port of the settings] */
    port?: number | null;
  }
}

export namespace Settings {
  export interface SetParams {
    /** Lower-case words joined by dots, e.g. `ui.theme`. */
    key: string;
    /** Null removes the setting. */
    value: unknown;
  }

  export interface Settings {
    /** By dotted key. Settings that were never set are missing. */
    values: {
      [k: string]: unknown;
    };
  }
}

export namespace Skill {
  export interface ArchiveParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Why it is retired. [default: the reason of its deprecation] */
    reason?: string | null;
  }

  /** An edit of a skill's folder. Files are renamed and deleted by other operations, which update the references to them. */
  export type Change =
    | {
        op: 'write';
        /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
        path: string;
        text: string;
      }
    | {
        op: 'bytes';
        /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
        path: string;
        base64: string;
      }
    | {
        op: 'executable';
        /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
        path: string;
        on: boolean;
      };

  /** A path that differs from the previous revision. */
  export interface ChangedPath {
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
    change: PathChange;
  }

  export interface CreateParams {
    /** Title. The slug is derived from it. */
    name: string;
    /** What the skill does and when to use it. */
    description?: string | null;
    /** Instructions in Markdown. */
    content?: string | null;
    /** Target scope. [default: the workspace if one is open, else the account] */
    scope?: Scope | null;
  }

  export interface DeleteParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Refuse if this isn't the current revision. [default: any] */
    expected?: number | null;
  }

  /** A deleted skill as it was before the deletion. */
  export interface DeletedContent {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    name: string;
    description: string;
    entries: FileEntry[];
  }

  /** A deleted skill that can be restored. */
  export interface DeletedEntry {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    name: string;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    deleted_at: string;
    /** Who deleted it. */
    actor: string;
  }

  export interface DeletedFileParams {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    scope: Scope;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
  }

  export interface DeletedList {
    /** By scope, latest deletion first. */
    skills: DeletedEntry[];
  }

  export interface Deletion {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    /** The revision of the deletion. */
    revision: number;
  }

  export interface DeprecateParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Why it isn't recommended any more, and what to use instead. */
    reason: string;
    /** Revision that the decision was based on; fails if the skill was changed since. [default: any] */
    expected?: number | null;
  }

  export interface DescribeParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** The revision that the values were read from. Values changed since are a conflict. [default: overwrite] */
    expected?: number | null;
    values: SkillValues;
  }

  export interface EditParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** The revision that the edits are based on. */
    expected: number;
    /** Applied in order. */
    changes: Change[];
    /** Description for the history. */
    why?: string | null;
  }

  export interface EnableParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    enabled: boolean;
  }

  export interface ExportParams {
    skills: SkillRef[];
    /** Absolute path of the target folder. Each skill becomes a folder or file named after its slug. [default: a dry run] */
    out?: string | null;
    /** Package format. [default: a folder] */
    form?: PackageFormat | null;
    /** Set `name` in the frontmatter to the slug. Folders only. */
    normalize?: boolean;
    /** Replace existing folders and files. Without it, those that differ are an error. */
    replace?: boolean;
    /** Report what would be written without writing. */
    dry_run?: boolean;
  }

  export interface History {
    /** Newest first. */
    revisions: RevisionInfo[];
    /** `before` for the next page. Null on the last page. A page may be empty and still have a next one. */
    next: number | null;
  }

  export interface HistoryParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** List only revisions that changed this file. */
    path?: string | null;
    /** List only revisions before this one. */
    before?: number | null;
    /** Maximum number of revisions, at most 500. [default: 50] */
    limit?: number | null;
  }

  /** What to do with a skill. */
  export type ImportAction = 'skip' | 'replace' | 'merge' | 'both' | 'override';

  export interface ImportChoice {
    /** Path of the skill, as in the report. */
    path: string;
    action: ImportAction;
    /**
     * With `merge`: files to take from the imported version.
     *
     * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
     */
    theirs?: string[];
  }

  export interface ImportParams {
    /** Absolute paths of skill folders, folders of skill folders, SKILL.md files or packages. */
    paths?: string[];
    /** Files that aren't on the disk, such as attachments of a chat. */
    texts?: ImportedText[];
    /** Repositories fetched by `import/fetch` that contain some of the paths. It is stored where the skills come from. */
    repositories?: FetchedRepository[];
    /** The stored skill that the only skill of the import is a newer version of. [default: the one of its name] */
    updates?: string | null;
    /** Target scope. [default: the workspace if one is open, else the account] */
    scope?: Scope | null;
    /** Report what would happen without storing. */
    dry_run?: boolean;
    /** Rename a skill that has the name of another one in the import. */
    rename?: boolean;
    /** Refuse skills that the Agent Skills specification doesn't allow. */
    strict?: boolean;
    /** Actions for single skills. */
    choices?: ImportChoice[];
    /** Import only skills in `choices`. Without it, new skills and updates are imported too. */
    only_chosen?: boolean;
    /** Action for conflicts and locked skills that aren't in `choices`. */
    conflicts?: ImportAction;
    /** Import new skills as third-party skills: locked, and updated only by importing them again. */
    third_party?: boolean;
  }

  export interface ListParams {
    view?: ListView;
  }

  export type ListView = 'merged' | 'all';

  export interface MergeParams {
    /** The skill that is kept: ID, slug or title. */
    target: string;
    /** Scope of the target. [default: workspace, then account] */
    target_scope?: Scope | null;
    /** The skill that is archived: ID, slug or title. */
    source: string;
    /** Scope of the source. [default: workspace, then account] */
    source_scope?: Scope | null;
    /** Revision of the target that the decision was based on; fails if it was changed since. [default: any] */
    expected?: number | null;
  }

  /** What a merge would do. */
  export interface MergePreview {
    /** The files of the target that would change. */
    files: FileChange[];
    /**
     * Files of the source that the target has others for. They stay with the archived source.
     *
     * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
     */
    omitted: string[];
    /** Slugs of the skills that need the source. */
    dependents: string[];
  }

  export interface MergedSkill {
    skill: SkillDetail;
    source: SkillSummary;
    /**
     * Files of the source that the target has others for. They stay with the archived source.
     *
     * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
     */
    omitted: string[];
    /** Why the source isn't archived. Null if it is. */
    failure: PartialFailure | null;
  }

  export interface MoveSkillParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Target scope. */
    to: Scope;
    /** Copy instead of moving. */
    keep?: boolean;
  }

  export interface MovedSkill {
    /** The skill in the target scope. */
    skill: SkillDetail;
    /** Whether the original was deleted. */
    removed: boolean;
    /** The folder that the original was linked to until now. Its files stay. Null if it wasn't linked. */
    unlinked: string | null;
    /** Why the original wasn't deleted although it should be. */
    failure: PartialFailure | null;
  }

  /** A skill of the same name in a scope, or the one that this was duplicated from. */
  export interface OtherSkill {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    name: string;
    /** Current revision. */
    revision: number;
    version: string;
    enabled: boolean;
    relation: VersionRelation;
  }

  export interface PromoteParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** As of [`DeprecateParams`]. */
    expected?: number | null;
  }

  export interface RelatedSkills {
    /** Nearest first, each once. */
    skills: RelatedSkill[];
    /** Slugs of skills that need each other in a circle; the first is also the last. Null if there is no circle. */
    cycle: string[] | null;
  }

  export interface RestoreFilesParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** The revision to restore the files from. */
    number: number;
    /** Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    paths: string[];
    /** Refuse if this isn't the current revision. [default: any] */
    expected?: number | null;
  }

  export interface RestoreParams {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    scope: Scope;
  }

  /** Undoes or redoes a range of revisions. */
  export interface RevertParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** The last revision of the range. */
    from: number;
    /** The revision before the range. */
    to: number;
  }

  /** An entry of a skill's history. */
  export interface RevisionInfo {
    /** Number, from 1. */
    number: number;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    created_at: string;
    actor: string;
    why: string;
    /** The previous stored revision; `None` for the first. */
    previous: number | null;
    changed: ChangedPath[];
  }

  export interface RevisionParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    number: number;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
  }

  export interface RollbackParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** The revision to restore. */
    number: number;
    /** Refuse if this isn't the current revision. [default: any] */
    expected?: number | null;
  }

  /** A copy in the folder of another agent. */
  export interface SkillCopy {
    /** Name of the agent. */
    agent: string;
    /** Whether the folder is in the workspace. */
    of_workspace: boolean;
    /** Folder of the agent's skills, such as `~/.claude/skills`. */
    folder: string;
    /** Folder of the copy. */
    path: string;
    relation: VersionRelation;
    /** The revision with the same files. Null if there is none. */
    revision: number | null;
    /** Version in its files. */
    version: string | null;
    /** Why it can't be read. */
    problem: string | null;
  }

  export interface SkillList {
    /** By slug. */
    skills: SkillSummary[];
  }

  /** A skill in the tree. Default values are not serialized, since a list has thousands of items. */
  export interface SkillListItem {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    name: string;
    revision: number;
    lifecycle: Lifecycle;
    enabled: boolean;
    /** `None` for skills of the user. */
    source?: Source | null;
    /** Locked skills can only be duplicated. */
    locked?: boolean;
    /** Whether this workspace skill overrides an account skill of the same slug. */
    shadows?: boolean;
    /** Whether the workspace overrides this account skill. */
    shadowed?: boolean;
    /** Slug of another visible skill with the same title. */
    collides_with?: string | null;
    tags?: string[];
    /** In display order. */
    kinds?: ArtifactKind[];
  }

  export interface SkillLocations {
    /** One-line summary. */
    line: string;
    /** The scope whose skill is used. */
    wins: Scope;
    /** The skill of the same name in the other scope. */
    other: OtherSkill | null;
    /** The skill that it was duplicated from, if that still exists and isn't `other`. */
    parent: OtherSkill | null;
    /** The workspace's first. */
    copies: SkillCopy[];
  }

  /** Metadata of a skill for lists. */
  export interface SkillSummary {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    /** Title. */
    name: string;
    description: string;
    /** Semantic version. */
    version: string;
    tags: string[];
    category: string;
    /** How it was added. */
    source: Source;
    origin: Origin;
    lifecycle: Lifecycle;
    /** 1 to 4. */
    trust_tier: number;
    /** Whether agents can find and run it. */
    enabled: boolean;
    /** Whether a user can invoke it by name. */
    user_invocable: boolean;
    /** Number of the current revision. */
    revision: number;
    /** Display name of the author. */
    author: string | null;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    created_at: string;
    /** Time of the current revision. */
    updated_at: string;
    /** Locked skills can only be duplicated. */
    locked: boolean;
    /** Whether this workspace skill overrides an account skill of the same slug. */
    shadows: boolean;
    /** Whether the workspace overrides this account skill. */
    shadowed: boolean;
    /** Slug of another visible skill with the same title. */
    collides_with: string | null;
    /** Kinds of its artifacts, in display order. */
    kinds: ArtifactKind[];
    files: number;
    /** Size of all files. */
    bytes: number;
  }

  /** Values to change. Omitted values are kept. */
  export interface SkillValues {
    /** Title. The slug is kept. */
    name?: string | null;
    /** What the skill does and when to use it. */
    description?: string | null;
    category?: string | null;
    tags?: string[] | null;
    triggers?: string[] | null;
    /** When another skill is the better choice. Null removes it. */
    when_not_to_use?: string | null;
    /** Version set by the author. */
    version?: string | null;
    /** Display name of the author. Null removes it. */
    author?: string | null;
    /** Whether a user can invoke it by name, not only an agent by its description. */
    user_invocable?: boolean | null;
  }

  /** Estimated tokens of a skill, counted with one encoding for all models. */
  export interface TokenCost {
    /** Sent in every turn: the skill's line in the index. */
    per_turn: number;
    /** Sent when the skill is loaded: instructions, descriptions and approaches. */
    on_load: number;
    /** Sent when requested: all other texts. */
    on_demand: number;
    /** Tokens by file. */
    files: {
      [k: string]: number;
    };
    encoding: string;
  }

  export interface TokenParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Unsaved texts to count instead of the saved ones. */
    edits?: UnsavedText[];
  }

  export interface TreePage {
    /** The workspace's first, each scope by title. Default values are omitted. */
    skills: SkillListItem[];
    /** Null on the last page. */
    next: SkillListCursor | null;
    /** Number of all skills. */
    total: number;
  }

  export interface TreeParams {
    /** `next` of the previous page. [default: the first page] */
    from?: SkillListCursor | null;
    /** Maximum number of rows, at most 5,000. [default: 500] */
    limit?: number | null;
    /** Return only these rows, without the deleted ones. */
    only?: TreeRows | null;
  }

  /** How another version of a skill compares with this one. */
  export type VersionRelation = 'different' | 'same' | 'older' | 'newer' | 'unreadable';
}

export namespace Symbols {
  export interface ArtifactName {
    name: string;
    kind: ArtifactKind;
    /** The file of its first variant. */
    path: string;
  }

  export interface AtParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
    line: number;
    column: number;
    /** Unsaved texts to read instead of the saved ones. */
    edits?: UnsavedText[];
  }

  export interface CompletionItem {
    name: string;
    about: string;
  }

  export interface FileLocations {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    /** The skill's title. */
    name: string;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
    /** In their order in the file. */
    locations: Location[];
  }

  /** A variable that templates of a skill use or its artifacts provide. */
  export interface KnownVariable {
    name: string;
    shape: Shape;
    /** Fields that the template reads, of the object or of each item of the list, in the order of first use. */
    fields: string[];
    /** Whether every use is guarded by `is defined` or `default()`. */
    optional: boolean;
    /** From the artifact's `params` schema. */
    description?: string | null;
    default?: unknown;
    /** Names of the artifacts that use it. */
    asked_by: string[];
    /** Names of the artifacts that provide it. */
    given_by: string[];
    /** Whether `skill.json` declares it as a parameter. */
    declared: boolean;
  }

  /** The names that are available in every skill. */
  export interface LanguageData {
    filters: CompletionItem[];
    tests: CompletionItem[];
    functions: CompletionItem[];
    /** Keys of the frontmatter, those of the Agent Skills specification first. */
    frontmatter: CompletionItem[];
    /** JSON Schema of `skill.json`. */
    skill_json: unknown;
    /** JSON Schema of a DSPy module's file. */
    dspy_module: unknown;
  }

  /** A range of a text with the rest of its line. Lines and columns count from 1, columns in characters. */
  export interface Location {
    line: number;
    column: number;
    end_line: number;
    /** Exclusive. */
    end_column: number;
    /** Text before it in its first line. */
    before: string;
    text: string;
    /** Text after it in its last line. */
    after: string;
  }

  /** Everything that can be referenced in a skill. */
  export interface Names {
    /** The revision that was read. */
    revision: number;
    /** By name. */
    variables: KnownVariable[];
    /** In the order of the artifacts. */
    outputs: OutputName[];
    artifacts: ArtifactName[];
    /**
     * By path.
     *
     * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
     */
    files: string[];
    /** Anchors of the headings of markdown files. */
    anchors: {
      [k: string]: string[];
    };
  }

  export interface NamesParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** Unsaved texts to read instead of the saved ones. */
    edits?: UnsavedText[];
  }

  /** An artifact's output in templates. */
  export interface OutputName {
    /** What follows `outputs.`. */
    key: string;
    artifact: string;
    kind: ArtifactKind;
    /** Fields that are known before it runs. */
    fields: string[];
  }

  export interface RenameParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    /** A variable or an artifact. */
    symbol: Symbol;
    to: string;
  }

  /** The changes that a rename would make. */
  export interface RenamePreview {
    /** Occurrences to rename, by file. */
    uses: FileLocations[];
    /** Number of saved inputs that would change. */
    inputs: number;
    /** Number of saved inputs that keep the old name, since their workspaces have skills of their own. */
    inputs_elsewhere: number;
    /** Number of saved actions that would change. */
    actions: number;
    /** Occurrences of the same word that aren't renamed, since it may mean something else there. */
    mentions: FileLocations[];
  }

  export interface RenameResult {
    result: EditResult;
    /** Number of renamed occurrences. */
    uses: number;
    /** Number of changed saved inputs. */
    inputs: number;
    /** Number of saved inputs that keep the old name, since their workspaces have skills of their own. */
    inputs_elsewhere: number;
    /** Number of changed saved actions. */
    actions: number;
    /** Occurrences of the same word that weren't renamed. */
    mentions: FileLocations[];
  }

  export type Symbol =
    | {
        kind: 'variable';
        name: string;
      }
    | {
        kind: 'artifact';
        name: string;
      }
    | {
        kind: 'skill';
        /** Slug or title as written. */
        name: string;
      }
    | {
        kind: 'file';
        /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
        path: string;
      }
    | {
        kind: 'page';
        /** As written. */
        name: string;
      }
    | {
        kind: 'heading';
        /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
        path: string;
        /** Anchor without `#`. */
        anchor: string;
      };

  export interface SymbolAtPosition {
    /** Null if there is no symbol. */
    symbol: SymbolInformation | null;
  }

  /** A symbol at a position. */
  export interface SymbolInformation {
    symbol: Symbol;
    /** The mention at the position. */
    location: Location;
    title: string;
    /** Description, or why it can't be resolved. May be empty. */
    about: string;
    /** Further lines for a hover. */
    facts: string[];
    /** Definitions. Empty if it can't be resolved. */
    targets: Target[];
    /** Whether it can be renamed in all files. */
    renames: boolean;
  }

  /** The location of a definition. */
  export type Target =
    | {
        in: 'skill';
        /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
        skill: string;
        scope: Scope;
        /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
        path: string;
        line: number;
        column: number;
      }
    | {
        in: 'page';
        slug: string;
      };

  export interface Uses {
    /** In all skills for a skill or page, otherwise in this skill. */
    uses: FileLocations[];
    /** The same word elsewhere in this skill, where it may mean something else. */
    mentions: FileLocations[];
  }

  export interface UsesParams {
    /** ID, slug or title. */
    skill: string;
    /** Scope of the skill. [default: workspace, then account] */
    scope?: Scope | null;
    symbol: Symbol;
    /** Unsaved texts to read instead of the saved ones. */
    edits?: UnsavedText[];
  }
}

export namespace Target {
  /** Params of `target/file`. */
  export interface CopyFileParams {
    skill: SkillRef;
    /** ID of the agent, or path of its folder. [default: the only one with an edited copy] */
    from?: string | null;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    file: string;
  }

  /** A deployed copy, or the place for one. */
  export type CopyStatus =
    'unchanged' | 'new' | 'update' | 'drift' | 'missing' | 'foreign' | 'conflict' | 'linked' | 'dangling' | 'deleted';

  /** Params of `target/deploy`. */
  export interface DeployParams {
    skills?: SkillRef[];
    /** Also all skills with this tag. */
    tag?: string | null;
    /** Also all skills of this kit that the caller sees. */
    kit?: string | null;
    /** Also all copies that are written again whenever their skill changes, where they are. */
    watched?: boolean;
    /**
     * IDs of agents, or paths of their folders. Skills of the account go to the folders in the home folder, skills of the workspace to
     * those in the workspace. [default: all folders that exist]
     */
    to?: string[];
    /** Create the folders of agents that don't exist. */
    create_folders?: boolean;
    /** Put a link to the skill's folder instead of a copy. A skill without one gets a folder that it is linked to. */
    link?: boolean;
    /** Whether the copies are written again whenever the skill changes. [default: as before; no for new ones] */
    watch?: boolean | null;
    /** Replace copies that were edited. Their edits are lost. */
    replace_edited?: boolean;
    /** Report what would be written without writing. */
    dry_run?: boolean;
  }

  export interface DeployReport {
    /** By skill, then by target. */
    copies: DeployedCopy[];
    dry_run: boolean;
    /** Whether it was cancelled. `copies` has those processed before. */
    stopped: boolean;
  }

  export interface DeployedCopy {
    /** ID of the agent. */
    agent: string;
    /** Name of the agent. */
    agent_name: string;
    /** Folder of the copy. */
    path: string;
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    status: CopyStatus;
    /** Whether it is written again whenever the skill changes. */
    watch: boolean;
    /** Revision that was deployed. Null if none was. */
    revision: number | null;
    /**
     * Files of the copy that were edited, added or deleted there.
     *
     * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
     */
    edited: string[];
    /** Whether this call changed the copy. */
    changed: boolean;
    /** Whether the agent's folder has to be created first. */
    creates_folder: boolean;
    /** Why it couldn't be read or changed. */
    failure: Failure | null;
  }

  /** Params of `target/pull`. */
  export interface PullParams {
    skill: SkillRef;
    /** ID of the agent, or path of its folder. [default: the only one with an edited copy] */
    from?: string | null;
    /**
     * Conflicting files to take from the copy.
     *
     * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
     */
    theirs?: string[];
    /**
     * Conflicting files to keep as they are in the skill.
     *
     * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
     */
    ours?: string[];
    /** Report what would change without storing. */
    dry_run?: boolean;
  }

  export interface PullReport {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    skill: string;
    scope: Scope;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    /** Folder of the copy. */
    path: string;
    /** The revision that the copy was edited from. Null if it isn't kept any more. */
    base: number | null;
    /** Files that differ from it. */
    changes: PathMerge[];
    /**
     * Conflicting files without a choice. While there are any, nothing is stored.
     *
     * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
     */
    conflicts: string[];
    /** The current revision. */
    revision: number;
    /** Whether the skill got the changes. */
    stored: boolean;
    /** Why the copy wasn't updated although the skill was. */
    failure: PartialFailure | null;
    dry_run: boolean;
  }

  /** Params of `target/remove`. */
  export interface RemoveCopiesParams {
    /** Slugs or IDs of the skills, which may have been deleted. */
    skills: string[];
    /** IDs of agents, or paths of their folders. [default: all] */
    from?: string[];
    /** Report what would be removed without removing. */
    dry_run?: boolean;
  }

  /** The skills of other agents. */
  export interface TargetList {
    /** The folders that exist, the workspace's first. */
    targets: TargetSkills[];
    /** Number of skills, by slug, that aren't imported yet. */
    new: number;
  }

  /** An agent's folder of skills. */
  export interface TargetSkills {
    /** ID of the agent. */
    agent: string;
    /** Name of the agent. */
    name: string;
    /** Whether the folder is in the workspace, not in the home folder. */
    of_workspace: boolean;
    path: string;
    /** Its skills with the result of a dry-run import: into the workspace for a folder of the workspace, otherwise into the account. */
    skills: ImportItem[];
    /** Problems while reading the folder. */
    diagnostics: Diagnostic[];
  }

  /** A folder in which an agent keeps skills. */
  export interface TargetState {
    /** ID of the agent. */
    agent: string;
    /** Name of the agent. */
    name: string;
    /** Whether the folder is in the workspace, not in the home folder. */
    of_workspace: boolean;
    path: string;
    /** False if it has to be created before skills are deployed to it. */
    exists: boolean;
    /** By slug. */
    copies: DeployedCopy[];
  }

  export interface TargetStatus {
    /** All known folders, the workspace's first. */
    targets: TargetState[];
  }
}

export namespace Texts {
  /** A file with matches. */
  export interface FileMatches {
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
    matches: Match[];
  }

  /** Lines and columns count from 1, columns in characters. */
  export interface Match {
    line: number;
    column: number;
    end_line: number;
    /** The column after its end. */
    end_column: number;
    /** Text before it in its line, truncated. */
    before: string;
    text: string;
    /** Text after it in the line of its end, truncated. */
    after: string;
    /** What would replace it; null without a replacement. */
    instead: string | null;
  }

  export interface Query {
    text: string;
    /** Regular expression. `^` and `$` match at the ends of a line; `.` doesn't match a line break. */
    regex?: boolean;
    /** Match case. */
    case?: boolean;
    /** Match whole words. */
    word?: boolean;
  }

  /** A skill that wasn't changed. */
  export interface RefusedReplacement {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    scope: Scope;
    failure: Failure;
  }

  /** Matches to replace in a file. */
  export interface ReplaceFile {
    /** ID of the skill. */
    skill: string;
    scope: Scope;
    /** The revision that was searched. */
    revision: number;
    /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
    path: string;
    /** Indices of the matches in the file, from 0. [default: all] */
    matches?: number[] | null;
  }

  export interface ReplaceParams {
    query: Query;
    /** In a regular expression, `$1` and `${name}` insert groups. */
    replacement: string;
    files: ReplaceFile[];
  }

  /** Each skill is changed as a whole or not at all. */
  export interface ReplaceReport {
    changed: ReplacedSkill[];
    refused: RefusedReplacement[];
  }

  /** A skill that was changed, in one revision. */
  export interface ReplacedSkill {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    scope: Scope;
    /** The new revision. Reverting it undoes the change. */
    revision: number;
    /** Number of replaced matches. */
    matches: number;
    /**
     * Files that were changed.
     *
     * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
     */
    files: string[];
  }

  export interface SearchParams {
    query: Query;
    /** Replacement to preview. In a regular expression, `$1` and `${name}` insert groups. */
    replacement?: string | null;
    /** Search only this skill: ID, slug or title. */
    skill?: string | null;
    /** Search only this scope. */
    scope?: Scope | null;
    /** Search only files whose path contains this text, such as `.py` or `prompts/`. */
    path?: string | null;
    /** Maximum number of matches, at most 20,000. [default: 2,000] */
    limit?: number | null;
  }

  export interface SearchResult {
    /** By slug, the workspace's first. */
    skills: SkillMatches[];
    /** Number of matches. */
    matches: number;
    /** Number of files with matches. */
    files: number;
    /** Whether there are more matches than the limit. */
    more: boolean;
  }

  /** A skill with matches. */
  export interface SkillMatches {
    /** The ID of a skill. Kept when the skill is renamed. Unique within a database. */
    id: string;
    /** Lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
    slug: string;
    /** Title. */
    name: string;
    scope: Scope;
    /** The revision that was searched. */
    revision: number;
    /** Whether the skill can't be changed. */
    locked: boolean;
    /** By path. */
    files: FileMatches[];
  }
}

export namespace Token {
  /** A token, without its secret. */
  export interface AccessToken {
    /** The part that isn't secret. */
    id: string;
    name: string;
    role: RemoteRole;
    /** Whether its caller gets public summaries only, never instructions. */
    external: boolean;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    created_at: string;
    /** Null if it doesn't expire. */
    expires_at: string | null;
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    revoked_at: string | null;
    /** To the minute. */
    last_used_at: string | null;
  }

  /** A call that changed something, or was refused. */
  export interface AuditEntry {
    /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
    at: string;
    actor: string;
    role: string;
    operation: string;
    /** Folder. Empty for none. */
    workspace: string;
    /** Code of the failure. Null for a success. */
    code: string | null;
  }

  export interface CallLog {
    /** Calls of other programs that changed something or were refused, newest first. */
    calls: AuditEntry[];
  }

  export interface CreateTokenParams {
    /** Who gets it. Recorded as the author of what it writes, and never used again. */
    name: string;
    role: RemoteRole;
    /** Whether its caller gets public summaries only, never instructions. */
    external?: boolean;
    /** Days until it expires. [default: never] */
    days?: number | null;
  }

  export interface CreatedToken {
    token: AccessToken;
    /** The token's text. It can't be shown again. */
    secret: string;
  }

  export interface ListCallsParams {
    /** Maximum number of entries, of those that succeeded and of the others, at most 1,000. [default: 100] */
    limit?: number | null;
  }

  /** Roles of remote callers. Except for administrators, they are about skills only. */
  export type RemoteRole = 'system_admin' | 'tenant_admin' | 'editor' | 'member' | 'viewer' | 'guest';

  export interface TokenList {
    /** By name, also those that expired or were revoked. */
    tokens: AccessToken[];
  }

  export interface TokenRef {
    /** ID or name. */
    token: string;
  }
}

export namespace Tool {
  /** Creates a skill. Its description decides when it is used: say what it does and when to use it. */
  export interface CreateSkillCall {
    /** Unique slug in lowercase with hyphens, such as quarterly-reports. */
    name: string;
    /** Title for people. */
    title: string;
    /** What it does and when to use it, in one or two sentences. */
    description: string;
    /** Instructions in Markdown, without frontmatter. */
    content: string;
    tags?: string[];
    /** [default: the workspace if one is open, else the account] */
    scope?: Scope | null;
  }

  /** Deletes a skill. It can be restored. */
  export interface DeleteSkillCall {
    /** Slug of the skill. */
    name: string;
    /** [default: workspace, then account] */
    scope?: Scope | null;
  }

  export interface DeletedSkill {
    deleted: boolean;
    change: Chat.ToolChange;
  }

  /** Disables a skill, so that agents don't find it. */
  export interface DisableSkillCall {
    /** Slug of the skill. */
    name: string;
    /** [default: workspace, then account] */
    scope?: Scope | null;
  }

  /**
   * Changes the standing notes, which are part of every system prompt: short facts and preferences of the user. Instructions for a task
   * belong in a skill.
   */
  export interface EditNotesCall {
    operation: EditOperation;
    /** For replace: the new notes. For append and prepend: the text to add. For delete: the text to remove. */
    content?: string | null;
    /** For find_replace: the exact text to find. It must be there once, unless replace_all is set. */
    find?: string | null;
    /** For find_replace: the new text. */
    replace?: string | null;
    /** For find_replace and delete: change all occurrences. */
    replace_all?: boolean;
    /** Notes about the workspace, or about the user in general. [default: account] */
    scope?: Scope | null;
  }

  export type EditOperation = 'replace' | 'find_replace' | 'append' | 'prepend' | 'delete';

  export interface EditedNotes {
    scope: Scope;
    text: string;
  }

  /** Enables a skill, so that agents find it. */
  export interface EnableSkillCall {
    /** Slug of the skill. */
    name: string;
    /** [default: workspace, then account] */
    scope?: Scope | null;
  }

  export interface EnabledSkill {
    name: string;
    enabled: boolean;
  }

  /**
   * Runs a Python file of a skill as a program, in a sandbox without network and packages: it has Python's standard library, the skill's
   * modules, and its files with inklings.files.read(path). Other languages can't run.
   */
  export interface ExecuteScriptCall {
    /** Slug of the skill. */
    skill: string;
    /** Path of the file, such as scripts/report.py. */
    path: string;
    /** Command-line arguments. */
    args?: string[];
    /** Standard input. */
    stdin?: string;
    /** Time limit in seconds. [default: 600] */
    timeout_s?: number | null;
    /** [default: workspace, then account] */
    scope?: Scope | null;
  }

  export interface ExecuteScriptResult {
    /** Null if it was stopped or aborted. */
    exit_code: number | null;
    stdout: string;
    stderr: string;
    /** Whether a part of the output is missing. */
    truncated: boolean;
    /** The ID of an artifact's execution. */
    trace_id: string | null;
    /** The ID of a run: all executions of one request. */
    run: string;
    /** Why it failed. Set for every exit code but 0. */
    error: string | null;
    warning: string | null;
  }

  /** Reads a page of the workspace. */
  export interface GetPageCall {
    /** Slug, title or alias. */
    slug: string;
  }

  /** A skill in a list. */
  export interface InspectedSkill {
    name: string;
    title: string;
    description: string;
    scope: Scope;
    origin: Origin;
    lifecycle: Lifecycle;
    /** 1 to 4. */
    trust_tier: number;
    /** From 0 to 1: by lifecycle, success and utility. */
    quality: number;
    /** Number of the revision. */
    version: number;
    enabled: boolean;
    /** Why it shouldn't be used. */
    warning: string | null;
    /** Only of a skill that was asked for by name. */
    content?: string | null;
    /** Only of a skill that was asked for by name. */
    steps?: Catalog.SkillStep[] | null;
  }

  /** Lists the skills. */
  export interface ListSkillsCall {
    /** List those with this tag only. */
    tag?: string | null;
    include_disabled?: boolean;
    /** [default: workspace, then account] */
    scope?: Scope | null;
  }

  export interface ListedFile {
    path: string;
    kind: ArtifactKind | null;
    bytes: number;
  }

  export interface ListedSkill {
    name: string;
    title: string;
    description: string;
    tags: string[];
    source: Source;
    /** Number of the revision. */
    version: number;
    enabled: boolean;
    /** Why it shouldn't be used. */
    warning: string | null;
  }

  export interface ListedSkills {
    skills: ListedSkill[];
  }

  /** Loads the instructions of a skill, to follow them. */
  export interface LoadInstructionsCall {
    /** Slug of the skill. */
    slug: string;
    /** [default: workspace, then account] */
    scope?: Scope | null;
  }

  /** Loads a skill to follow it: its instructions and steps, and how far it can be trusted. */
  export interface LoadSkillCall {
    /** Slug of the skill. */
    name: string;
    /** [default: workspace, then account] */
    scope?: Scope | null;
  }

  export interface LoadedInstructions {
    /** Title. */
    name: string;
    instructions: string;
    /** Why it shouldn't be used. */
    warning: string | null;
  }

  export interface LoadedSkill {
    name: string;
    title: string;
    description: string;
    content: string;
    steps: Catalog.SkillStep[];
    lifecycle: Lifecycle;
    /** 1 to 4. */
    trust_tier: number;
    /** From 0 to 1: by lifecycle, success and utility. */
    quality: number;
    /** Number of the revision. */
    version: number;
    /** Why it shouldn't be used. */
    warning: string | null;
  }

  /**
   * Proposes a skill with its files, or changes of several files of a skill. Nothing changes until the user accepts it, so no permission is
   * needed; the files are checked, and problems come back to be corrected.
   *
   * Files of a skill: SKILL.md (required): frontmatter with name (the slug) and description (what it does and when to use it), then
   * instructions. prompts/NAME.j2: a prompt template in MiniJinja; its variables are inputs. scripts/NAME.py: Python for a sandbox
   * without packages, network or files, with `import inklings`: the dict params has the inputs, inklings.search(query) and
   * inklings.get_page(slug) read the workspace, and inklings.submit(value) ends it with the result. dspy/NAME.json: a DSPy module,
   * {"template_id": "predict" or "chain_of_thought", "signature": "a: str, b: list[str] -> answer: str", "instructions": "..."}; it needs a
   * prompt as its fallback. examples/NAME.json: {"input": {...}, "output": ...}. approach/NAME.md: strategy for the system prompt. Files at
   * these paths are declared in skill.json by themselves.
   */
  export interface ProposeSkillCall {
    /** Slug of the skill to change, or of a new one. */
    name: string;
    /** What is proposed, in a short sentence. */
    summary: string;
    /** The new and the changed files, each with its whole text. Files that aren't listed stay as they are. */
    files: ProposedText[];
    /** ID of your earlier proposal, to revise it. Its other files stay proposed. */
    proposal?: string | null;
    /** [default: the skill's, or for a new one the workspace if one is open] */
    scope?: Scope | null;
  }

  export interface ProposedSkill {
    proposal: string;
    /** Paths of all proposed files. */
    files: string[];
    /** What the validator says about them. */
    problems: string[];
    /** Whether the model should correct them. */
    repair: boolean;
    /** What to do now. */
    next: string;
  }

  export interface ProposedText {
    /** Path in the skill's folder. */
    path: string;
    /** The whole text. Null deletes the file. */
    content?: string | null;
    /** For a DSPy module: path or name of the prompt that runs if DSPy is unavailable. */
    fallback?: string | null;
  }

  /** Reads the instructions of a skill. */
  export interface ReadSkillCall {
    /** Slug of the skill. */
    name: string;
    /** [default: workspace, then account] */
    scope?: Scope | null;
  }

  export interface ReadSkillResult {
    name: string;
    title: string;
    description: string;
    content: string;
    tags: string[];
    source: Source;
    /** Number of the revision. */
    version: number;
    /** Paths of its other files. */
    files: string[];
    /** Why it shouldn't be used. */
    warning: string | null;
  }

  /** Runs a skill, or one of its artifacts: renders and sends its prompts, runs its scripts and DSPy programs. */
  export interface RunSkillCall {
    /** Slug of the skill. */
    name: string;
    /** Path or name of one artifact. [default: the skill's plan] */
    artifact?: string | null;
    /** Values of its variables. */
    params?: {
      [k: string]: unknown;
    };
    /** [default: workspace, then account] */
    scope?: Scope | null;
    /** [default: the default model] */
    model?: ModelRef | null;
  }

  export interface RunSkillResult {
    /** The ID of a run: all executions of one request. */
    run: string;
    status: TraceStatus;
    text: string | null;
    /** The output as a value, if it is structured. */
    value: unknown;
    error: string | null;
    warning: string | null;
  }

  /** Searches the workspace's pages. */
  export interface SearchWorkspaceCall {
    /** Search terms, without syntax. */
    query: string;
    /** Maximum number of results, at most 50. [default: 10] */
    limit?: number | null;
  }

  /** Lists skills with their lifecycle and quality, or inspects one of them. */
  export interface SkillReadCall {
    /** Slug of a skill to inspect, with its instructions. [default: list skills] */
    name?: string | null;
    /** List those of people or of models only. */
    origin?: Origin | null;
    /** List those in this state only. */
    lifecycle?: Lifecycle | null;
    /** Maximum number of skills, at most 500. [default: 50] */
    limit?: number | null;
    /** [default: workspace, then account] */
    scope?: Scope | null;
  }

  export interface SkillReadResult {
    skills: InspectedSkill[];
    /** Number of matching skills. */
    total: number;
  }

  /**
   * Changes a skill: creates, updates or deletes it, merges another one into it, promotes or deprecates it. Also lists the skills that need
   * it (dependents) and those that it needs (dependencies).
   */
  export interface SkillWriteCall {
    operation: SkillWriteOperation;
    /** Slug of the skill. */
    name: string;
    /** For merge: slug of the skill to keep. [default: name] */
    target?: string | null;
    /** For merge: slug of the skill whose content is added to the target. It is archived. */
    source?: string | null;
    /** For deprecate: why, and what to use instead. */
    reason?: string | null;
    /** For create and update: what the skill does and when to use it. */
    description?: string | null;
    /** For create and update: instructions in Markdown, without frontmatter, replacing all. */
    content?: string | null;
    /** For create and update: the steps of the procedure, replacing all. */
    steps?: StepCall[] | null;
    /** For create and update: tags, replacing all. */
    tags?: string[] | null;
    /** For create and update: slugs of the skills that it needs, replacing all. */
    depends_on?: string[] | null;
    /** For create and update: slugs of the skills that must not be used together with it, replacing all. */
    conflicts_with?: string[] | null;
    /** [default: workspace, then account; for create, the workspace if one is open] */
    scope?: Scope | null;
  }

  export type SkillWriteOperation =
    'create' | 'update' | 'delete' | 'merge' | 'promote' | 'deprecate' | 'dependents' | 'dependencies';

  export type SkillWriteResult =
    | WrittenState
    | {
        /** Nearest first. */
        skills: RelatedSkill[];
        /** Slugs of skills that need each other in a circle. */
        cycle: string[] | null;
      };

  /** One step of the procedure. */
  export interface StepCall {
    /** Position, from 1. [default: the order of the list] */
    step?: number | null;
    /** Short name of the action. */
    action: string;
    description?: string;
    /** Tool to use. */
    tool?: string | null;
    /** The tool's parameters. */
    params?: {
      [k: string]: unknown;
    } | null;
  }

  /** Changes the instructions or the metadata of a skill. Prefer the smallest edit: find_replace, append, prepend or delete. */
  export interface UpdateSkillCall {
    /** Slug of the skill. */
    name?: string;
    /** New title. */
    title?: string | null;
    /** New description. */
    description?: string | null;
    /** New tags, replacing all. */
    tags?: string[] | null;
    /** Edit of the instructions. Omit it to change metadata only. */
    operation?: EditOperation | null;
    /** For replace: the new instructions. For append and prepend: the text to add. For delete: the text to remove. */
    content?: string | null;
    /** For find_replace: the exact text to find. It must be there once, unless replace_all is set. */
    find?: string | null;
    /** For find_replace: the new text. */
    replace?: string | null;
    /** For find_replace and delete: change all occurrences. */
    replace_all?: boolean;
    /** [default: workspace, then account] */
    scope?: Scope | null;
  }

  /** Lists the files of a skill, or reads one of them. */
  export interface ViewArtifactCall {
    /** Slug of the skill, or ID of an open proposal of this chat. */
    skill: string;
    /** Path of a file. [default: list the files] */
    path?: string | null;
    /** Number of characters to skip. */
    offset?: number;
    /** Maximum number of characters, at most 16,000. [default: 16000] */
    limit?: number | null;
    /** [default: workspace, then account] */
    scope?: Scope | null;
  }

  export type ViewArtifactResult =
    | {
        tree: ListedFile[];
        /** Why the skill shouldn't be used. */
        warning: string | null;
      }
    | ViewedFile;

  export interface ViewedFile {
    path: string;
    /** Null for a file that is no artifact. */
    kind: ArtifactKind | null;
    /** Null for binary files. */
    content: string | null;
    truncated: boolean;
    total_bytes: number;
    /** Why the skill shouldn't be used. */
    warning: string | null;
  }

  export interface WrittenSkill {
    name: string;
    /** Number of the revision. */
    version: number;
    change: Chat.ToolChange;
    /** What is wrong with the skill now. */
    problems: string[];
  }

  export interface WrittenState {
    ok: boolean;
    name: string;
    /** Number of the revision. */
    version: number;
    /** Of a deleted skill, the one that it had. */
    lifecycle: Lifecycle;
    /** Null if no file was changed. */
    change: Chat.ToolChange | null;
    /** What is wrong with the skill now. */
    problems: string[];
    /** What wasn't done. */
    warning: string | null;
  }
}

export namespace Trace {
  export interface Stats {
    /** One per group: days in order, others by number of steps. */
    rows: StatsRow[];
  }

  /** What statistics are grouped by. */
  export type StatsBy = 'skill' | 'day' | 'artifact' | 'model';

  export interface StatsParams {
    /** What to group by. */
    by: StatsBy;
    filter?: TraceFilter;
    /** Use the account's traces instead of the open workspace's. */
    account?: boolean;
  }

  /** Statistics of a group of traces. */
  export interface StatsRow {
    /** The day, artifact, model or skill. */
    key: string;
    runs: number;
    /** Number of executions. */
    traces: number;
    /** Number of failed executions. */
    errors: number;
    /** Null if unknown. */
    input_tokens: number | null;
    /** Null if unknown. */
    output_tokens: number | null;
    /** Estimated cost in USD. Null if unknown. */
    estimated_cost: number | null;
    /** Number of executions without a known price, which the cost doesn't include. */
    unpriced: number;
    /** Mean duration: of runs if grouped by day or skill, of executions if grouped by artifact or model. */
    mean_ms: number | null;
    assertions_run: number;
    assertions_passed: number;
  }

  export interface TraceExport {
    /** Number of lines. */
    lines: number;
    out: string | null;
    /** The text, if no file was requested. */
    text: string | null;
  }

  export interface TraceExportParams {
    format: TraceFormat;
    filter?: TraceFilter;
    /** Use the account's traces instead of the open workspace's. */
    account?: boolean;
    /** Absolute path of the file to write. [default: return the text] */
    out?: string | null;
    /** Overwrite an existing file. */
    replace?: boolean;
  }

  export type TraceFormat = 'jsonl' | 'dspy';

  export interface TraceList {
    /** Newest first. */
    traces: Trace[];
    /** Null on the last page. */
    next: number | null;
  }

  export interface TraceListParams {
    filter?: TraceFilter;
    /** Use the account's traces instead of the open workspace's. */
    account?: boolean;
    /** `next` of the previous page. [default: the first page] */
    before?: number | null;
    /** Maximum number of traces, at most 1,000. [default: 100] */
    limit?: number | null;
  }

  export interface TraceRef {
    /** The ID of an artifact's execution. */
    trace: string;
  }
}

export namespace Workspace {
  export interface ForgetParams {
    /** Folder of a workspace that was opened before. */
    path: string;
  }

  export interface GitExcludeParams {
    /** Whether to add our files to `.git/info/exclude`. */
    accept: boolean;
  }

  export interface OpenParams {
    /** Path of the folder. `~` is the home folder. */
    path: string;
  }

  /** A workspace that was opened before. */
  export interface RecentEntry {
    path: string;
    /** The folder's name. */
    name: string;
    /** When it was opened last. */
    opened_at: string;
    /** Whether the folder still exists. */
    exists: boolean;
    trusted: boolean;
  }

  export interface RecentList {
    /** Last opened first. */
    workspaces: RecentEntry[];
  }

  export interface TrustParams {
    /** Whether skills of the workspace may run and call models. */
    trusted: boolean;
    /** Folder of a workspace that was opened before. [default: the open one] */
    path?: string | null;
  }
}

/** Every operation with its parameters and its result. */
export interface Operations {
  'action/delete': { params: Action.ActionRef; output: Done };
  'action/list': { params: NoParams; output: Action.ActionList };
  'action/run': { params: Action.RunActionParams; output: Action.ActionOutcome };
  'action/save': { params: Action.SaveActionParams; output: Action.ActionEntry };
  'agent/assign': { params: Agent.AssignParams; output: Agent.Agent };
  'agent/create': { params: Agent.CreateAgentParams; output: Agent.Agent };
  'agent/delete': { params: Agent.AgentRef; output: Done };
  'agent/list': { params: NoParams; output: Agent.AgentList };
  'agent/skills': { params: Agent.AgentRef; output: Agent.AssignedSkills };
  'agent/unassign': { params: Agent.UnassignParams; output: Agent.Agent };
  'agent/update': { params: Agent.UpdateAgentParams; output: Agent.Agent };
  'app/diagnostics': { params: NoParams; output: App.Diagnostics };
  'app/status': { params: NoParams; output: App.AppStatus };
  'artifact/declare': { params: Artifact.DeclareParams; output: EditResult };
  'artifact/undeclare': { params: Artifact.UndeclareParams; output: EditResult };
  'catalog/create': { params: Catalog.CreateRecordParams; output: Catalog.SkillRecordDetail };
  'catalog/dependencies': { params: SkillRef; output: Catalog.DependencyGraph };
  'catalog/export_shared': { params: Catalog.ExportSharedParams; output: ExportReport };
  'catalog/get': { params: SkillRef; output: Catalog.SkillRecordDetail };
  'catalog/health': { params: SkillRef; output: Catalog.SkillHealth };
  'catalog/list': { params: Catalog.ListRecordsParams; output: Catalog.SkillRecords };
  'catalog/load_shared': { params: Catalog.LoadSharedParams; output: ImportReport };
  'catalog/maintain': { params: Catalog.MaintainParams; output: Catalog.Maintenance };
  'catalog/pack': { params: Catalog.PackParams; output: Catalog.PackedSkill };
  'catalog/tree': { params: SkillRef; output: Catalog.SkillTree };
  'catalog/update': { params: Catalog.UpdateRecordParams; output: Catalog.SkillRecordDetail };
  'chat/attach': { params: Chat.AttachParams; output: Chat.AttachedFiles };
  'chat/create': { params: Chat.CreateChatParams; output: Chat.ChatSession };
  'chat/delete': { params: Chat.ChatRef; output: Done };
  'chat/get': { params: Chat.ChatRef; output: Chat.ChatDetail };
  'chat/list': { params: Chat.ListChatsParams; output: Chat.ChatList };
  'chat/mark': { params: Chat.MarkParams; output: Done };
  'chat/permit': { params: Chat.PermitParams; output: Chat.ChatDetail };
  'chat/resume': { params: Chat.ChatRef; output: Chat.ChatDetail };
  'chat/retry': { params: Chat.MessageRef; output: Chat.ChatDetail };
  'chat/select': { params: Chat.MessageRef; output: Chat.ChatDetail };
  'chat/send': { params: Chat.SendParams; output: Chat.ChatDetail };
  'chat/stop': { params: Chat.ChatRef; output: Done };
  'chat/update': { params: Chat.UpdateChatParams; output: Chat.ChatSession };
  'chat/withdraw': { params: NoParams; output: Chat.WithdrawnPermissions };
  'check/all': { params: Check.CheckAllParams; output: Check.CheckedSkills };
  'check/file': { params: Check.CheckFileParams; output: Check.CheckedFile };
  'check/fixes': { params: Check.FixesParams; output: Check.Fixes };
  'check/folders': { params: Check.ValidateParams; output: Check.Validation };
  'check/skill': { params: SkillRef; output: Check.Findings };
  'client/install': { params: Client.ClientParams; output: Client.ClientReport };
  'client/list': { params: NoParams; output: Client.ClientList };
  'client/preview': { params: Client.PreviewClientParams; output: Client.ClientPreview };
  'client/uninstall': { params: Client.ClientParams; output: Client.ClientReport };
  'compare/files': { params: Compare.CompareParams; output: Compare.Comparison };
  'compare/texts': { params: Compare.CompareFileParams; output: Compare.FileTexts };
  'db/backup': { params: Db.BackupParams; output: Db.DatabaseCopy };
  'db/check': { params: Db.DatabaseRef; output: Db.DatabaseCheck };
  'db/restore': { params: Db.RestoreDatabaseParams; output: Db.RestoredDatabase };
  'draft/discard': { params: Draft.DiscardDraftParams; output: Done };
  'draft/get': { params: SkillRef; output: Draft.SkillDrafts };
  'draft/list': { params: NoParams; output: Draft.DraftList };
  'draft/save': { params: Draft.SaveDraftParams; output: Draft.SaveDraftResult };
  'eval/cases': { params: SkillRef; output: Eval.EvalCases };
  'eval/compare': { params: Eval.CompareEvalsParams; output: Eval.RunComparison };
  'eval/delete': { params: Eval.DeleteEvalsParams; output: Eval.DeletedEvals };
  'eval/edit_cases': { params: Eval.EditCasesParams; output: Eval.EditedCases };
  'eval/estimate': { params: Eval.EvalParams; output: Eval.EvalEstimate };
  'eval/export': { params: Eval.ExportEvalParams; output: Eval.ExportedReport };
  'eval/get': { params: Eval.EvalRunRef; output: Eval.Report };
  'eval/list': { params: Eval.EvalListParams; output: Eval.EvalRuns };
  'eval/loop': { params: SkillRef; output: Eval.OptimizationLoop };
  'eval/model_triggers': { params: Eval.ModelTriggersParams; output: Eval.ModelTriggerReport };
  'eval/resume': { params: Eval.ResumeEvalParams; output: Eval.Report };
  'eval/rewrite': { params: Eval.RewriteParams; output: Rewrite };
  'eval/start': { params: Eval.EvalParams; output: Eval.Report };
  'eval/triggers': { params: SkillRef; output: Eval.TriggerReport };
  'file/add': { params: Files.AddParams; output: Files.AddedFiles };
  'file/bytes': { params: Files.BytesParams; output: Files.FileBytes };
  'file/copy': { params: Files.CopyParams; output: Files.AddedFiles };
  'file/delete': { params: Files.DeleteFilesParams; output: EditResult };
  'file/find': { params: Files.FindParams; output: Files.NameMatches };
  'file/move': { params: Files.MoveParams; output: EditResult };
  'file/read': { params: FileRef; output: Files.FileContent };
  'fork/list': { params: NoParams; output: Fork.OutdatedForks };
  'fork/update': { params: Fork.UpdateForkParams; output: Fork.ForkUpdate };
  'import/fetch': { params: Import.FetchParams; output: FetchedRepository };
  'import/file': { params: Import.ImportFileParams; output: MergeVersions };
  'import/source': { params: SkillRef; output: Import.ImportSource };
  'input/delete': { params: Input.DeleteInputParams; output: Done };
  'input/list': { params: FileRef; output: Input.InputList };
  'input/save': { params: Input.SaveInputParams; output: Done };
  'kit/change': { params: Kit.ChangeKitParams; output: Kit.Kit };
  'kit/delete': { params: Kit.DeleteKitParams; output: Done };
  'kit/list': { params: NoParams; output: Kit.KitList };
  'library/apply': { params: Library.ApplyParams; output: Library.BulkReport };
  'library/card': { params: SkillRef; output: Library.LibraryCard };
  'library/keys': { params: Library.LibraryParams; output: Library.LibraryKeys };
  'library/list': { params: Library.LibraryParams; output: Library.LibraryPage };
  'library/seek': { params: Library.SeekParams; output: Library.SeekResult };
  'library/stats': { params: NoParams; output: Library.LibraryStats };
  'library/undo': { params: Library.UndoParams; output: Library.BulkReport };
  'link/add': { params: Link.LinkFolderParams; output: Link.LinkedSkill };
  'link/list': { params: Link.ListLinksParams; output: Link.LinkList };
  'link/remove': { params: SkillRef; output: Link.LinkedSkill };
  'link/sync': { params: Link.SyncLinksParams; output: Link.LinkList };
  'log/read': { params: Log.ReadParams; output: Log.LogPage };
  'log/report': { params: Log.ReportParams; output: Log.ReportResult };
  'manifest/page_skills': { params: Manifest.PageSkillsParams; output: Manifest.PageSkills };
  'manifest/readiness': { params: SkillRef; output: Manifest.SkillReadiness };
  'marketplace/compare': { params: Marketplace.CompareVersionsParams; output: Marketplace.VersionComparison };
  'marketplace/get': { params: Marketplace.MarketplaceRef; output: Marketplace.MarketplaceDetail };
  'marketplace/install': { params: Marketplace.InstallSkillParams; output: Marketplace.SkillInstallation };
  'marketplace/installed': { params: NoParams; output: Marketplace.InstalledSkills };
  'marketplace/package': { params: Marketplace.MarketplaceRef; output: Marketplace.MarketplacePackage };
  'marketplace/pin': { params: Marketplace.PinParams; output: Marketplace.InstalledMarketplaceSkill };
  'marketplace/rollback': { params: Marketplace.InstalledRef; output: Marketplace.SkillInstallation };
  'marketplace/search': { params: Marketplace.SearchMarketplaceParams; output: Marketplace.MarketplacePage };
  'marketplace/update': { params: Marketplace.UpdateSkillsParams; output: Marketplace.SkillUpdates };
  'model/discover': { params: NoParams; output: Model.LocalServers };
  'model/list': { params: NoParams; output: Model.ModelSetup };
  'model/offered': { params: Model.ProviderRef; output: Model.ModelList };
  'model/put': { params: Model.ProviderParams; output: Model.ProviderInfo };
  'model/remove': { params: Model.ProviderRef; output: Done };
  'model/set_default': { params: Model.DefaultParams; output: Done };
  'model/set_key': { params: Model.KeyParams; output: Model.KeyReport };
  'model/test': { params: Model.TestParams; output: Model.TestReport };
  'note/get': { params: NoParams; output: Note.UserNotes };
  'note/set': { params: Note.SetNotesParams; output: Note.UserNotes };
  'optimize/examples': { params: Optimize.ExamplesParams; output: Optimize.ExampleSummary };
  'optimize/outdated': { params: NoParams; output: Optimize.OutdatedList };
  'optimize/repeat': { params: Optimize.ReoptimizeParams; output: Optimize.OptimizeOutcome };
  'optimize/start': { params: Optimize.OptimizeParams; output: Optimize.OptimizeOutcome };
  'page/facets': { params: NoParams; output: Page.PageFacets };
  'page/get': { params: Page.PageRef; output: Page.PageDetail };
  'page/history': { params: Page.PageHistoryParams; output: Page.PageHistory };
  'page/link_problems': { params: NoParams; output: Page.LinkProblems };
  'page/list': { params: Page.PageListParams; output: Page.PageList };
  'page/refresh': { params: NoParams; output: Page.PageChanges };
  'page/search': { params: Page.PageSearchParams; output: Page.PageHits };
  'page/status': { params: NoParams; output: Page.PagesStatus };
  'path/complete': { params: Path.CompleteParams; output: Path.Completions };
  'path/status': { params: Path.PathStatusParams; output: Path.PathStatusList };
  'program/manifest': { params: NoParams; output: Program.ProgramManifest };
  'program/retry': { params: NoParams; output: Program.ProgramStatus };
  'program/status': { params: NoParams; output: Program.ProgramStatus };
  'prompt/index': { params: Prompt.IndexParams; output: Prompt.SkillIndex };
  'prompt/render': { params: Prompt.RenderParams; output: Prompt.RenderedPrompt };
  'proposal/accept': { params: Proposal.AcceptParams; output: AcceptedProposal };
  'proposal/edit': { params: Proposal.EditProposalParams; output: Proposal.ProposalReview };
  'proposal/get': { params: Proposal.ProposalRef; output: Proposal };
  'proposal/list': { params: Proposal.ProposalListParams; output: Proposal.ProposalList };
  'proposal/rebase': { params: Proposal.ProposalRef; output: Proposal.ProposalReview };
  'proposal/reject': { params: Proposal.DecideParams; output: Proposal };
  'proposal/review': { params: Proposal.ProposalRef; output: Proposal.ProposalReview };
  'proposal/wrap': { params: Proposal.WrapPromptParams; output: Proposal.ProposalReview };
  'publish/create': { params: Publish.CreateRegistryParams; output: Publish.CreatedRegistry };
  'publish/plan': { params: Publish.PlanReleaseParams; output: Publish.ReleasePlan };
  'publish/refresh': { params: Publish.RefreshParams; output: Publish.PublishedState };
  'publish/release': { params: Publish.ReleaseParams; output: Publish.ReleaseReport };
  'publish/revoke': { params: Publish.RevokeParams; output: Publish.PublishedState };
  'publish/rotate': { params: Publish.RotateKeysParams; output: Publish.PublishedState };
  'publish/status': { params: Publish.PublishFolder; output: Publish.PublishStatus };
  'publish/verify': { params: Publish.PublishFolder; output: Publish.VerifiedRegistry };
  'publish/yank': { params: Publish.YankParams; output: Publish.PublishedState };
  'reference/attach': { params: Reference.AttachParams2; output: Reference.SkillReference };
  'reference/list': { params: SkillRef; output: Reference.SkillReferences };
  'reference/read': { params: Reference.ReferenceParams; output: Reference.FileText };
  'reference/remove': { params: Reference.ReferenceParams; output: Reference.Binding };
  'reference/search': { params: Reference.ReferenceSearchParams; output: Reference.ReferenceOffers };
  'registry/add': { params: Registry.AddRegistryParams; output: Registry.RegistryInfo };
  'registry/change': { params: Registry.ChangeRegistryParams; output: Registry.RegistryInfo };
  'registry/inspect': { params: Registry.InspectRegistryParams; output: Registry.RegistryIdentity };
  'registry/list': { params: NoParams; output: Registry.RegistryListOutput };
  'registry/remove': { params: Registry.RegistryRef; output: Done };
  'registry/sync': { params: Registry.SyncRegistriesParams; output: Registry.SyncOutcome };
  'resource/external': { params: Resource.ListResourcesParams; output: Resource.ExternalSkills };
  'resource/get': { params: Resource.ResourceRef; output: Resource.ExposedSkill };
  'resource/list': { params: Resource.ListResourcesParams; output: Resource.ExposedSkills };
  'resource/read': { params: Resource.ReadResourceParams; output: Resource.ExposedContent };
  'run/cancel': { params: Run.RunRef; output: Done };
  'run/decide': { params: Run.DecideGateParams; output: Run.RunDetail };
  'run/delete': { params: Run.RunDeleteParams; output: Run.DeletedRuns };
  'run/get': { params: Run.RunRef; output: Run.RunDetail };
  'run/list': { params: Run.RunListParams; output: Run.RunList };
  'run/plan': { params: Run.RunParams; output: Run.RunPlan };
  'run/replay': { params: Run.ReplayParams; output: RunOutcome };
  'run/script': { params: Run.ScriptParams; output: Run.ScriptRunOutcome };
  'run/start': { params: Run.RunParams; output: RunOutcome };
  'script/functions': { params: NoParams; output: Script.ScriptModule };
  'search/skills': { params: Search.SearchSkillsParams; output: Search.SkillSearchResult };
  'search/status': { params: NoParams; output: Search.SearchStatus };
  'server/start': { params: Server.StartServerParams; output: Server.ServerStatus };
  'server/status': { params: NoParams; output: Server.ServerStatus };
  'server/stop': { params: NoParams; output: Server.ServerStatus };
  'settings/get': { params: NoParams; output: Settings.Settings };
  'settings/set': { params: Settings.SetParams; output: Done };
  'skill/archive': { params: Skill.ArchiveParams; output: Skill.SkillSummary };
  'skill/create': { params: Skill.CreateParams; output: SkillDetail };
  'skill/delete': { params: Skill.DeleteParams; output: Skill.Deletion };
  'skill/deleted': { params: NoParams; output: Skill.DeletedList };
  'skill/deleted_file': { params: Skill.DeletedFileParams; output: RevisionFile };
  'skill/deleted_files': { params: Skill.RestoreParams; output: Skill.DeletedContent };
  'skill/dependencies': { params: SkillRef; output: Skill.RelatedSkills };
  'skill/dependents': { params: SkillRef; output: Skill.RelatedSkills };
  'skill/deprecate': { params: Skill.DeprecateParams; output: Skill.SkillSummary };
  'skill/describe': { params: Skill.DescribeParams; output: EditResult };
  'skill/duplicate': { params: SkillRef; output: SkillDetail };
  'skill/edit': { params: Skill.EditParams; output: EditResult };
  'skill/enable': { params: Skill.EnableParams; output: Skill.SkillSummary };
  'skill/export': { params: Skill.ExportParams; output: ExportReport };
  'skill/fork': { params: SkillRef; output: SkillDetail };
  'skill/get': { params: SkillRef; output: SkillDetail };
  'skill/history': { params: Skill.HistoryParams; output: Skill.History };
  'skill/import': { params: Skill.ImportParams; output: ImportReport };
  'skill/list': { params: Skill.ListParams; output: Skill.SkillList };
  'skill/locations': { params: SkillRef; output: Skill.SkillLocations };
  'skill/merge': { params: Skill.MergeParams; output: Skill.MergedSkill };
  'skill/merge_preview': { params: Skill.MergeParams; output: Skill.MergePreview };
  'skill/move': { params: Skill.MoveSkillParams; output: Skill.MovedSkill };
  'skill/promote': { params: Skill.PromoteParams; output: Skill.SkillSummary };
  'skill/reinstate': { params: SkillRef; output: Skill.SkillSummary };
  'skill/restore': { params: Skill.RestoreParams; output: SkillDetail };
  'skill/restore_files': { params: Skill.RestoreFilesParams; output: EditResult };
  'skill/revert': { params: Skill.RevertParams; output: EditResult };
  'skill/revision': { params: Skill.RevisionParams; output: RevisionFile };
  'skill/rollback': { params: Skill.RollbackParams; output: EditResult };
  'skill/tokens': { params: Skill.TokenParams; output: Skill.TokenCost };
  'skill/tree': { params: Skill.TreeParams; output: Skill.TreePage };
  'symbol/at': { params: Symbols.AtParams; output: Symbols.SymbolAtPosition };
  'symbol/language': { params: NoParams; output: Symbols.LanguageData };
  'symbol/names': { params: Symbols.NamesParams; output: Symbols.Names };
  'symbol/rename': { params: Symbols.RenameParams; output: Symbols.RenameResult };
  'symbol/rename_preview': { params: Symbols.RenameParams; output: Symbols.RenamePreview };
  'symbol/uses': { params: Symbols.UsesParams; output: Symbols.Uses };
  'target/deploy': { params: Target.DeployParams; output: Target.DeployReport };
  'target/file': { params: Target.CopyFileParams; output: MergeVersions };
  'target/list': { params: NoParams; output: Target.TargetList };
  'target/pull': { params: Target.PullParams; output: Target.PullReport };
  'target/remove': { params: Target.RemoveCopiesParams; output: Target.DeployReport };
  'target/status': { params: NoParams; output: Target.TargetStatus };
  'text/replace': { params: Texts.ReplaceParams; output: Texts.ReplaceReport };
  'text/search': { params: Texts.SearchParams; output: Texts.SearchResult };
  'token/calls': { params: Token.ListCallsParams; output: Token.CallLog };
  'token/create': { params: Token.CreateTokenParams; output: Token.CreatedToken };
  'token/list': { params: NoParams; output: Token.TokenList };
  'token/revoke': { params: Token.TokenRef; output: Token.AccessToken };
  'tool/create_skill': { params: Tool.CreateSkillCall; output: Tool.WrittenSkill };
  'tool/delete_skill': { params: Tool.DeleteSkillCall; output: Tool.DeletedSkill };
  'tool/disable_skill': { params: Tool.DisableSkillCall; output: Tool.EnabledSkill };
  'tool/edit_system_prompt': { params: Tool.EditNotesCall; output: Tool.EditedNotes };
  'tool/enable_skill': { params: Tool.EnableSkillCall; output: Tool.EnabledSkill };
  'tool/execute_plugin_script': { params: Tool.ExecuteScriptCall; output: Tool.ExecuteScriptResult };
  'tool/get_page': { params: Tool.GetPageCall; output: Page.Page };
  'tool/list_skills': { params: Tool.ListSkillsCall; output: Tool.ListedSkills };
  'tool/load_instructions': { params: Tool.LoadInstructionsCall; output: Tool.LoadedInstructions };
  'tool/load_skill': { params: Tool.LoadSkillCall; output: Tool.LoadedSkill };
  'tool/propose_skill': { params: Tool.ProposeSkillCall; output: Tool.ProposedSkill };
  'tool/read_skill': { params: Tool.ReadSkillCall; output: Tool.ReadSkillResult };
  'tool/run_skill': { params: Tool.RunSkillCall; output: Tool.RunSkillResult };
  'tool/skill_read': { params: Tool.SkillReadCall; output: Tool.SkillReadResult };
  'tool/skill_write': { params: Tool.SkillWriteCall; output: Tool.SkillWriteResult };
  'tool/update_skill': { params: Tool.UpdateSkillCall; output: Tool.WrittenSkill };
  'tool/view_skill_artifact': { params: Tool.ViewArtifactCall; output: Tool.ViewArtifactResult };
  'tool/workspace_search': { params: Tool.SearchWorkspaceCall; output: Page.PageHits };
  'trace/export': { params: Trace.TraceExportParams; output: Trace.TraceExport };
  'trace/get': { params: Trace.TraceRef; output: Trace };
  'trace/list': { params: Trace.TraceListParams; output: Trace.TraceList };
  'trace/stats': { params: Trace.StatsParams; output: Trace.Stats };
  'workspace/forget': { params: Workspace.ForgetParams; output: Done };
  'workspace/git_exclude': { params: Workspace.GitExcludeParams; output: Done };
  'workspace/open': { params: Workspace.OpenParams; output: WorkspaceStatus };
  'workspace/open_sample': { params: NoParams; output: WorkspaceStatus };
  'workspace/recent': { params: NoParams; output: Workspace.RecentList };
  'workspace/trust': { params: Workspace.TrustParams; output: Done };
}

export type OperationName = keyof Operations;
export type ParamsOf<N extends OperationName> = Operations[N]['params'];
export type OutputOf<N extends OperationName> = Operations[N]['output'];
