// The wire contract with the core: data types, and one entry per operation.

export type Scope = 'account' | 'workspace';
export type Kind = 'description' | 'prompt_template' | 'code_template' | 'dspy_module' | 'approach' | 'example';
export type Severity = 'error' | 'warning' | 'info' | 'hint';
export type Source = 'system' | 'community' | 'imported' | 'user';
export type Origin = 'human' | 'llm';
export type FileRole = 'main' | 'manifest' | 'artifact' | 'state' | 'file';

export interface Failure {
  code: string;
  message: string;
  hint: string | null;
  fields: Record<string, unknown> | null;
  requestId: string;
}

/** Lines and columns start at 1; columns count Unicode characters, not UTF-16 units. */
export interface Diagnostic {
  rule: string;
  severity: Severity;
  message: string;
  hint: string | null;
  file: string | null;
  line: number | null;
  column: number | null;
  end_line: number | null;
  end_column: number | null;
  pointer: string | null;
}

export interface SkillSummary {
  id: string;
  scope: Scope;
  slug: string;
  name: string;
  description: string;
  version: string;
  tags: string[];
  category: string;
  source: Source;
  origin: Origin;
  lifecycle: string;
  trust_tier: number;
  enabled: boolean;
  user_invocable: boolean;
  revision: number;
  author: string | null;
  created_at: string;
  updated_at: string;
  locked: boolean;
  /** A workspace skill that hides an account skill of the same slug. */
  shadows: boolean;
  /** An account skill that the workspace's one hides. */
  shadowed: boolean;
  /** The slug of another skill with the same title. */
  collides_with: string | null;
  kinds: Kind[];
  files: number;
  bytes: number;
}

export interface ArtifactInfo {
  id: string;
  kind: Kind;
  name: string;
  ordinal: number;
  variant: string | null;
  metadata: unknown;
}

export interface FileEntry {
  path: string;
  size: number;
  sha256: string;
  executable: boolean;
  text: boolean;
  role: FileRole;
  artifact: ArtifactInfo | null;
  draft: boolean;
}

export interface SkillDetail extends SkillSummary {
  entries: FileEntry[];
  when_not_to_use: string | null;
  triggers: string[];
  intent_patterns: string[];
  depends_on: string[];
  conflicts_with: string[];
  parent_skill_id: string | null;
  resolved: string;
  diagnostics: Diagnostic[];
}

export interface Draft {
  skill_id: string;
  scope: Scope;
  path: string;
  base_revision: number;
  base_sha256: string | null;
  text: string;
  updated_at: string;
}

export interface FileContent {
  entry: FileEntry;
  revision: number;
  /** Null for a binary file. */
  text: string | null;
  draft: Draft | null;
}

export type Change =
  | { op: 'write'; path: string; text: string }
  | { op: 'delete'; path: string }
  | { op: 'move'; from: string; to: string }
  | { op: 'executable'; path: string; on: boolean };

export interface Banner {
  severity: Severity;
  message: string;
  hint: string | null;
  action: string | null;
}

export interface WorkspaceStatus {
  path: string;
  name: string;
  writable: boolean;
  has_store: boolean;
  skills: number;
  pages: number;
  git_exclude_offer: boolean;
  banners: Banner[];
}

export interface AppStatus {
  version: string;
  home: string;
  last_workspace: string | null;
  workspace: WorkspaceStatus | null;
  banners: Banner[];
  skills: number;
  sample_workspace: string;
}

export interface RecentWorkspace {
  path: string;
  name: string;
  opened_at: string;
  exists: boolean;
}

export interface FolderEntry {
  path: string;
  name: string;
  skills: boolean;
}

export interface PathCompletion {
  entries: FolderEntry[];
  directory: boolean;
}

export interface EditResult {
  skill: SkillDetail;
  revision: number;
  rebased: boolean;
  diagnostics: Diagnostic[];
}

export interface ChangedPath {
  path: string;
  change: 'added' | 'modified' | 'removed';
}

export interface Revision {
  number: number;
  created_at: string;
  actor: string;
  why: string | null;
  changed: ChangedPath[];
}

export interface RevisionFile {
  text: string | null;
  sha256: string | null;
}

export interface TokenCost {
  per_turn: number;
  on_load: number;
  on_demand: number;
  files: Record<string, number>;
  encoding: string;
}

export type ImportStatus = 'new' | 'update' | 'unchanged' | 'locked' | 'refused';

export interface ImportItem {
  path: string;
  slug: string | null;
  name: string | null;
  status: ImportStatus;
  revision: number | null;
  diagnostics: Diagnostic[];
}

export interface ExportItem {
  slug: string;
  path: string;
  files: number;
}

export interface Variable {
  name: string;
  shape: 'text' | 'list' | 'object';
  /** The attributes used on the variable, or on its items when it is a list. */
  fields: string[];
  description: string | null;
  default: unknown;
}

export interface RenderedVariant {
  variant: string | null;
  path: string;
  selected: boolean;
  text: string | null;
  tokens: number | null;
  missing: string[];
  error: Diagnostic | null;
}

export interface Rendered {
  variables: Variable[];
  variants: RenderedVariant[];
}

export type Params = Record<string, unknown>;

export interface SavedInput {
  /** Empty for the values used last, which are kept automatically. */
  name: string;
  params: Params;
  updated_at: string;
}

export type ChangeKind = 'skill' | 'setting' | 'draft' | 'workspace' | 'input';

/** Says that something changed and where to look again; it carries no state. */
export interface ChangeEvent {
  seq: number;
  kind: ChangeKind;
  ids: string[];
  origin: string;
  scope: Scope;
}

type Empty = Record<string, never>;
interface SkillRef {
  skill: string;
  scope?: Scope;
}
interface FileRef extends SkillRef {
  path: string;
}

export interface Operations {
  'app/status': { params: Empty; output: AppStatus };
  'workspace/open': { params: { path: string }; output: WorkspaceStatus };
  'workspace/open_sample': { params: Empty; output: WorkspaceStatus };
  'workspace/close': { params: Empty; output: Empty };
  'workspace/recent': { params: Empty; output: { workspaces: RecentWorkspace[] } };
  'workspace/git_exclude': { params: { accept: boolean }; output: Empty };
  'path/complete': { params: { prefix: string }; output: PathCompletion };
  'skill/list': { params: { view?: 'merged' | 'all' }; output: { skills: SkillSummary[] } };
  'skill/get': { params: SkillRef; output: SkillDetail };
  'skill/create': {
    params: { name: string; description: string; scope?: Scope; content?: string };
    output: SkillDetail;
  };
  'skill/edit': { params: SkillRef & { expected: number; changes: Change[]; why?: string }; output: EditResult };
  'skill/delete': { params: SkillRef & { expected: number }; output: { id: string; revision: number } };
  'skill/restore': { params: { id: string; scope: Scope }; output: SkillDetail };
  'skill/fork': { params: SkillRef; output: SkillDetail };
  'skill/enable': { params: SkillRef & { enabled: boolean }; output: SkillSummary };
  'skill/history': { params: SkillRef; output: { revisions: Revision[] } };
  'skill/revision': { params: FileRef & { number: number }; output: RevisionFile };
  'skill/rollback': { params: SkillRef & { number: number; expected?: number }; output: EditResult };
  'skill/tokens': { params: SkillRef & { edits?: { path: string; text: string }[] }; output: TokenCost };
  'skill/import': {
    params: { paths: string[]; scope?: Scope; dry_run?: boolean; strict?: boolean; rename?: boolean };
    output: { items: ImportItem[] };
  };
  'skill/export': {
    params: { skills: string[]; out: string; normalise?: boolean };
    output: { items: ExportItem[]; diagnostics: Diagnostic[] };
  };
  'file/read': { params: FileRef; output: FileContent };
  'draft/save': { params: FileRef & { base_revision: number; text: string }; output: { updated_at: string } };
  'draft/list': { params: Empty; output: { drafts: Draft[] } };
  'draft/discard': { params: FileRef; output: Empty };
  'check/file': { params: FileRef & { text: string }; output: { diagnostics: Diagnostic[] } };
  'check/skill': { params: SkillRef; output: { diagnostics: Diagnostic[] } };
  'prompt/render': { params: FileRef & { text?: string; params: Params; model?: string }; output: Rendered };
  'input/list': { params: FileRef; output: { inputs: SavedInput[] } };
  'input/save': { params: FileRef & { name: string; params: Params }; output: Empty };
  'input/delete': { params: FileRef & { name: string }; output: Empty };
  'settings/get': { params: Empty; output: { values: Record<string, unknown> } };
  'settings/set': { params: { key: string; value: unknown }; output: Empty };
}

export type OperationName = keyof Operations;
export type ParamsOf<N extends OperationName> = Operations[N]['params'];
export type OutputOf<N extends OperationName> = Operations[N]['output'];
