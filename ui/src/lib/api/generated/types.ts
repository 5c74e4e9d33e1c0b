// Generated from schema.json by `cargo xtask generate`; change the operations in Rust instead.

/** What accepting a proposal made. */
export interface Accepted {
  /** The skill that has it now: a fork where the original is locked. */
  skill: string;
  revision: number;
  /** Whether a fork was made for it. */
  forked: boolean;
}

/** Files and folders of the disk that become files of a skill. */
export interface AddParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** Folder of the skill that they come into; its top without one. */
  folder?: string | null;
  /** Files and folders, absolute; all or none. */
  paths: string[];
  /** What to do where a file of that name is there already. */
  clash?: OnExisting;
}

/** A skill that got files. */
export interface AddedFiles {
  skill: SkillDetail;
  /** Its revision before. */
  before: number;
  /** The files that came, and where each is. */
  files: FileMove[];
  /** The skill that they were taken from. */
  source: SkillDetail | null;
  /** Its revision before. */
  source_before: number | null;
  /** Why they are still there although they should go. */
  left: Left | null;
  diagnostics: Diagnostic[];
}

/** Names an artifact to optimise again. */
export interface AgainParams {
  /** An id for the run; a fresh one without it. */
  run?: string | null;
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The artifact, by path or name. */
  artifact: string;
  /** The model; the default without it. */
  model?: ModelRef | null;
  /** What it may use. */
  limits?: Limits;
}

/** What the app is and how it is. */
export interface AppStatus {
  /** Version of the app. */
  version: string;
  /** The account's folder. */
  home: string;
  /** The person's home folder, which paths are shortened by. */
  user_home: string | null;
  /** Mark of this process in the change feed: changes with another origin come from elsewhere. */
  origin: string;
  /** The open workspace. */
  workspace: WorkspaceStatus | null;
  /** What to tell about the account. */
  banners: Banner[];
  /** Number of visible skills. */
  skills: number;
  /** Where the sample workspace is or would be. */
  sample_workspace: string;
}

/** A skill that was changed, or was so already. */
export interface Applied {
  /** A skill's id. It stays with the skill through renames and moves and is unique within a database. */
  id: string;
  scope: Scope;
  /** A skill's key: lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  slug: string;
  /** Its title. */
  name: string;
  /** What takes it back; null when nothing was changed here. */
  undo: TakeBack | null;
}

/** A change to many skills. */
export interface ApplyParams {
  /** The skills, at most 1,000. */
  skills: SkillRef[];
  /** What is done to each. */
  action: BulkAction;
}

export interface ArrivingFileParams {
  /** The path of the skill that arrives, as the report has it. */
  path: string;
  /** The skill that is here. */
  skill: string;
  scope: Scope;
  /** The revision that both come from, if that is known. */
  base?: number | null;
  /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
  file: string;
}

/** The artifact that a file is. */
export interface ArtifactInfo {
  /** Id. */
  id: string;
  /** Kind. */
  kind: ArtifactKind;
  /** Name. */
  name: string;
  /** Order. */
  ordinal: number;
  /** Model family that it is for; none is the default. */
  variant: string | null;
  /** Kind-specific settings. */
  metadata: {
    [k: string]: unknown;
  };
}

/** What an artifact is. */
export type ArtifactKind = 'description' | 'prompt_template' | 'code_template' | 'dspy_module' | 'approach' | 'example';

/** An artifact by name. */
export interface ArtifactName {
  name: string;
  kind: ArtifactKind;
  /** The file of its first variant. */
  path: string;
}

/** A place to ask about. */
export interface AtParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The file. */
  path: string;
  line: number;
  column: number;
  /** Unsaved texts to look at instead of the stored ones. */
  edits?: UnsavedText[];
}

/** What to attach to which skill. */
export interface AttachParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** `entity` for a page, `document` for a file or a web address. */
  target_kind: TargetKind;
  /** A page's slug, title or alias; a file's path in the workspace; an address with `https://` or `http://`. */
  target_ref: string;
  /** Before the reference that has this position; at the end without one. */
  position?: number | null;
  /** Attaches a page or file that isn't there, as when a removal is undone. */
  allow_missing?: boolean;
}

/** Where a database is copied to. */
export interface BackupParams {
  /** Scope; the account without one. */
  scope?: Scope | null;
  /** A file that doesn't exist yet, or a folder in which the copy is named by scope and time. */
  to: string;
}

/** A compact mark on a skill's card. */
export interface Badge {
  /** What it is about. */
  kind: BadgeKind;
  /** Its words, e.g. `2 tools`. */
  label: string;
  /** What it stands for, name by name. */
  names: string[];
}

/** What a badge is about; a client chooses its icon by it. */
export type BadgeKind = 'tools' | 'integrations' | 'gates' | 'goalLoop';

/** A lasting remark about the app's or a workspace's state, shown until it no longer holds. */
export interface Banner {
  /** How bad it is. */
  severity: Severity;
  /** What is the case. */
  message: string;
  /** What to do. */
  hint: string | null;
  /** Operation that does it, if one does. */
  action: string | null;
}

/** A reference as it is stored. Whether its target can be read is another matter: the workspace's file is untrusted. */
export interface Binding {
  /** Id. */
  id: string;
  /** What kind of thing it names. */
  target_kind: TargetKind;
  /** What it names. */
  target_ref: string;
  /** Place among the skill's references; lower comes first. */
  position: number;
  /** Who attached it. */
  created_by: string;
  /** When it was attached. */
  created_at: string;
}

/** A link to a page that doesn't exist. */
export interface BrokenLink {
  /** The page that has the link. */
  page: string;
  /** Its title. */
  title: string;
  /** What the link names, as written. */
  target: string;
  /** The text that is shown for the link. */
  text: string;
  /** The line of the file, from 1. */
  line: number;
}

/** What is done to each skill. */
export type BulkAction =
  | {
      do: 'enable';
      /** On or off. */
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

/** What became of each skill. */
export interface BulkReport {
  /** Done, or so already, in the order asked for. */
  done: Applied[];
  /** Left as they are. */
  failed: Refused[];
}

export interface BytesParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** Path in the skill. */
  path: string;
  /** At most this many from the beginning; all without it. */
  limit?: number | null;
}

/** One edit of a skill's folder. Renaming and removing are operations of their own: other files may name what goes. */
export type Change =
  | {
      op: 'write';
      /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
      path: string;
      text: string;
    }
  | {
      op: 'executable';
      /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
      path: string;
      on: boolean;
    };

/** One entry of the change feed: what to look at again. It carries no state. */
export interface ChangeEvent {
  /** Position in the scope's feed; 0 for pages, which have none. */
  seq: number;
  /**
   * `skill`, `draft`, `input`, `setting`, `workspace`, `proposal`, `reference` or `page`; `database` when another file took the
   * database's place.
   */
  kind: string;
  /** What changed; none if it is too much to name. */
  ids: string[];
  /** Mark of the writer; empty if it isn't known. */
  origin: string;
  /** The scope. */
  scope: Scope;
  /** Folder of the workspace whose feed it is; null for the account. */
  workspace: string | null;
}

/** The side that changed a file since the common base. */
export type ChangedBy = 'mine' | 'theirs' | 'both' | 'clash';

/** One path of a revision that differs from the revision before. */
export interface ChangedPath {
  /** The path. */
  path: string;
  /** How. */
  change: PathChange;
}

/** Which skills: a page of all, or just some. */
export interface CheckAllParams {
  /** Where the page begins, as the page before said; at the first skill without it. */
  from?: SkillListCursor | null;
  /** Skills to check; 200 unless said, at most 1,000. */
  limit?: number | null;
  /** Just these, as after a change; those that are gone are left out. */
  only?: TreeSome | null;
  /** Only findings at least this bad are listed; warnings unless said. */
  least?: Severity | null;
}

/** A text to check in its place. */
export interface CheckFileParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The file, which need not exist yet. */
  path: string;
  text: string;
}

/** What was found in a text. */
export interface CheckedFile {
  /** By place. */
  diagnostics: Diagnostic[];
  /** What can be done about them, best first for each; nothing in a locked skill. */
  fixes: OfferedFix[];
}

/** What was found in some skills. */
export interface CheckedSkills {
  /** Those with anything to list, the workspace's first, each scope by title. */
  skills: SkillFindings[];
  /** How many skills were looked at. */
  checked: number;
  /** Where the next page begins; null when this is the last. */
  next: SkillListCursor | null;
  /** How many skills there are in all. */
  total: number;
}

/** Codes of [`Failure`]. */
export type Code =
  | 'notFound'
  | 'invalid'
  | 'locked'
  | 'revisionConflict'
  | 'limit'
  | 'exists'
  | 'hasDependents'
  | 'readOnly'
  | 'newerDatabase'
  | 'corrupt'
  | 'busy'
  | 'unsavedDraft'
  | 'forbidden'
  | 'unknownOperation'
  | 'noModel'
  | 'model'
  | 'notTrusted'
  | 'assertion'
  | 'script'
  | 'program'
  | 'cancelled'
  | 'notInstalled'
  | 'io'
  | 'internal';

/** Two files to be compared. */
export interface CompareFileParams {
  /** Before. */
  left: FileVersion;
  /** After. */
  right: FileVersion;
}

/** What is compared. */
export interface CompareParams {
  /** Before. */
  left: Version;
  /** After. */
  right: Version;
}

/** What differs. */
export interface Compared {
  /** Before. */
  left: Side;
  /** After. */
  right: Side;
  /** By path. */
  files: ComparedFile[];
}

/** A file that differs. */
export interface ComparedFile {
  /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
  path: string;
  /** How. */
  change: PathChange;
  /** Whether both sides of it are text. */
  text: boolean;
  /** Whether it is executable on one side only. */
  mode: boolean;
  /** Lines that only the right side has; null without text. */
  added: number | null;
  /** Lines that only the left side has; null without text. */
  removed: number | null;
}

export interface CompleteParams {
  /** A path, perhaps unfinished; `~` stands for the home folder. */
  prefix: string;
  /** Name files that skills could be imported from, too. */
  packages?: boolean;
}

export interface Completion {
  path: string;
  name: string;
  /** Whether it holds skills or an agents.db. */
  skills: boolean;
  file: boolean;
}

export interface Completions {
  /** Folders by name, then files by name. */
  entries: Completion[];
  /** The whole path of what was typed. */
  path: string;
  /** Whether that can be taken as it is: a folder, or a file where files were asked for. */
  complete: boolean;
}

/** Files that are copied or moved into a skill. */
export interface CopyParams {
  /** The skill that has them: id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The skill that gets them; the same one without it. */
  to_skill?: string | null;
  /** Scope to look in for that one. */
  to_scope?: Scope | null;
  /** The files and their new paths, all or none. */
  files: FileMove[];
  /** Take them from the skill that had them, once they have arrived. */
  remove?: boolean;
  /** What to do where a file of that name is there already. */
  clash?: OnExisting;
}

export interface CreateParams {
  /** Title; the slug is made from it. */
  name: string;
  /** What it does and when to use it. */
  description?: string | null;
  /** Instructions in markdown. */
  content?: string | null;
  /** Where to put it; the workspace when one is open, else the account. */
  scope?: Scope | null;
}

/** What a check of every page and index found. */
export interface DatabaseCheck {
  /** The database. */
  path: string;
  /** Whether it is sound. */
  ok: boolean;
  /** What SQLite found; empty if the database is sound. */
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

/** Names a scope's database. */
export interface DatabaseRef {
  /** Scope; the account without one. */
  scope?: Scope | null;
}

/** A database that a copy took the place of. */
export interface DatabaseRestored {
  /** The database. */
  path: string;
  /** Where the one before is kept; null if there was none. */
  kept: string | null;
}

/** A decision. */
export interface DecideParams {
  /** The proposal. */
  id: string;
  /** Why. */
  reason?: string | null;
}

/** A file that becomes an artifact, or a new artifact. */
export interface DeclareParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** What it becomes. */
  kind: ArtifactKind;
  /** Its name, unique in the skill together with the variant. */
  name: string;
  /** Model family that it is for; the default without one. */
  variant?: string | null;
  /** A file of the skill; a new one at the kind's usual place without it. */
  path?: string | null;
  /** Text of a new file; a starter of its kind without it. */
  text?: string | null;
}

/** The model to use when none is asked for. */
export interface DefaultParams {
  /** `provider/model`; null for none. */
  model?: ModelRef | null;
}

export interface DeleteFilesParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /**
   * The files, all or none.
   *
   * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
   */
  paths: string[];
}

/** Names a saved input. */
export interface DeleteInputParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The artifact. */
  path: string;
  name: string;
}

export interface DeleteParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The revision that is meant to go; whatever is there without one. */
  expected?: number | null;
}

/** A deleted skill: enough to undo it. */
export interface Deleted {
  /** A skill's id. It stays with the skill through renames and moves and is unique within a database. */
  id: string;
  /** The scope it was in. */
  scope: Scope;
  /** A skill's key: lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  slug: string;
  /** The revision that the deletion is. */
  revision: number;
}

/** A deleted skill as it was. */
export interface DeletedContent {
  /** A skill's id. It stays with the skill through renames and moves and is unique within a database. */
  id: string;
  /** The scope it was in. */
  scope: Scope;
  /** A skill's key: lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  slug: string;
  name: string;
  description: string;
  /** Its files, by path. */
  entries: FileEntry[];
}

/** A deleted skill that can be brought back. */
export interface DeletedEntry {
  /** A skill's id. It stays with the skill through renames and moves and is unique within a database. */
  id: string;
  /** The scope it was in. */
  scope: Scope;
  /** A skill's key: lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  slug: string;
  name: string;
  /** A point in time with millisecond precision, e.g. `2026-03-01T09:30:00.000Z`. */
  deleted_at: string;
  /** Who deleted it. */
  actor: string;
}

export interface DeletedFileParams {
  /** A skill's id. It stays with the skill through renames and moves and is unique within a database. */
  id: string;
  /** The scope it was in. */
  scope: Scope;
  /** Path in the skill. */
  path: string;
}

export interface DeletedList {
  /** By scope, last deleted first. */
  skills: DeletedEntry[];
}

export interface DescribeParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The revision that the values were read from: one that changed since is a conflict. Without it the values apply to whatever is stored. */
  expected?: number | null;
  values: SkillValues;
}

/** One finding. Lines and columns count from 1; columns count Unicode characters, not bytes. */
export interface Diagnostic {
  /** Stable rule id, `family/rule`. */
  rule: string;
  /** How bad it is. */
  severity: Severity;
  /** What is wrong: lower case, names the thing, no trailing period. */
  message: string;
  /** What to do about it. */
  hint: string | null;
  /** Path inside the skill, or the path on disk for things outside one. */
  file: string | null;
  /** First line. */
  line: number | null;
  /** First column. */
  column: number | null;
  /** Last line, when the finding spans text. */
  end_line: number | null;
  /** Column just after the last character. */
  end_column: number | null;
  /** JSON pointer, for findings in JSON. */
  pointer: string | null;
}

/** What is known of the app, the machine and the databases. */
export interface Diagnostics {
  /** For people to read and to send. */
  text: string;
}

/** Servers that were found. */
export interface Discovered {
  servers: LocalServer[];
}

/** The result of an operation that returns nothing. */
export type Done = Record<string, never>;

/** An unsaved text. */
export interface Draft {
  /** The skill. */
  skill_id: string;
  /** Its scope. */
  scope: Scope;
  /** The file. */
  path: string;
  /** The revision that the typing began on. */
  base_revision: number;
  /** The file's content at that revision; none if it is new. */
  base_sha256: string | null;
  /** The text. */
  text: string;
  /** When it was typed. */
  updated_at: string;
}

/** Drafts of the account and the open workspace. */
export interface DraftList {
  /** Newest first. */
  drafts: DraftMark[];
}

/** That a file has an unsaved text, which reading the file gives. */
export interface DraftMark {
  /** The skill. */
  skill_id: string;
  /** Its scope. */
  scope: Scope;
  /** The file. */
  path: string;
  /** When it was typed. */
  updated_at: string;
}

export interface DraftSaved {
  /** When it was kept. */
  updated_at: string;
}

export interface EditParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The revision that the edits were made to. */
  expected: number;
  /** The edits, in order. */
  changes: Change[];
  /** Why, for the history. */
  why?: string | null;
}

/** A skill after a write. */
export interface EditResult {
  /** The skill. */
  skill: SkillDetail;
  /** Its present revision. */
  revision: number;
  /**
   * The revision that the edits were applied to; `revision` itself when they changed nothing. Going back from one to the other
   * takes these edits back and nothing else.
   */
  before: number;
  /** Whether the edits were carried onto a revision newer than expected. */
  rebased: boolean;
  /** What the validator remarked. */
  diagnostics: Diagnostic[];
}

export interface EnableParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  enabled: boolean;
}

/** What a manifest declares about being measured. */
export interface EvalSummary {
  /** Whether there is a real contract: criteria, cases, metrics or a baseline. */
  contract: boolean;
  /** Number of requests it should answer to. */
  triggerCases: number;
  /** Number of situations its work is judged in. */
  functionalScenarios: number;
  /** Number of criteria. */
  successCriteria: number;
  /** Number of observed metrics. */
  trackedMetrics: number;
  /** What candidates are compared with. */
  baseline: string | null;
  /** Whether a score alone can promote. */
  autonomousPromotion: boolean;
}

/** Where examples come from. */
export type ExampleSource =
  | {
      from: 'traces';
    }
  | {
      from: 'file';
      /** The file. */
      path: string;
    }
  | {
      from: 'lines';
      text: string;
    };

/** Examples that there are. */
export interface ExamplesFound {
  /** All of them. */
  count: number;
  /** Those with known outputs. */
  with_outputs: number;
  /** The first ones. */
  first: ProgramExample[];
  /** What of the source is no example. */
  diagnostics: Diagnostic[];
}

/** What to look at for examples. */
export interface ExamplesParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The `dspy_module`, by path or name. */
  artifact: string;
  /** Where they come from. */
  source: ExampleSource;
}

/** A form that a skill can be handed out in. */
export type ExportFormat = 'amble' | 'markdown' | 'claude-skill' | 'openai-gpt' | 'cowork';

/** One skill: exported as a whole or not at all. */
export interface ExportItem {
  /** A skill's id. It stays with the skill through renames and moves and is unique within a database. */
  id: string;
  scope: Scope;
  /** A skill's key: lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  slug: string;
  name: string;
  /** The folder or file; below the folder written into where none was given. */
  path: string;
  /** Number of files of the skill that are in it. */
  files: number;
  /**
   * Files that the form has no place for.
   *
   * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
   */
  left_out: string[];
  /** What to know before it is handed out. */
  diagnostics: Diagnostic[];
  /** Why it is not written; the others are. */
  failure: Failure | null;
}

export interface ExportParams {
  skills: SkillRef[];
  /** Folder to write into; absolute. Each skill gets a folder or a file named by its slug. Without one it is only a look. */
  out?: string | null;
  /** The form of a package; a folder without one. */
  form?: Form | null;
  /** Make the frontmatter name the slug; of folders. */
  normalise?: boolean;
  /** Replace what is there already under that name; without it that is an error, unless it is the same. */
  replace?: boolean;
  /** Only say what would be written and what would be left out. */
  dry_run?: boolean;
}

/** What an export did. */
export interface ExportReport {
  /** In the order asked for. */
  items: ExportItem[];
  /** Whether nothing was written because only a look was asked for. */
  dry_run: boolean;
  /** Whether it was stopped; the items are those that were done. */
  stopped: boolean;
}

/** What went wrong, as every door tells it. */
export interface Failure {
  /** What a client acts on. */
  code: Code;
  /** What failed. */
  message: string;
  /** What to do about it. */
  hint: string | null;
  /** Facts that go with the code, e.g. `diagnostics`: an object. */
  fields: {
    [k: string]: unknown;
  } | null;
  /** Id of the call, also in the log. */
  requestId: string;
}

/** The beginning of a file, or all of it. */
export interface FileBytes {
  /** What the file is. */
  entry: FileEntry;
  /** The skill's revision that it is of. */
  revision: number;
  /** What the content is, judged by itself and not by its name, e.g. `image/png`. */
  media_type: string;
  /** The bytes. */
  base64: string;
}

export interface FileContent {
  entry: FileEntry;
  /** The skill's revision that the content is of. */
  revision: number;
  /** The text; null for binary content. */
  text: string | null;
  /** Unsaved typing. */
  draft: Draft | null;
}

/** One file of a skill, without its content. */
export interface FileEntry {
  /** Path in the skill. */
  path: string;
  /** Bytes. */
  size: number;
  /** Content hash. */
  sha256: string;
  /** The owner's execute bit. */
  executable: boolean;
  /** Whether it can be edited as text (UTF-8 without NUL). */
  text: boolean;
  /** What it is. */
  role: FileRole;
  /** The artifact that it is. */
  artifact: ArtifactInfo | null;
  /** Whether there is unsaved typing. */
  draft: boolean;
}

/** A file with matches. */
export interface FileMatches {
  /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
  path: string;
  /** In order. */
  matches: Match[];
}

export interface FileMove {
  /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
  from: string;
  /** Its new path. */
  to: string;
}

/** Places of one file. */
export interface FilePlaces {
  /** The file's skill. */
  skill: string;
  /** Where that lives. */
  scope: Scope;
  /** A skill's key: lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  slug: string;
  /** Its title. */
  name: string;
  /** The file. */
  path: string;
  /** In order. */
  places: Place[];
}

/** Names a file of a skill. */
export interface FileRef {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** Path in the skill. */
  path: string;
}

/** What a file is in its skill. */
export type FileRole = 'main' | 'manifest' | 'artifact' | 'state' | 'file';

/** A file's content. */
export interface FileText {
  /** Path below the workspace, with `/`. */
  path: string;
  /** Bytes. */
  size: number;
  /** Its text; null when it isn't UTF-8 text, or is larger than 1 MiB. */
  text: string | null;
}

/** A file of one side. */
export interface FileVersion {
  /** Whose file it is. */
  of: Version;
  /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
  path: string;
}

export interface FindParams {
  /** Characters of a name or path, in order; words in any order. Empty: what was opened lately, then all skills. */
  query: string;
  /** Maximum number of results, at most 500. [default: 50] */
  limit?: number | null;
  /** What was opened lately, the last one first. It comes first where it fits. */
  recent?: RecentFile[];
}

/** What was found. */
export interface Findings {
  /** By place. */
  diagnostics: Diagnostic[];
}

/** A change that takes a finding away. */
export interface Fix {
  /** What it does, for a button. */
  title: string;
  /** The file. */
  path: string;
  /** Edits of its text, in order, none over another; places are those of the text before all of them. */
  edits: TextEdit[];
  /** The file's new path, when it is moved instead. */
  rename: string | null;
}

/** What can be done. */
export interface Fixes {
  /** Best first. */
  fixes: Fix[];
  /** The text that they are for. */
  text: string;
  /** The skill can't be edited: it has to be duplicated first, and there are no fixes. */
  locked: boolean;
}

/** A finding to do something about. */
export interface FixesParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The file. */
  path: string;
  /** Its text; as it is stored without it. */
  text?: string | null;
  /** Only findings of this rule. */
  rule?: string | null;
  /** Only findings that begin on this line. */
  line?: number | null;
}

/** What was found of one skill. */
export interface FolderVerdict {
  /** Its folder, or the file that it is. */
  path: string;
  /** Whether it is valid: nothing found is an error. */
  ok: boolean;
  /** What was found. */
  diagnostics: Diagnostic[];
}

/** Names a workspace that was opened before. */
export interface ForgetParams {
  /** Its folder. */
  path: string;
}

/** A form that a skill is handed out in, beside the folder that it is. */
export type Form = 'json' | 'skill' | 'amble' | 'markdown' | 'claude-skill' | 'openai-gpt' | 'cowork';

/** What was found. */
export interface Found {
  /** None where the text names nothing. */
  named: Named | null;
}

/** A skill or a file that fits. */
export interface FoundName {
  /** A skill's id. It stays with the skill through renames and moves and is unique within a database. */
  id: string;
  scope: Scope;
  /** A skill's key: lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  slug: string;
  name: string;
  /** The file; null for the skill itself. */
  path: string | null;
  /** Of the artifact that the file is. */
  kind: ArtifactKind | null;
  /** What it was found by. */
  text: string;
  /** Where in that text, in UTF-16 units. */
  at: number[];
}

/** What fits. */
export interface FoundNames {
  /** The best first. */
  found: FoundName[];
  /** Whether there are more. */
  more: boolean;
}

/** The decision about git. */
export interface GitExcludeParams {
  /** Whether to add our files to `.git/info/exclude`. */
  accept: boolean;
}

/** Part of a skill's history. */
export interface History {
  /** Newest first. */
  revisions: RevisionInfo[];
  /** What the next part comes before; null at the end. A part may be empty and still have one. */
  next: number | null;
}

/** One change of a page. */
export interface HistoryEntry {
  /** The commit; empty where there is no repository that has the page. */
  id: string;
  /** When. */
  time: string;
  /** Who; empty if unknown. */
  author: string;
  /** What the change is about. */
  summary: string;
}

export interface HistoryParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** Only revisions that changed this file. */
  path?: string | null;
  /** Only revisions before this one. */
  before?: number | null;
  /** Maximum number of revisions, at most 500. [default: 50] */
  limit?: number | null;
}

/** A page that a search found. */
export interface Hit {
  /** The page. */
  slug: string;
  /** Its title. */
  title: string;
  /** Its type. */
  type: string | null;
  /** Its tags. */
  tags: string[];
  /** Some words around the first match, on one line. */
  snippet: string;
  /** How well it matches; higher is better, comparable within one search only. */
  score: number;
}

/** What to do with one skill that arrives. */
export type ImportAction = 'skip' | 'replace' | 'merge' | 'both' | 'override';

/** What to do with one of the skills. */
export interface ImportChoice {
  /** Its path, as the report has it. */
  path: string;
  take: ImportAction;
  /**
   * With `merge`: the files that are taken as they arrive.
   *
   * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
   */
  theirs?: string[];
}

/** One skill of an import. */
export interface ImportItem {
  /** Its folder or file; inside a package the place in it follows. */
  path: string;
  /** A skill's key: lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  slug: string | null;
  name: string | null;
  /** What it is to the skills here. */
  status: ImportStatus;
  /** Whether it was stored. */
  stored: boolean;
  /** The skill that is here, or the one that was made. */
  skill: string | null;
  /** The revision here. */
  revision: number | null;
  /** The revision that both sides come from, if that is known. */
  base: number | null;
  /** The files that differ from it, by path: of updates and conflicts. */
  changes: PathMerge[];
  /** What was odd. */
  diagnostics: Diagnostic[];
}

export interface ImportParams {
  /** Skill folders, folders of skill folders, SKILL.md files, or packages; absolute. */
  paths: string[];
  /** Where to put them; the workspace when one is open, else the account. */
  scope?: Scope | null;
  /** Only say what would happen. */
  dry_run?: boolean;
  /** Give a skill whose name is taken in the batch another name. */
  rename?: boolean;
  /** Refuse what the Agent Skills standard refuses. */
  strict?: boolean;
  /** What to do with single skills. */
  choices?: ImportChoice[];
  /** Store nothing but what has a choice of its own; without it new skills and updates are stored. */
  only_chosen?: boolean;
  /** What to do with conflicts and locked skills that have no choice of their own. */
  conflicts?: ImportAction;
  /** Keep new skills as third-party ones: locked, changed only by importing them again. */
  third_party?: boolean;
}

/** What an import did. */
export interface ImportReport {
  /** By path, in byte order. */
  items: ImportItem[];
  /** Where the skills are. */
  scope: Scope;
  /** Whether nothing was stored because only a look was asked for. */
  dry_run: boolean;
  /** Whether it ended before all were done; the items are those that were. */
  stopped: boolean;
  /** How many skills were found. */
  found: number;
  /** What was odd while looking for skills: folders without rights, links that were not followed. */
  diagnostics: Diagnostic[];
  /**
   * What ended it early, such as a full disk; the items are those that were done before. An import that fails before anything is
   * stored is refused instead.
   */
  failure: Failure | null;
}

/** What happened, or would happen, to one skill. */
export type ImportStatus = 'new' | 'update' | 'conflict' | 'unchanged' | 'locked' | 'refused';

/** How far indexing is. */
export interface IndexProgress {
  /** Files that were looked at. */
  done: number;
  /** Files in all, as far as is known. */
  total: number;
}

/** A named set of parameters. */
export interface InputEntry {
  /** Name; the empty one holds what was used last. */
  name: string;
  /** Parameters by variable. */
  params: {
    [k: string]: unknown;
  };
  /** When it was saved. */
  updated_at: string;
}

/** The saved inputs of an artifact. */
export interface InputList {
  /** By name. */
  inputs: InputEntry[];
}

/** A skill that was left as it is. */
export interface Kept {
  /** The skill. */
  id: string;
  /** Where it lives. */
  scope: Scope;
  /** Why. */
  failure: Failure;
}

/** Where stored keys are. */
export interface KeyLocation {
  /** What it is. */
  kind: KeyLocationKind;
  /** The file; none for the keychain. */
  path?: string | null;
  /** One sentence on what it protects against. */
  protects: string;
}

/** What kind of place keeps keys. */
export type KeyLocationKind = 'keychain' | 'file';

/** A provider's key. */
export interface KeyParams {
  /** The provider. */
  name: string;
  /** The key; null forgets the stored one. It is never given back. */
  key?: Secret | null;
}

/** Whether a key is there. */
export interface KeyReport {
  /** Whether it is. */
  key_state: KeyState;
}

/** Where a provider's key is. */
export type KeySource =
  | {
      from: 'none';
    }
  | {
      from: 'env';
      /** Name of the variable. */
      var: string;
    }
  | {
      from: 'stored';
    };

/** Whether a provider's key is there. */
export type KeyState = 'none' | 'environment' | 'stored' | 'missing';

/** A kind of provider that can be set up. */
export interface KindInfo {
  kind: ProviderKind;
  /** Its name for people. */
  title: string;
  /** Where it usually is. */
  base_url: string | null;
  /** The environment variable that usually holds its key. */
  key_variable: string | null;
  /** Whether it runs on the person's own machine. */
  local: boolean;
}

/** A value that a skill's templates ask for or its artifacts give. */
export interface KnownVariable {
  /** Its name. */
  name: string;
  /** Its form. */
  shape: Shape;
  /** Fields that the template reads: of the object, or of each item of the list; in the order of first use. */
  fields: string[];
  /** Whether the template does without it: every use is guarded by `is defined` or `default()`. */
  optional: boolean;
  /** What it is, where the artifact's `params` schema says. */
  description?: string | null;
  /** What is taken when it isn't given. */
  default?: unknown;
  /** Names of the artifacts that ask for it. */
  asked_by: string[];
  /** Names of the artifacts that give it. */
  given_by: string[];
  /** Whether `skill.json` says that it is a parameter. */
  declared: boolean;
}

/** What couldn't be done after the first half of something was. */
export interface Left {
  /** What is the case. */
  message: string;
  /** What to do. */
  hint: string | null;
}

/** What belongs to a skill's place in a database and its manifest: what a page about it shows beside its detail. */
export interface LibraryCard {
  row: LibraryRow;
  /** What its manifest declares. */
  manifest: SkillManifestSummary;
  /** Who created it: `local` is the person at this machine. */
  created_by: string | null;
  /** Why it was deprecated. */
  deprecated_reason: string | null;
  /** The session that it was learned in. */
  source_session: string | null;
  /** The skill that it was duplicated from, if that is still there. */
  parent: SkillParent | null;
}

/** How many skills one more choice would leave. */
export interface LibraryCount {
  /** The choice. */
  value: string;
  /** Skills that it leaves. */
  count: number;
}

/** How many skills each value leaves while the conditions of the other kinds hold. */
export interface LibraryFacets {
  /** `platform`, `team`. */
  places: LibraryCount[];
  /** `human`, `llm`. */
  origins: LibraryCount[];
  /** `on`, `off`. */
  switches: LibraryCount[];
  /** In the order of a skill's life. */
  lifecycles: LibraryCount[];
  /** Most frequent first. */
  categories: LibraryCount[];
  /** Most frequent first; of what all other tags leave. */
  tags: LibraryCount[];
  /** The account's skills that the workspace hides, whether they are asked for or not. */
  hidden: number;
}

/** Names a skill by what never changes. */
export interface LibraryKey {
  /** A skill's id. It stays with the skill through renames and moves and is unique within a database. */
  id: string;
  scope: Scope;
}

/** The skills of a part of the list. */
export interface LibraryKeys {
  /** In the order asked for. */
  keys: LibraryKey[];
}

/** A page of skills. */
export interface LibraryPage {
  /** In the order asked for. */
  skills: LibraryRow[];
  /** Skills that fit. */
  total: number;
  /** What further choices would leave; with the first page only. */
  facets: LibraryFacets | null;
}

/** A page of the list. */
export interface LibraryParams {
  /** Which skills, in which order. */
  query?: LibraryQuery;
  /** Skills to pass over. */
  offset?: number;
  /** Most skills; all without it. */
  limit?: number | null;
}

/** Which skills, in which order. Conditions of different kinds all hold; of one kind, one of its values does, but all tags do. */
export interface LibraryQuery {
  /** Words; each stands in the title, slug, description or a tag. */
  text?: string;
  /** By which door they came. */
  place?: LibraryScope | null;
  /** Who wrote them. */
  origin?: Origin | null;
  /** Whether they are switched on. */
  enabled?: boolean | null;
  /** Where they stand; anywhere when empty. */
  lifecycles?: Lifecycle[];
  /** Their category; any when empty. */
  categories?: string[];
  /** Tags that they have. */
  tags?: string[];
  /** Also the account's skills that the workspace hides. */
  hidden?: boolean;
  /** The order. */
  sort?: LibrarySort;
  /** The other way round. */
  reverse?: boolean;
}

/** A skill on the shelf. */
export interface LibraryRow {
  /** Id. */
  id: string;
  /** The database it lives in. */
  scope: Scope;
  /** Key. */
  slug: string;
  /** Title. */
  name: string;
  /** What it does and when to use it. */
  description: string;
  /** Semantic version. */
  version: string;
  /** Tags. */
  tags: string[];
  /** Category. */
  category: string;
  /** By which door it came. */
  source: Source;
  /** Who wrote it. */
  origin: Origin;
  /** Where it stands. */
  lifecycle: Lifecycle;
  /** 1 to 4. */
  trust_tier: number;
  /** Whether it takes part in retrieval. */
  enabled: boolean;
  /** Whether a user may ask for it by name in chat. */
  user_invocable: boolean;
  /** Number of the present revision. */
  revision: number;
  /** Display name of the author. */
  author: string | null;
  /** When it was first stored. */
  created_at: string;
  /** When its present revision was made. */
  updated_at: string;
  /** Locked skills can only be duplicated. */
  locked: boolean;
  /** A workspace skill that hides an account skill of the same slug. */
  shadows: boolean;
  /** An account skill that the workspace hides. */
  shadowed: boolean;
  /** Slug of another visible skill with the same title. */
  collides_with: string | null;
  /** Kinds of its artifacts, in display order. */
  kinds: ArtifactKind[];
  /** Number of files of its folder. */
  files: number;
  /** Bytes of its folder. */
  bytes: number;
  /** When it ran last. */
  last_used_at: string | null;
  /** Runs of the last 30 days, here and in the account. */
  runs: number;
  /** What they cost in USD; null when nothing of it is known. */
  estimated_cost: number | null;
  /** Executions of theirs that asked a model whose price isn't known: the cost is at least what is said. */
  unpriced: number;
  /** What its manifest declares. */
  badges: Badge[];
}

/** By which door skills came, in two groups. */
export type LibraryScope = 'platform' | 'team';

/** What a list is in order of. */
export type LibrarySort = 'name' | 'slug' | 'changed' | 'used' | 'cost' | 'size';

/** The library in numbers, as it is seen from here. */
export interface LibraryStats {
  /** Skills that are visible. */
  skills: number;
  /** Of those, the ones that are on and neither deprecated nor archived. */
  active: number;
  /** Of those, the ones that are deprecated. */
  deprecated: number;
  /** Runs of the last 30 days, also of skills that are gone. */
  runs: number;
  /** What they cost in USD; null when nothing of it is known. */
  estimated_cost: number | null;
  /** Executions that asked a model whose price isn't known: the cost is at least what is said. */
  unpriced: number;
  /** How fresh the active skills are on average, from 0.05 to 1; null until one of them ran. */
  freshness: number | null;
}

/** Where a skill stands between new and retired. */
export type Lifecycle = 'candidate' | 'verified' | 'released' | 'degraded' | 'deprecated' | 'archived';

/** Limits of a run. */
export interface Limits {
  /** Tokens read and written by models together. */
  tokens?: number | null;
  /** Estimated cost in USD. Calls whose price is unknown don't count. */
  cost?: number | null;
  /** Wall time in seconds; ten minutes if nothing is said. */
  seconds?: number | null;
}

export interface ListParams {
  /** Merged, or both scopes. */
  view?: ListView;
}

/** Which skills a list has. */
export type ListView = 'merged' | 'all';

/** A server that was found on this machine. */
export interface LocalServer {
  /** What it is. */
  kind: ProviderKind;
  /** Where it is. */
  base_url: string;
  /** The models that it offers. */
  models: string[];
}

/** How bad what a line says is. */
export type LogLevel = 'error' | 'warn' | 'info';

/** A line of the log. */
export interface LogLine {
  /** Its number since the start, from 1. */
  seq: number;
  /** When it was written. */
  time: string;
  /** How bad it is. */
  level: LogLevel;
  /** The part of the app that wrote it. */
  target: string;
  /** What it says; may have several lines. */
  message: string;
}

/** Some lines of the log. */
export interface LogPage {
  /** Oldest first. */
  lines: LogLine[];
  /** Number of the newest line there is: what to ask after next. */
  newest: number;
  /** Lines after the wanted ones' beginning that are no longer kept. */
  missed: number;
  /** The file that they are in too; none where only this process knows them. */
  file: string | null;
}

export interface LookParams {
  /** Absolute. */
  paths: string[];
}

export interface LookResult {
  /** In the order asked for. */
  items: PathStatus[];
}

/** What is loose in the workspace. */
export interface LooseEnds {
  /** Links to pages that don't exist, by page and line. */
  broken: BrokenLink[];
  /** Pages that nothing links to. */
  orphans: PageSummary[];
}

/** A place where it was found. Lines and columns count from 1, columns in characters. */
export interface Match {
  /** Its line. */
  line: number;
  /** Its column. */
  column: number;
  /** The line of its end. */
  end_line: number;
  /** The column after its end. */
  end_column: number;
  /** What stands before it in its line, cut to what is worth showing. */
  before: string;
  /** What was found. */
  text: string;
  /** What stands after it in the line of its end. */
  after: string;
  /** What would stand there instead; none without a replacement. */
  instead: string | null;
}

/** What a search found. */
export interface Matches {
  /** By slug, the workspace's first. */
  skills: SkillMatches[];
  /** Number of matches. */
  matches: number;
  /** Number of files. */
  files: number;
  /** Whether there are more. */
  more: boolean;
}

/** What a member of the module is. */
export type MemberKind = 'function' | 'class' | 'exception';

/** How a prediction is judged. */
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

/** A value without a source. */
export interface MissingInput {
  /** Name of the artifact that needs it. */
  artifact: string;
  /** Name of the value. */
  variable: string;
}

/** A model of a configured provider, written `provider/model`; the model's own id may have slashes. */
export type ModelRef = string;

/** What is set up. */
export interface ModelSetup {
  providers: ProviderInfo[];
  /** The model to use when none is asked for. */
  default: ModelRef | null;
  /** Its price; null when unknown. */
  default_price: Price | null;
  /** Where new keys are stored. */
  key_place: KeyLocation;
  /** What can be set up. */
  kinds: KindInfo[];
}

/** Renames files together with what names them: an artifact's entry and the path of its state. */
export interface MoveParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The files, all or none. */
  moves: FileMove[];
}

export interface MoveSkillParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** Where it goes. */
  to: Scope;
  /** Leave the original where it is. */
  keep?: boolean;
}

export interface MovedSkill {
  /** The skill where it is now. */
  skill: SkillDetail;
  /** Whether the original is gone. */
  removed: boolean;
  /** Why the original is still there although it should go. */
  left: Left | null;
}

/** What is named at a place. */
export interface Named {
  /** What. */
  symbol: Symbol;
  /** Where it is named. */
  place: Place;
  /** As a person calls it. */
  title: string;
  /** What it is, in a sentence; empty when nothing says. */
  about: string;
  /** What else is known, a line each. */
  facts: string[];
  /** Where it is said what it is; empty when nothing has the name. */
  targets: Target[];
  /** Whether it can be renamed everywhere at once. */
  renames: boolean;
}

/** What can be named in a skill. */
export interface Names {
  /** The revision that was read. */
  revision: number;
  /** Values, by name. */
  variables: KnownVariable[];
  /** Outputs, in the order in which the artifacts are listed. */
  outputs: OutputName[];
  /** Artifacts, in the order in which they are listed. */
  artifacts: ArtifactName[];
  /**
   * Files, by path.
   *
   * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
   */
  files: string[];
  /** Headings of markdown files by file, as links write them. */
  anchors: {
    [k: string]: string[];
  };
}

/** A skill whose names are asked for. */
export interface NamesParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** Unsaved texts to look at instead of the stored ones. */
  edits?: UnsavedText[];
}

/** Parameters of an operation that has none. */
export type NoParams = Record<string, never>;

/** A fix for one of some findings. */
export interface OfferedFix {
  /** Which finding, by its place in the list. */
  finding: number;
  /** What it does, for a button. */
  title: string;
  /** The file. */
  path: string;
  /** Edits of its text, in order, none over another; places are those of the text before all of them. */
  edits: TextEdit[];
  /** The file's new path, when it is moved instead. */
  rename: string | null;
}

/** The models of a provider. */
export interface OfferedModels {
  /** Their ids. */
  models: string[];
}

/** What to do where a file of that name is there already. */
export type OnExisting = 'refuse' | 'replace' | 'both' | 'skip';

/** Names a folder. */
export interface OpenParams {
  /** The folder; `~` stands for the home folder. */
  path: string;
}

/** What became of an optimisation. */
export interface OptimizeOutcome {
  /** The run that it was; its one trace has every question and answer. */
  run: RunOutcome;
  /** What it proposes; none if it failed, was stopped, or found nothing but what is there. */
  proposal: Proposal | null;
  /** What of the examples was left out. */
  diagnostics: Diagnostic[];
}

/** What to optimise, and how. */
export interface OptimizeParams {
  /** An id for the run, by which its events are told and by which it is stopped; a fresh one without it. */
  run?: string | null;
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The `dspy_module`, by path or name. */
  artifact: string;
  /** Id of an optimiser of `program/manifest`. */
  optimizer: string;
  /** The optimiser's settings. */
  options?: {
    [k: string]: unknown;
  };
  /** How predictions are judged; by the artifact's assertions without it, or by the first output if it has none. */
  metric?: Metric | null;
  /** Examples. */
  source: ExampleSource;
  /** Share of the examples that is only judged by, 0 to 0.9; 0.3 without it. */
  held_out?: number | null;
  /** Seed of everything random; 1 without it. */
  seed?: number | null;
  /** Most questions to models. */
  calls?: number | null;
  /** The model; the default without it. */
  model?: ModelRef | null;
  /** What it may use. */
  limits?: Limits;
}

/** Who wrote it. */
export type Origin = 'human' | 'llm';

/** A skill of the same name in a scope, or the one that this was duplicated from. */
export interface OtherSkill {
  /** A skill's id. It stays with the skill through renames and moves and is unique within a database. */
  id: string;
  scope: Scope;
  /** A skill's key: lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  slug: string;
  name: string;
  /** Its revision now. */
  revision: number;
  version: string;
  enabled: boolean;
  /** How it stands to the skill that was asked for. */
  standing: VersionRelation;
}

/** What became of an assertion. */
export type Outcome = 'passed' | 'failed' | 'not_run';

/** An artifact whose state another version of DSPy made. */
export interface Outdated {
  /** A skill's key: lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  skill: string;
  title: string;
  /** Where it lives. */
  scope: Scope;
  /** The artifact's name. */
  artifact: string;
  /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
  path: string;
  /** The version that made its state; none if the state doesn't say. */
  dspy: string | null;
  /** Whether an accepted proposal says how to do it again. */
  again: boolean;
}

/** States of other versions of DSPy. They go on working. */
export interface OutdatedList {
  /** DSPy's version here. */
  dspy: string;
  /** What could be optimised again. */
  artifacts: Outdated[];
}

/** What an artifact's output is called in templates. */
export interface OutputName {
  /** What follows `outputs.`. */
  key: string;
  artifact: string;
  kind: ArtifactKind;
  /** Fields that are known before it ran. */
  fields: string[];
}

/** A page with its text. */
export interface Page {
  /** Names the page: its path without ending, lower case, e.g. `characters/mara-venn`. */
  slug: string;
  /** From the frontmatter, else the first heading, else the file's name. */
  title: string;
  /** The frontmatter's `type`. */
  type: string | null;
  /** From the frontmatter and from `#tags` in the text: lower case, without `#`, sorted. */
  tags: string[];
  /** The file, relative to the workspace, with `/`. */
  path: string;
  /** When the file was last changed. */
  modified: string;
  /** Bytes of the file. */
  size: number;
  /** What was odd about the file, e.g. frontmatter that can't be read. */
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

/** What a refresh changed, by slug. */
export interface PageChanges {
  /** New pages. */
  added: string[];
  /** Pages with another text or another slug than before. */
  changed: string[];
  /** Slugs that no longer name a page. */
  removed: string[];
}

/** A page with its surroundings. */
export interface PageDetail {
  page: Page;
  /** What it links to and what links to it. */
  references: References;
}

/** What pages can be filtered by, and how many have it. */
export interface PageFacets {
  types: {
    [k: string]: number;
  };
  tags: {
    [k: string]: number;
  };
}

/** Which pages to list. */
export interface PageFilter {
  /** Only this type, case ignored. */
  type?: string | null;
  /** Only with this tag, case ignored. */
  tag?: string | null;
  /** Only below this folder of slugs, e.g. `characters`. */
  folder?: string | null;
  /** In which order. */
  order?: PageOrder;
}

/** Changes of a page. */
export interface PageHistory {
  /** Newest first. */
  entries: HistoryEntry[];
}

/** Whose changes. */
export interface PageHistoryParams {
  /** The page's slug, title or alias. */
  slug: string;
  /** Changes at most; 50 if nothing is said. */
  limit?: number | null;
}

/** What was found. */
export interface PageHits {
  /** Best first. */
  hits: Hit[];
}

/** A part of a list of pages. */
export interface PageList {
  /** The part that was asked for. */
  pages: PageSummary[];
  /** How many there are in all. */
  total: number;
}

/** Which part of the pages. */
export interface PageListParams {
  /** Which pages. */
  filter?: PageFilter;
  /** Pages to leave out at the beginning. */
  offset?: number;
  /** Pages at most; 50 if nothing is said, never more than 1,000. */
  limit?: number | null;
}

/** In which order pages are listed. */
export type PageOrder = 'slug' | 'title' | 'modified';

/** Names a page. */
export interface PageRef {
  /** Its slug, title or alias, as in a `[[wikilink]]`. */
  slug: string;
}

/** What to look for. */
export interface PageSearchParams {
  /** Words; there is no syntax, and the last word may be unfinished. */
  query: string;
  /** Hits at most; 50 if nothing is said, never more than 1,000. */
  limit?: number | null;
}

/** A page without its text. */
export interface PageSummary {
  /** Names the page: its path without ending, lower case, e.g. `characters/mara-venn`. */
  slug: string;
  /** From the frontmatter, else the first heading, else the file's name. */
  title: string;
  /** The frontmatter's `type`. */
  type: string | null;
  /** From the frontmatter and from `#tags` in the text: lower case, without `#`, sorted. */
  tags: string[];
  /** The file, relative to the workspace, with `/`. */
  path: string;
  /** When the file was last changed. */
  modified: string;
  /** Bytes of the file. */
  size: number;
  /** What was odd about the file, e.g. frontmatter that can't be read. */
  remark: string | null;
}

/** The index as it stands. */
export interface PagesStatus {
  /** Pages in the index; 0 before the first use. */
  pages: number;
  /** When the folder was last compared with the index, by this process. */
  indexed_at: string | null;
  /** Present while indexing goes on. */
  progress: IndexProgress | null;
  /** Why the index is kept only while the program runs, e.g. because the folder can't be written. */
  temporary: string | null;
  /** Files that were left out. */
  skipped: Skipped[];
}

/** How a path differs from the revision before. */
export type PathChange = 'added' | 'modified' | 'removed';

export type PathKind = 'skill' | 'skills' | 'folder' | 'file' | 'missing';

/** A file that at least one side changed. */
export interface PathMerge {
  /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
  path: string;
  by: ChangedBy;
}

export interface PathStatus {
  /** As it was asked for. */
  path: string;
  kind: PathKind;
}

/** A place in a text. Lines and columns count from 1, columns in characters. */
export interface Place {
  line: number;
  column: number;
  end_line: number;
  /** The column after its end. */
  end_column: number;
  /** The line's text up to it. */
  before: string;
  /** What stands there. */
  text: string;
  /** The line's text after it. */
  after: string;
}

export interface Places {
  /** All of it in one line. */
  line: string;
  /** Which scope's skill is used. */
  wins: Scope;
  /** The skill of the same name in the other scope. */
  other: OtherSkill | null;
  /** The skill that it was duplicated from, if that is another than these and still there. */
  parent: OtherSkill | null;
  /** The workspace's first. */
  copies: SkillCopy[];
}

/** Price in USD for a million tokens. */
export interface Price {
  /** Of tokens read. */
  input: number;
  /** Of tokens written. */
  output: number;
  /** Of tokens read from the provider's cache; the input's price without it. */
  cached?: number | null;
}

/** Where the process stands. */
export type ProcessState = 'idle' | 'starting' | 'ready' | 'waiting' | 'unavailable';

/** An example to learn from, or to judge by. */
export interface ProgramExample {
  /** Values of inputs. */
  inputs: {
    [k: string]: unknown;
  };
  /** Values of outputs that are known to be good; may be empty where a metric judges without them. */
  outputs: {
    [k: string]: unknown;
  };
}

/** What the process can do. */
export interface ProgramManifest {
  /** DSPy's version, which states record. */
  dspy: string;
  /** Templates. */
  templates: ProgramTemplate[];
  /** Optimisers. */
  optimizers: ProgramOptimizer[];
}

/** An optimiser that ships. */
export interface ProgramOptimizer {
  /** Its id. */
  id: string;
  /** A name for people. */
  title: string;
  /** What it changes and what it costs, a sentence or two. */
  description: string;
  /** JSON Schema of `options`, an object. */
  options: unknown;
  /** Fewest training examples. */
  least_examples: number;
  /** Whether examples must have known outputs. */
  needs_outputs: boolean;
}

/** The process's health, for the settings. */
export interface ProgramStatus {
  /** Where it stands. */
  state: ProcessState;
  /** Why it isn't there, in a sentence with what to do. */
  reason: string | null;
  /** Its process id. */
  pid: number | null;
  /** Version of DSPy: of the process, and before it runs of the one that ships; null where there is none. */
  dspy: string | null;
  /** Jobs that it has at the moment. */
  jobs: number;
  /** Failures within the last five minutes. */
  failures: number;
  /** The last lines of its log, oldest first. */
  log: string[];
}

/** A template that ships. */
export interface ProgramTemplate {
  /** Its id. */
  id: string;
  /** A name for people. */
  title: string;
  /** What it does and when to take it, a sentence or two. */
  description: string;
  /** What its signature has to look like, a sentence; empty when any will do. */
  signature_rules: string;
  /** JSON Schema of `parameters`, an object. */
  parameters: unknown;
  /** Ids of the optimisers that can improve it. */
  optimizers: string[];
}

/** A proposal. */
export interface Proposal {
  /** Id. */
  id: string;
  /** Where it comes from. */
  proposal_kind: ProposalKind;
  /** Folder of the workspace that the skill was seen from; empty without one. */
  workspace: string;
  /** Where the skill lived. */
  skill_scope: Scope;
  /** The skill's id. */
  skill_id: string;
  /** The skill's slug. */
  skill_slug: string;
  /** The skill's revision. */
  skill_revision: number;
  /** The artifact that it is about. */
  artifact_path: string | null;
  /** What it proposes, for people. */
  title: string;
  /** What became of it. */
  status: ProposalStatus;
  /** What its kind says about it. */
  body: unknown;
  /** The revision that accepting it made. */
  revision: number | null;
  /** When it was made. */
  created_at: string;
  /** When someone decided. */
  decided_at: string | null;
}

/** Where a proposal comes from. */
export type ProposalKind = 'composer' | 'optimisation' | 'learned' | 'merge';

/** Proposals, newest first. */
export interface ProposalList {
  /** Those of the open workspace and of the account. */
  proposals: Proposal[];
  /** How many wait for a decision, whatever was asked for. */
  open: number;
}

/** Which proposals to list. */
export interface ProposalListParams {
  /** Only of this skill: id, slug or title. */
  skill?: string | null;
  /** Only those that stand so. */
  status?: ProposalStatus | null;
}

/** Names a proposal. */
export interface ProposalRef {
  /** The id of a proposal. */
  id: string;
}

/** What became of a proposal. */
export type ProposalStatus = 'open' | 'accepted' | 'rejected';

/** A provider that is set up. */
export interface ProviderInfo {
  /** Its name, by which models are written: `name/model`. */
  name: string;
  /** What it is. */
  kind: ProviderKind;
  /** Where it is. */
  address: string | null;
  /** The address that was given; null for the usual one of its kind. */
  base_url: string | null;
  /** Where its key is. */
  key: KeySource;
  /** Whether the key is there. */
  key_state: KeyState;
  /** Models that the person listed. */
  models: string[];
  /** Prices that stand before the known ones. */
  prices: {
    [k: string]: Price;
  };
  /** Seconds until its first byte, and between two pieces of an answer; null for the usual. */
  timeout_seconds: number | null;
}

/** Which program or service a provider is. */
export type ProviderKind =
  | 'anthropic'
  | 'openai'
  | 'gemini'
  | 'mistral'
  | 'openrouter'
  | 'ollama'
  | 'llamacpp'
  | 'lmstudio'
  | 'openai-compatible';

/** A provider to set up. */
export interface ProviderParams {
  /** Its name: small letters, digits and hyphens. */
  name: string;
  /** What it is. */
  kind: ProviderKind;
  /** Where it is; the usual place of its kind without it. */
  base_url?: string | null;
  /** Where its key is; the usual variable of its kind without it. */
  key?: KeySource | null;
  /** Models to offer beside those that it names itself. */
  models?: string[];
  /** Prices that stand before the known ones. */
  prices?: {
    [k: string]: Price;
  };
  /** Seconds until its first byte, and between two pieces of an answer. */
  timeout_seconds?: number | null;
}

/** Names a provider. */
export interface ProviderRef {
  name: string;
}

/** What to look for. */
export interface Query {
  /** The text or expression. */
  text: string;
  /** Whether it is a regular expression. `^` and `$` are the begin and end of a line; `.` is no line break. */
  regex?: boolean;
  /** Whether upper and lower case differ. */
  case?: boolean;
  /** Only whole words. */
  word?: boolean;
}

/** Which lines. */
export interface ReadParams {
  /** Number of the last line that is known already. */
  after?: number;
  /** The newest of them, at most so many. */
  limit?: number | null;
}

/** A workspace that was opened before. */
export interface RecentEntry {
  /** Its folder. */
  path: string;
  /** The folder's name. */
  name: string;
  /** When it was opened last. */
  opened_at: string;
  /** Whether the folder is still there. */
  exists: boolean;
  /** Whether the person trusts it. */
  trusted: boolean;
}

/** A file that was opened lately. */
export interface RecentFile {
  scope: Scope;
  /** A skill's id. It stays with the skill through renames and moves and is unique within a database. */
  skill: string;
  /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
  path: string;
}

/** The workspaces that were opened. */
export interface RecentList {
  /** Last opened first. */
  workspaces: RecentEntry[];
}

/** A link between two pages, seen from one of them. */
export interface Reference {
  /** The page at the other end. */
  slug: string;
  /** Its title. */
  title: string;
  /** The text that is shown for the link. */
  text: string;
  /** What the link names, as written. */
  target: string;
  /** The line, from 1, of the file that has the link. */
  line: number;
}

/** What a reference leads to. */
export type ReferenceForm = 'page' | 'file' | 'address';

/** What can be attached. */
export interface ReferenceOffer {
  target_kind: TargetKind;
  /** What to attach. */
  target_ref: string;
  /** What it leads to. */
  form: ReferenceForm;
  /** The page's title, the file's name or the address's host. */
  title: string;
}

/** What was found. */
export interface ReferenceOffers {
  /** An address that was typed, then pages, then files, each best first. */
  offers: ReferenceOffer[];
  /** Whether the workspace has more files than are looked at. */
  is_partial: boolean;
}

/** Names a reference of a skill. */
export interface ReferenceParams {
  /** Id, slug or title of the skill. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The reference. */
  id: string;
}

/** What to look for. */
export interface ReferenceSearchParams {
  /** Words of a page, parts of a file's path, or a web address. Without any, the pages that were changed last and the first files. */
  query?: string;
  /** Most pages, and most files; 20 without it, at most 100. */
  limit?: number | null;
}

/** What a page links to and what links to it. */
export interface References {
  /** Links of this page, in the order of its lines. */
  out: Reference[];
  /** Links of other pages to this one, by page and line. */
  in: Reference[];
  /** Links of this page to pages that don't exist. */
  broken: BrokenLink[];
}

/** A skill that was left as it is. */
export interface Refused {
  /** How it was asked for. */
  skill: string;
  /** Where it was looked for. */
  scope: Scope | null;
  /** Its title, if there is one. */
  name: string | null;
  /** Why. */
  failure: Failure;
}

/** What was removed. */
export interface Removed {
  /** Number of traces. */
  traces: number;
}

/** A new name for something. */
export interface RenameParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** What gets the name: a variable or an artifact. */
  symbol: Symbol;
  /** The new name. */
  to: string;
}

/** What a new name did. */
export interface Renamed {
  /** The skill at its new revision. */
  result: EditResult;
  /** Places that have the new name. */
  uses: number;
  /** Saved inputs that have it. */
  inputs: number;
  /** Saved inputs of folders that have skills of their own and aren't open: they keep the old name. */
  inputs_elsewhere: number;
  /** Where the old word still stands. */
  mentions: FilePlaces[];
}

/** What a new name would do. */
export interface Renaming {
  /** What would change, by file. */
  uses: FilePlaces[];
  /** Saved inputs that would follow. */
  inputs: number;
  /** Saved inputs of folders that have skills of their own and aren't open: they keep the old name. */
  inputs_elsewhere: number;
  /** Where the old word stays: only a person can tell what it stands for there. */
  mentions: FilePlaces[];
}

/** What to render. */
export interface RenderParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The template: a path, or an artifact's name. */
  path: string;
  /** The template's text, if it is not what is stored. */
  text?: string | null;
  /** Values by variable. */
  params?: {
    [k: string]: unknown;
  };
  /** Model whose variant is chosen. */
  model?: string | null;
}

/** A rendered template. */
export interface Rendered {
  /** What the template asks for, over all variants, in the order of first use. */
  variables: Variable[];
  /** Its variants, by ordinal. */
  variants: RenderedVariant[];
}

/** One variant as it would be sent. */
export interface RenderedVariant {
  /** Model family; null is the default. */
  variant: string | null;
  /** Its file. */
  path: string;
  /** Whether this one would be sent. */
  selected: boolean;
  /** The rendered text; null when it can't be rendered. */
  text: string | null;
  /** Tokens of the rendered text, estimated with one encoding for all models. */
  tokens: number | null;
  /** Variables that have no value yet. */
  missing: string[];
  /** Why it can't be rendered. */
  error: Diagnostic | null;
}

/** Matches of one file that are to be replaced. */
export interface ReplaceFile {
  /** The skill's id. */
  skill: string;
  /** Where it lives. */
  scope: Scope;
  /** The revision that was searched. */
  revision: number;
  /** The file. */
  path: string;
  /** Its matches by their order, from 0; all without it. */
  matches?: number[] | null;
}

/** What to replace. */
export interface ReplaceParams {
  /** What was looked for. */
  query: Query;
  /** What comes in its place. */
  replacement: string;
  /** Where. */
  files: ReplaceFile[];
}

/** A skill that was changed: one revision with all its files. */
export interface Replaced {
  /** The skill. */
  id: string;
  /** A skill's key: lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  slug: string;
  /** Where it lives. */
  scope: Scope;
  /** The revision that was made. Going back to the one before it undoes the change. */
  revision: number;
  /** Matches that were replaced. */
  matches: number;
  /**
   * Files that were changed.
   *
   * Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system.
   */
  files: string[];
}

/** What a replacement did. */
export interface Replacement {
  /** What was changed. */
  changed: Replaced[];
  /** What was not; each skill is changed as a whole or not at all. */
  kept: Kept[];
}

/** What to run again. */
export interface ReplayParams {
  /** A trace of the run. */
  trace: string;
  /** An id for the new run. */
  run?: string | null;
  /** Another model; the one that was asked for without it. */
  model?: ModelRef | null;
  /** What it may use. */
  limits?: Limits;
}

/** What went wrong in a window. */
export interface ReportParams {
  /** How bad it is. */
  level: LogLevel;
  /** What went wrong, and where; cut when it is long. */
  message: string;
}

/** What became of a report. */
export interface Reported {
  /** Whether it was written down: of many in a short time only the first are. */
  kept: boolean;
}

/** What takes a database's place. */
export interface RestoreDatabaseParams {
  /** Scope; the account without one. */
  scope?: Scope | null;
  /** The copy. */
  from: string;
}

export interface RestoreFilesParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The revision that has them as they are to be. */
  number: number;
  /** Items: A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
  paths: string[];
  /** The present revision, if the caller wants to be sure. */
  expected?: number | null;
}

export interface RestoreParams {
  /** A skill's id. It stays with the skill through renames and moves and is unique within a database. */
  id: string;
  /** The scope it was in. */
  scope: Scope;
}

/** Takes one stretch of a skill's history back, or makes it again. */
export interface RevertParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The revision that the stretch led to. */
  from: number;
  /** The revision that it began at. */
  to: number;
}

/** Whether a person looks at each round. */
export type ReviewMode = 'supervised' | 'autonomous';

/** A file's content at a revision. */
export interface RevisionFile {
  /** The text; null for binary content or a file that wasn't there. */
  text: string | null;
  /** Content hash; null if it wasn't there. */
  sha256: string | null;
  /** Bytes; null if it wasn't there. */
  size: number | null;
}

/** One entry of a skill's history. */
export interface RevisionInfo {
  /** Number, from 1. */
  number: number;
  /** When. */
  created_at: string;
  /** Who. */
  actor: string;
  /** Why. */
  why: string;
  /** The revision that is kept before it; none before the first. */
  previous: number | null;
  /** What differs from that one. */
  changed: ChangedPath[];
}

export interface RevisionParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  number: number;
  /** A relative path with `/` between names: NFC, at most 240 bytes, safe on every common file system. */
  path: string;
}

export interface RollbackParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The revision to go back to. */
  number: number;
  /** The present revision, if the caller wants to be sure. */
  expected?: number | null;
}

/** Which runs to remove. */
export interface RunDeleteParams {
  /** Items: The id of a run: all executions of one call. */
  runs: string[];
}

/** A run with its traces. */
export interface RunDetail {
  /** The run. */
  run_id: string;
  /** Its session. */
  session_id: string;
  /** The run that called it. */
  parent_run_id: string | null;
  /** Where the skill lived. */
  skill_scope: Scope;
  /** The skill's id. */
  skill_id: string;
  /** The skill's slug. */
  skill_slug: string;
  /** The skill's revision. */
  skill_revision: number;
  /** How it stands or ended: the worst of its executions, a fallback not counted. */
  status: TraceStatus;
  /** When it began. */
  started_at: string;
  /** When its last execution ended; null while it is going on. */
  completed_at: string | null;
  /** How long its executions took together, in milliseconds; null while it is going on. */
  duration_ms: number | null;
  /** Tokens read by models; null when unknown. */
  input_tokens: number | null;
  /** Tokens written by models; null when unknown. */
  output_tokens: number | null;
  /** Estimated cost in USD; null when unknown. */
  estimated_cost: number | null;
  /** Number of executions. */
  traces: number;
  /** The last model that answered. */
  model_id: string | null;
  /** The last artifact that was executed. */
  artifact_name: string;
  /** Assertions that were checked. */
  assertions_run: number;
  /** Those that hold. */
  assertions_passed: number;
  /** Whether something ran in another's place. */
  fell_back: boolean;
  /** The first error. */
  error: string | null;
  /** Its executions, in order, with all that is kept of them. */
  executions: Trace[];
  /** The runs of other skills that its scripts and programs called, in order. Their use is not in this run's. */
  called: RunSummary[];
}

/** One event of a run. */
export type RunEvent = {
  /** The run. */
  run: string;
  /** Position in the run, from 0. */
  seq: number;
} & (
  | {
      kind: 'began';
      /** Its trace. */
      trace: string;
      /** The artifact's name. */
      name: string;
      /** Its file. */
      path: string;
      /** Its kind. */
      artifact_kind: ArtifactKind;
      /** The execution in whose place it runs. */
      fallback_of: string | null;
    }
  | {
      kind: 'rendered';
      /** The trace. */
      trace: string;
      /** The text. */
      text: string;
    }
  | {
      kind: 'text';
      /** The trace. */
      trace: string;
      /** The piece. */
      text: string;
    }
  | {
      kind: 'log';
      /** The trace. */
      trace: string;
      /** The text, with its line ends. */
      text: string;
    }
  | {
      kind: 'progress';
      /** The trace. */
      trace: string;
      /** From 0 to 1. */
      fraction: number;
      /** What it is about. */
      text: string;
    }
  | {
      kind: 'trial';
      /** The trace. */
      trace: string;
      /** Score from 0 to 1 of a candidate that was just judged over the training examples. */
      score: number | null;
      /** Tokens read by models; null when unknown. */
      input_tokens: number | null;
      /** Tokens written by models; null when unknown. */
      output_tokens: number | null;
      /** Estimated cost in USD; null when unknown. */
      estimated_cost: number | null;
    }
  | {
      kind: 'ended';
      /** Its trace, complete. */
      trace: Trace;
    }
  | {
      kind: 'finished';
      /** How. */
      status: TraceStatus;
    }
);

/** A page of runs. */
export interface RunList {
  /** Newest first. */
  runs: RunSummary[];
  /** Where the next page begins; null at the end. */
  next: number | null;
}

/** Which runs to list. */
export interface RunListParams {
  /** Conditions. */
  filter?: TraceFilter;
  /** The runs of the account's database, even while a workspace is open. */
  account?: boolean;
  /** The page that begins here, a `next` of the same conditions; the first one without. */
  before?: number | null;
  /** Most runs; 100 without it, at most 1,000. */
  limit?: number | null;
}

/** What became of a run. */
export interface RunOutcome {
  /** The id of a run: all executions of one call. */
  run: string;
  /** The id of a session: a conversation, or what belongs together without one. */
  session: string;
  /** How it ended. */
  status: TraceStatus;
  /** The last executed artifact's output. */
  text: string | null;
  /** The same as a value, where it is structured. */
  value: unknown;
  /** Why it failed. */
  error: Failure | null;
  /** Its executions, in order. */
  traces: Trace[];
  /** Tokens read by models; null when unknown. */
  input_tokens: number | null;
  /** Tokens written by models; null when unknown. */
  output_tokens: number | null;
  /** Estimated cost in USD; null when unknown. */
  estimated_cost: number | null;
}

/** What to run. */
export interface RunParams {
  /** An id for the run, by which its events are told and by which it is stopped; a fresh one without it. */
  run?: string | null;
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** Run this artifact alone, given by path or name; the skill's plan without it. */
  artifact?: string | null;
  /** Values by name. */
  params?: {
    [k: string]: unknown;
  };
  /** The model; the default without it. */
  model?: ModelRef | null;
  /** What it may use. */
  limits?: Limits;
}

/** What a run would do. */
export interface RunPlan {
  /** Steps, in order; what accompanies prompts comes first. */
  steps: Step[];
  /** What it does without. */
  left_out: SkippedArtifact[];
  /** Values that nothing gives yet; a run is refused until there are none. */
  missing: MissingInput[];
  /** The model that would be used; null when none is set up. */
  model: ModelRef | null;
  /** What the model reads at least, in tokens: an estimate for the prompts that can be rendered already. */
  input_tokens: number | null;
  /** What that costs in USD; null when the price is unknown. */
  input_cost: number | null;
  /** Whether the workspace must be trusted first. */
  needs_trust: boolean;
}

/** Names a run. */
export interface RunRef {
  /** The id of a run: all executions of one call. */
  run: string;
}

/** A run in a list: its executions taken together. */
export interface RunSummary {
  /** The run. */
  run_id: string;
  /** Its session. */
  session_id: string;
  /** The run that called it. */
  parent_run_id: string | null;
  /** Where the skill lived. */
  skill_scope: Scope;
  /** The skill's id. */
  skill_id: string;
  /** The skill's slug. */
  skill_slug: string;
  /** The skill's revision. */
  skill_revision: number;
  /** How it stands or ended: the worst of its executions, a fallback not counted. */
  status: TraceStatus;
  /** When it began. */
  started_at: string;
  /** When its last execution ended; null while it is going on. */
  completed_at: string | null;
  /** How long its executions took together, in milliseconds; null while it is going on. */
  duration_ms: number | null;
  /** Tokens read by models; null when unknown. */
  input_tokens: number | null;
  /** Tokens written by models; null when unknown. */
  output_tokens: number | null;
  /** Estimated cost in USD; null when unknown. */
  estimated_cost: number | null;
  /** Number of executions. */
  traces: number;
  /** The last model that answered. */
  model_id: string | null;
  /** The last artifact that was executed. */
  artifact_name: string;
  /** Assertions that were checked. */
  assertions_run: number;
  /** Those that hold. */
  assertions_passed: number;
  /** Whether something ran in another's place. */
  fell_back: boolean;
  /** The first error. */
  error: string | null;
}

export interface SaveDraftParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The file, which need not exist yet. */
  path: string;
  /** The revision that the typing began on. */
  base_revision: number;
  /** The text. */
  text: string;
}

/** Parameters to save. */
export interface SaveInputParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The artifact. */
  path: string;
  /** Name; the empty one holds what was used last. */
  name: string;
  /** Parameters by variable. */
  params: {
    [k: string]: unknown;
  };
}

/** Which database a skill lives in. */
export type Scope = 'account' | 'workspace';

/** A member of the module that scripts import. */
export interface ScriptFunction {
  /** Its name below the module, e.g. `search` or `skills.list`. */
  name: string;
  /** `function`, `class` or `exception`. */
  kind: MemberKind;
  /** As Python writes it, without the module. */
  signature: string;
  /** What it gives, in Python's words; empty for a class or an exception. */
  returns: string;
  /** One or two sentences. */
  doc: string;
}

/** What scripts can import. */
export interface ScriptModule {
  /** The module's name. */
  module: string;
  /** Its members, in the order in which they are shown. */
  functions: ScriptFunction[];
  /** Why no script can run here, if that is so. */
  unavailable: string | null;
}

/** What kind of end a failed script had, for traces and clients. */
export type ScriptOutcome =
  | 'syntax'
  | 'exception'
  | 'out-of-cpu'
  | 'out-of-time'
  | 'out-of-memory'
  | 'stack-overflow'
  | 'exited'
  | 'no-submit'
  | 'result-too-large'
  | 'bad-result'
  | 'ended'
  | 'cancelled'
  | 'unavailable';

/** What to search. */
export interface SearchParams {
  /** What to look for. */
  query: Query;
  /** What would stand in its place, to see it beforehand. In an expression `$1` and `${name}` are its groups. */
  replacement?: string | null;
  /** Only in this skill: id, slug or title. */
  skill?: string | null;
  /** Only in this scope. */
  scope?: Scope | null;
  /** Only in files whose path contains this, e.g. `.py` or `prompts/`. */
  path?: string | null;
  /** Most matches; 2,000 without it, at most 20,000. */
  limit?: number | null;
}

/** A text that must not be seen: wiped when it is dropped, and not printed. */
export type Secret = string;

/** What is looked for by typing its beginning. */
export interface SeekParams {
  /** Which skills, in which order. */
  query?: LibraryQuery;
  /** How the title begins. */
  prefix: string;
  /** The place to go on from; it comes last. */
  after?: number | null;
}

/** A setting. */
export interface SetParams {
  /** Dotted key of lower-case words, e.g. `ui.theme`. */
  key: string;
  /** The value; null removes it. */
  value: unknown;
}

/** All settings that were ever set. */
export interface Settings {
  /** By dotted key. */
  values: {
    [k: string]: unknown;
  };
}

/** How bad a finding is. Only `Error` stops an operation. */
export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** How many findings a skill has. */
export interface SeverityCounts {
  errors: number;
  warnings: number;
  /** Informations. */
  infos: number;
  hints: number;
}

/** The form of a value, as far as its use shows. */
export type Shape = 'text' | 'list' | 'object';

/** One side, as it was found. */
export interface Side {
  /** The skill. */
  id: string;
  /** A skill's key: lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  slug: string;
  /** Its title. */
  name: string;
  /** Where it lives. */
  scope: Scope;
  /** The revision; null for a copy. */
  revision: number | null;
  /** Whether that is how the skill is now. */
  now: boolean;
  /** Folder of the copy. */
  copy: string | null;
}

/** A copy in the folder of another agent. */
export interface SkillCopy {
  /** The agent's own name. */
  agent: string;
  /** Whether the folder is the workspace's, and not the person's. */
  of_workspace: boolean;
  /** The agent's folder, as a person writes it: `~/.claude/skills`. */
  folder: string;
  /** The copy's folder. */
  path: string;
  /** How it stands to the skill here. */
  standing: VersionRelation;
  /** The revision that it is; null if it never was one. */
  revision: number | null;
  /** Its version, if it says one. */
  version: string | null;
  /** Why it can't be read. */
  problem: string | null;
}

/** A skill with its files' list. */
export interface SkillDetail {
  /** Id. */
  id: string;
  /** The database it lives in. */
  scope: Scope;
  /** Key. */
  slug: string;
  /** Title. */
  name: string;
  /** What it does and when to use it. */
  description: string;
  /** Semantic version. */
  version: string;
  /** Tags. */
  tags: string[];
  /** Category. */
  category: string;
  /** By which door it came. */
  source: Source;
  /** Who wrote it. */
  origin: Origin;
  /** Where it stands. */
  lifecycle: Lifecycle;
  /** 1 to 4. */
  trust_tier: number;
  /** Whether it takes part in retrieval. */
  enabled: boolean;
  /** Whether a user may ask for it by name in chat. */
  user_invocable: boolean;
  /** Number of the present revision. */
  revision: number;
  /** Display name of the author. */
  author: string | null;
  /** When it was first stored. */
  created_at: string;
  /** When its present revision was made. */
  updated_at: string;
  /** Locked skills can only be duplicated. */
  locked: boolean;
  /** A workspace skill that hides an account skill of the same slug. */
  shadows: boolean;
  /** An account skill that the workspace hides. */
  shadowed: boolean;
  /** Slug of another visible skill with the same title. */
  collides_with: string | null;
  /** Kinds of its artifacts, in display order. */
  kinds: ArtifactKind[];
  /** Number of files of its folder. */
  files: number;
  /** Bytes of its folder. */
  bytes: number;
  /** Its files, by path. */
  entries: FileEntry[];
  /** When another skill is the better choice. */
  when_not_to_use: string | null;
  /** Trigger phrases. */
  triggers: string[];
  /** Intent patterns. */
  intent_patterns: string[];
  /** Slugs of skills that it needs. */
  depends_on: string[];
  /** Slugs of skills that it must not be used with. */
  conflicts_with: string[];
  /** The skill it was forked from. */
  parent_skill_id: string | null;
  /** Where it was imported or forked from. */
  provenance: unknown;
  /** Which scope wins and what it hides, in one line. */
  resolved: string;
  /** What the validator says of it as stored. */
  diagnostics: Diagnostic[];
}

export interface SkillDrafts {
  /** Newest first. */
  drafts: Draft[];
}

/** What was found in a skill as it is stored. */
export interface SkillFindings {
  /** The skill. */
  id: string;
  scope: Scope;
  /** The revision that was checked. */
  revision: number;
  /** All findings, whether listed or not. */
  counts: SeverityCounts;
  /** By file and place: those that are bad enough, at most 200. */
  diagnostics: Diagnostic[];
}

export interface SkillList {
  /** By slug. */
  skills: SkillSummary[];
}

/** Where a page of the list begins. */
export interface SkillListCursor {
  scope: Scope;
  /** The folded title before the page; `None` begins the scope. */
  after?: string | null;
}

/** A skill in the tree. Default values are not serialized, since a list has thousands of items. */
export interface SkillListItem {
  /** A skill's id. It stays with the skill through renames and moves and is unique within a database. */
  id: string;
  scope: Scope;
  /** A skill's key: lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  slug: string;
  name: string;
  revision: number;
  lifecycle: Lifecycle;
  enabled: boolean;
  /** `None` for the person's own. */
  source?: Source | null;
  /** Locked skills can only be duplicated. */
  locked?: boolean;
  /** A workspace skill that hides an account skill of the same slug. */
  shadows?: boolean;
  /** An account skill that the workspace hides. */
  shadowed?: boolean;
  /** Slug of another visible skill with the same title. */
  collides_with?: string | null;
  tags?: string[];
  /** In display order. */
  kinds?: ArtifactKind[];
}

/** A manifest, flat. */
export interface SkillManifestSummary {
  /** Whether the manifest declares anything at all. */
  declared: boolean;
  /** Requests that the skill should answer to. */
  triggers: string[];
  /** Tools it needs. */
  requiredTools: string[];
  /** Groups of tools it needs. */
  requiredToolGroups: string[];
  /** Tools it must not be given. */
  forbiddenTools: string[];
  /** Ids of the outside systems it needs. */
  integrations: string[];
  /** Slugs of its actions. */
  actions: string[];
  /** Number of governed steps. */
  deterministicSteps: number;
  /** Slugs of the agents that parts of the work go to. */
  delegates: string[];
  /** Number of points where a person decides. */
  humanGates: number;
  /** Number of those that can't be passed without an answer. */
  requiredGates: number;
  /** Whether it declares how to work on a goal. */
  goalLoop: boolean;
  /** Whether a person looks at each round, if declared. */
  reviewMode: ReviewMode | null;
  /** Number of typed relations. */
  bindings: number;
  /** What it declares about being measured. */
  evals: EvalSummary;
  /** Whether MCP clients see it; null is "not said", which means they do. */
  exposeViaMcp: boolean | null;
  /** The only forms it may be handed out in; null is all. */
  exportFormats: ExportFormat[] | null;
  /** What outsiders read. */
  externalSafeSummary: string | null;
}

/** A skill with matches. */
export interface SkillMatches {
  /** A skill's id. It stays with the skill through renames and moves and is unique within a database. */
  id: string;
  /** A skill's key: lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  slug: string;
  /** Its title. */
  name: string;
  /** Where it lives. */
  scope: Scope;
  /** The revision that was searched. */
  revision: number;
  /** Whether it may not be changed in place. */
  locked: boolean;
  /** Its files with matches, by path. */
  files: FileMatches[];
}

/** The skill that another was duplicated from. */
export interface SkillParent {
  /** A skill's id. It stays with the skill through renames and moves and is unique within a database. */
  id: string;
  scope: Scope;
  /** A skill's key: lower-case letters and digits of any script and single inner hyphens, NFKC, 1 to 64 characters. */
  slug: string;
  /** Its title. */
  name: string;
}

/** Names a skill. */
export interface SkillRef {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
}

/** A reference of a skill. */
export interface SkillReference {
  /** Id. */
  id: string;
  /** What kind of thing it names. */
  target_kind: TargetKind;
  /** What it names. */
  target_ref: string;
  /** Place among the skill's references; lower comes first. */
  position: number;
  /** Who attached it. */
  created_by: string;
  /** When it was attached. */
  created_at: string;
  /** What it leads to. */
  form: ReferenceForm;
  /** The page's title, the file's name or the address's host. */
  title: string;
  /** Why it leads nowhere now; null when it doesn't. Addresses aren't tried. */
  problem: string | null;
}

/** The references of a skill. */
export interface SkillReferences {
  /** In their order. */
  references: SkillReference[];
}

/** What lists show of a skill: metadata only, never content. */
export interface SkillSummary {
  /** Id. */
  id: string;
  /** The database it lives in. */
  scope: Scope;
  /** Key. */
  slug: string;
  /** Title. */
  name: string;
  /** What it does and when to use it. */
  description: string;
  /** Semantic version. */
  version: string;
  /** Tags. */
  tags: string[];
  /** Category. */
  category: string;
  /** By which door it came. */
  source: Source;
  /** Who wrote it. */
  origin: Origin;
  /** Where it stands. */
  lifecycle: Lifecycle;
  /** 1 to 4. */
  trust_tier: number;
  /** Whether it takes part in retrieval. */
  enabled: boolean;
  /** Whether a user may ask for it by name in chat. */
  user_invocable: boolean;
  /** Number of the present revision. */
  revision: number;
  /** Display name of the author. */
  author: string | null;
  /** When it was first stored. */
  created_at: string;
  /** When its present revision was made. */
  updated_at: string;
  /** Locked skills can only be duplicated. */
  locked: boolean;
  /** A workspace skill that hides an account skill of the same slug. */
  shadows: boolean;
  /** An account skill that the workspace hides. */
  shadowed: boolean;
  /** Slug of another visible skill with the same title. */
  collides_with: string | null;
  /** Kinds of its artifacts, in display order. */
  kinds: ArtifactKind[];
  /** Number of files of its folder. */
  files: number;
  /** Bytes of its folder. */
  bytes: number;
}

/** Values to change; what is left out stays. */
export interface SkillValues {
  /** Title. The slug stays. */
  name?: string | null;
  /** What it does and when to use it. */
  description?: string | null;
  category?: string | null;
  tags?: string[] | null;
  triggers?: string[] | null;
  /** When another skill is the better choice; null takes it away. */
  when_not_to_use?: string | null;
  /** The author's version. */
  version?: string | null;
  /** Display name of the author; null takes it away. */
  author?: string | null;
  /** Whether a person can call it by its name, not only an agent by its description. */
  user_invocable?: boolean | null;
}

/** A file that is no page although its name says so, and why. */
export interface Skipped {
  /** The file or folder, relative to the workspace. */
  path: string;
  /** Why it was left out. */
  reason: string;
}

/** An artifact that the plan does without. */
export interface SkippedArtifact {
  /** Its name. */
  name: string;
  /** Why. */
  reason: string;
}

/** A place in the list. */
export interface Sought {
  /** Null when no title begins so. */
  index: number | null;
}

/** By which door a skill came. Set by the door, never by the content. */
export type Source = 'system' | 'community' | 'imported' | 'user';

/** Numbers over traces. */
export interface Stats {
  /** One row a group: days in order, else by number of executions. */
  rows: StatsRow[];
}

/** What statistics are told apart by. */
export type StatsBy = 'day' | 'artifact' | 'model' | 'skill';

/** Which numbers to give. */
export interface StatsParams {
  /** What they are told apart by. */
  by: StatsBy;
  /** Conditions. */
  filter?: TraceFilter;
  /** The traces of the account's database, even while a workspace is open. */
  account?: boolean;
}

/** A group of traces in numbers. */
export interface StatsRow {
  /** The group: a day, an artifact, a model, a skill. */
  key: string;
  /** Runs. */
  runs: number;
  /** Executions. */
  traces: number;
  /** Executions that failed. */
  errors: number;
  /** Tokens read by models; null when unknown. */
  input_tokens: number | null;
  /** Tokens written by models; null when unknown. */
  output_tokens: number | null;
  /** Estimated cost in USD; null when unknown. */
  estimated_cost: number | null;
  /** Executions that asked a model whose price isn't known: the cost is at least what is said. */
  unpriced: number;
  /** Mean duration in milliseconds: of a run by day or skill, of an execution by artifact or model. */
  mean_ms: number | null;
  /** Assertions that were checked. */
  assertions_run: number;
  /** Those that hold. */
  assertions_passed: number;
}

/** One artifact's place in a plan. */
export interface Step {
  /** The artifact's name. */
  name: string;
  /** Its file: of the variant that is chosen for the model. */
  path: string;
  /** Its kind. */
  kind: ArtifactKind;
  /** Whether it only accompanies prompts. */
  context: boolean;
  /** The values that it can't do without. */
  needs: string[];
  /** The file that runs in its place if it can't run. */
  fallback: string | null;
  /** Why it can't run at the moment, so that its fallback will. */
  unavailable: string | null;
}

/** What a failed assertion means for the run. */
export type Strictness = 'hard' | 'soft';

/** Something that texts name. */
export type Symbol =
  | {
      kind: 'variable';
      /** Its name. */
      name: string;
    }
  | {
      kind: 'artifact';
      /** Its name. */
      name: string;
    }
  | {
      kind: 'skill';
      /** Its slug or title, as written. */
      name: string;
    }
  | {
      kind: 'file';
      /** Its path. */
      path: string;
    }
  | {
      kind: 'page';
      /** Its name, as written. */
      name: string;
    }
  | {
      kind: 'heading';
      /** The file. */
      path: string;
      /** As links write it, without `#`. */
      anchor: string;
    };

/** The step that takes a change of one skill back. */
export type TakeBack =
  | {
      by: 'enable';
      /** On or off. */
      on: boolean;
    }
  | {
      by: 'revision';
      /** The revision to go back to. */
      to: number;
      /** The revision that the change made. */
      from: number;
    }
  | {
      by: 'restore';
    };

/** Where something is to be seen. */
export type Target =
  | {
      in: 'skill';
      /** A skill's id. It stays with the skill through renames and moves and is unique within a database. */
      skill: string;
      /** Where it lives. */
      scope: Scope;
      /** The file. */
      path: string;
      line: number;
      column: number;
    }
  | {
      in: 'page';
      slug: string;
    };

/** What kind of thing a reference names. */
export type TargetKind = 'entity' | 'document';

/** The skills of other agents. */
export interface TargetList {
  /** The folders that are there, the workspace's first. */
  targets: TargetSkills[];
  /** Different skills, by name, that aren't here yet. */
  new: number;
}

/** An agent's folder of skills. */
export interface TargetSkills {
  /** Short name of the agent. */
  agent: string;
  /** The agent's own name. */
  name: string;
  /** Whether the folder is the workspace's, and not the person's. */
  of_workspace: boolean;
  path: string;
  /** Its skills, with what an import would do to each: of a workspace's folder into the workspace, else into the account. */
  skills: ImportItem[];
  /** What is odd about the folder. */
  diagnostics: Diagnostic[];
}

/** What to try out: a provider, or one model. */
export interface TestParams {
  /** A provider's name, or `provider/model`. */
  target: string;
}

/** What came of trying a model out. */
export interface TestReport {
  /** Whether it answered. */
  ok: boolean;
  /** The model that was asked; none when there was none to ask. */
  model?: ModelRef | null;
  /** Its answer, shortened. */
  reply?: string | null;
  /** How long it took. */
  milliseconds: number;
  /** Tokens. */
  usage: TokenUsage;
  /** Estimated cost in USD; none when unknown. */
  cost?: number | null;
  /** Why it failed. */
  error?: string | null;
}

/** A text in place of another. Lines and columns count from 1, columns in characters, as those of a finding. */
export interface TextEdit {
  /** First line of what is replaced. */
  line: number;
  /** First column of it. */
  column: number;
  /** Last line of it. */
  end_line: number;
  /** Column just after its last character. */
  end_column: number;
  /** What stands there instead. */
  text: string;
}

/** A file on three sides. */
export interface ThreeFiles {
  /** What both come from; a file that wasn't there if that isn't known. */
  base: RevisionFile;
  /** As it is here. */
  mine: RevisionFile;
  /** As it arrives. */
  theirs: RevisionFile;
}

/** Tokens of a skill by when they are paid. Counted with one encoding for all models: an estimate. */
export interface TokenCost {
  /** In every turn: the skill's line in the index. */
  per_turn: number;
  /** When the skill is loaded: its instructions, further descriptions and approaches. */
  on_load: number;
  /** When they are asked for: all other texts. */
  on_demand: number;
  /** By file. */
  files: {
    [k: string]: number;
  };
  encoding: string;
}

export interface TokenParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** Unsaved texts to count instead of the stored ones. */
  edits?: UnsavedText[];
}

/** Tokens as the provider counted them; none where it didn't say. */
export interface TokenUsage {
  /** Tokens read, cached ones included. */
  input_tokens: number | null;
  /** Tokens written. */
  output_tokens: number | null;
  /** Of the tokens read, those from the provider's cache. */
  cached_tokens: number | null;
}

/** The execution of one artifact. */
export interface Trace {
  /** Id. */
  id: string;
  /** The session. */
  session_id: string;
  /** The run: all executions of one call. */
  run_id: string;
  /** The run whose script or program called this one. */
  parent_run_id: string | null;
  /** Where the skill lived. */
  skill_scope: Scope;
  /** The skill's id. */
  skill_id: string;
  /** The skill's slug. */
  skill_slug: string;
  /** The skill's revision. */
  skill_revision: number;
  /** The artifact. */
  artifact_id: string;
  /** Its name. */
  artifact_name: string;
  /** Its file. */
  artifact_path: string;
  /** Its kind. */
  artifact_kind: ArtifactKind;
  /** The model family that its variant is for; null is the default. */
  variant: string | null;
  /** How it stands or ended. */
  status: TraceStatus;
  /** What the run was given; on the run's first row only. */
  params: {
    [k: string]: unknown;
  } | null;
  /** The file that the run was asked to run alone; on the run's first row only, null for a whole skill. */
  asked_artifact: string | null;
  /** What was sent or executed, after rendering. */
  rendered_input: string | null;
  /** What came back. */
  raw_output: string | null;
  /** Why it failed. */
  error: string | null;
  /** How and where a script failed. */
  detail: TraceDetail | null;
  /** What a script wrote meanwhile. */
  log: string | null;
  /** Whether input, output, log or values are not kept whole. */
  truncated: boolean;
  /** Whether the model reached its limit of tokens: the answer is cut off. */
  cut_off: boolean;
  /** When it began. */
  started_at: string;
  /** When it ended. */
  completed_at: string | null;
  /** How long it took, in milliseconds. */
  duration_ms: number | null;
  /** Tokens read by models; null when unknown. */
  input_tokens: number | null;
  /** Tokens written by models; null when unknown. */
  output_tokens: number | null;
  /** Estimated cost in USD; null when unknown. */
  estimated_cost: number | null;
  /** The model that was asked for, as `provider/model`. */
  model_requested: string | null;
  /** The model that answered, as its provider named it. */
  model_id: string | null;
  /** Assertions that were checked. */
  assertions_run: number;
  /** Those that hold. */
  assertions_passed: number;
  /** The share of the assertions' weights that holds, from 0 to 1; null when none was checked. */
  score: number | null;
  /** Every assertion with its result. */
  verdicts: Verdict[];
  /** The execution in whose place this one ran. */
  fallback_of: string | null;
  /** The trace whose inputs were run again. */
  replay_of: string | null;
}

/** How and where a script failed. */
export interface TraceDetail {
  /** How it ended. */
  outcome: ScriptOutcome;
  /** The traceback, with lines as in the artifact's file. */
  traceback: string | null;
  /** The line of the artifact's file, from 1. */
  line: number | null;
}

/** What was written. */
export interface TraceExport {
  /** Number of lines. */
  lines: number;
  /** The file. */
  out: string | null;
  /** The text, if no file was asked for. */
  text: string | null;
}

/** What to write where. */
export interface TraceExportParams {
  /** The form. */
  format: TraceFormat;
  /** Conditions. */
  filter?: TraceFilter;
  /** The traces of the account's database, even while a workspace is open. */
  account?: boolean;
  /** The file to write, absolute; its text is in the answer without one. */
  out?: string | null;
  /** Write over a file that is there already. */
  replace?: boolean;
}

/** What traces to show. All conditions hold together. */
export interface TraceFilter {
  /** Slug of the skill. */
  skill?: string | null;
  /** The artifact's path. */
  artifact?: string | null;
  /** Kind of the artifact. */
  kind?: ArtifactKind | null;
  /** Statuses; all when empty. */
  status?: TraceStatus[];
  /** The model that answered. */
  model?: string | null;
  /** The session. */
  session?: string | null;
  /** The run. */
  run?: string | null;
  /** The run that called it. */
  parent?: string | null;
  /** Begun at this time or later. */
  since?: string | null;
  /** Begun before this time. */
  until?: string | null;
  /** Text that input, output or error has. */
  text?: string | null;
  /** Only those with an assertion that fails. */
  failed_assertions?: boolean;
}

/** In which form traces leave. */
export type TraceFormat = 'jsonl' | 'dspy';

/** A page of traces. */
export interface TraceList {
  /** Newest first. */
  traces: Trace[];
  /** Where the next page begins; null at the end. */
  next: number | null;
}

/** Which traces to list. */
export interface TraceListParams {
  /** Conditions. */
  filter?: TraceFilter;
  /** The traces of the account's database, even while a workspace is open. */
  account?: boolean;
  /** The page that begins here, a `next` of the same conditions; the first one without. */
  before?: number | null;
  /** Most traces; 100 without it, at most 1,000. */
  limit?: number | null;
}

/** Names a trace. */
export interface TraceRef {
  /** The id of one artifact's execution. */
  trace: string;
}

/** How an execution stands or ended. */
export type TraceStatus = 'running' | 'ok' | 'error' | 'cancelled' | 'interrupted' | 'fallback';

/** Skills as a tree shows them. */
export interface TreePage {
  /** The workspace's first, each scope by title. What is usual isn't sent. */
  skills: SkillListItem[];
  /** Where the next page begins; null when this is the last. */
  next: SkillListCursor | null;
  /** How many skills there are in all. */
  total: number;
}

/** Which skills: a page of all, or just some. */
export interface TreeParams {
  /** Where the page begins, as the page before said; at the first skill without it. */
  from?: SkillListCursor | null;
  /** Rows of the page; 500 unless said, at most 5,000. */
  limit?: number | null;
  /** Just these, as after a change; those that are gone are left out. */
  only?: TreeSome | null;
}

/** Some skills by name. */
export interface TreeSome {
  scope: Scope;
  /** Items: A skill's id. It stays with the skill through renames and moves and is unique within a database. */
  ids: string[];
}

/** Whether a workspace is trusted. */
export interface TrustParams {
  /** Whether what is in it may run and call models. */
  trusted: boolean;
  /** The folder of a workspace that was opened before; the open one without. */
  path?: string | null;
}

/** The content of two files. */
export interface TwoFiles {
  /** Before. */
  left: RevisionFile;
  /** After. */
  right: RevisionFile;
}

/** An artifact that becomes a plain file. */
export interface UndeclareParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The artifact. */
  path: string;
}

/** Changes that are taken back. */
export interface UndoParams {
  /** The steps, at most 1,000. */
  steps: UndoStep[];
}

/** A change of one skill that is taken back. */
export interface UndoStep {
  /** A skill's id. It stays with the skill through renames and moves and is unique within a database. */
  id: string;
  scope: Scope;
  /** How. */
  undo: TakeBack;
}

/** A text that is not what is stored. */
export interface UnsavedText {
  /** The file. */
  path: string;
  text: string;
}

/** Where something is named. */
export interface Uses {
  /** Where the texts name it. Of a skill and a page: in all skills, else in this one. */
  uses: FilePlaces[];
  /** The same word elsewhere in this skill, where only a person can tell what it stands for. */
  mentions: FilePlaces[];
}

/** Something to look for. */
export interface UsesParams {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** What to look for. */
  symbol: Symbol;
  /** Unsaved texts to look at instead of the stored ones. */
  edits?: UnsavedText[];
}

/** What to validate. */
export interface ValidateParams {
  /** Skill folders, folders of skill folders, or SKILL.md files; absolute. */
  paths: string[];
  /** By the letter of the Agent Skills standard, and nothing else. */
  strict?: boolean;
}

/** What was found. */
export interface Validation {
  /** By path, in byte order. */
  skills: FolderVerdict[];
  /** What was odd while looking for skills: folders without rights, links that were not followed. */
  diagnostics: Diagnostic[];
  /** Whether it was stopped before all skills were looked at. */
  stopped: boolean;
}

/** A value that a template asks for. */
export interface Variable {
  /** Its name. */
  name: string;
  /** Its form. */
  shape: Shape;
  /** Fields that the template reads: of the object, or of each item of the list; in the order of first use. */
  fields: string[];
  /** Whether the template does without it: every use is guarded by `is defined` or `default()`. */
  optional: boolean;
  /** What it is, where the artifact's `params` schema says. */
  description?: string | null;
  /** What is taken when it isn't given. */
  default?: unknown;
}

/** One assertion's result. */
export interface Verdict {
  /** What was checked, for people. */
  description: string;
  /** The type as written, with its check: `length/char_range`, `not-contains`. */
  assertion: string;
  /** What a failure means. */
  severity: Strictness;
  /** How much it counts in the score. */
  weight: number;
  /** The result. */
  outcome: Outcome;
  /** From 0 to 1, for types that grade. */
  score: number | null;
  /** Why. */
  explanation: string;
}

/** One side of a comparison: a skill as it is now, at a revision, or as an agent's folder has it. */
export interface Version {
  /** Id, slug or title. */
  skill: string;
  /** Scope to look in; the merged winner without one. */
  scope?: Scope | null;
  /** The revision; 0 is the empty folder before the first. */
  revision?: number | null;
  /** The skill's copy in this folder, which `skill/places` names. */
  copy?: string | null;
}

/** How another version of a skill stands to this one. */
export type VersionRelation = 'same' | 'older' | 'newer' | 'different' | 'unreadable';

/** A word of the template language, or a key. */
export interface Word {
  /** The word. */
  name: string;
  /** What it means. */
  about: string;
}

/** What every skill may use. */
export interface Words {
  /** Filters of templates. */
  filters: Word[];
  /** Tests of templates. */
  tests: Word[];
  /** Functions of templates. */
  functions: Word[];
  /** Keys of the frontmatter; those of the standard come first. */
  frontmatter: Word[];
  /** The shape of `skill.json`, as JSON Schema. */
  skill_json: unknown;
  /** The shape of a DSPy module's file, as JSON Schema. */
  dspy_module: unknown;
}

/** An open workspace. */
export interface WorkspaceStatus {
  /** Its folder, absolute: what later calls name it by. */
  path: string;
  /** The folder's name. */
  name: string;
  /** Whether it can be written. */
  writable: boolean;
  /** Whether it has skills of its own. */
  has_store: boolean;
  /** Number of its own skills. */
  skills: number;
  /** Number of markdown pages. */
  pages: number;
  /** Whether the person trusts it: nothing from it runs before. */
  trusted: boolean;
  /** Whether to offer keeping our files out of its git repository. */
  git_exclude_offer: boolean;
  /** What to tell about it. */
  banners: Banner[];
}

/** Every operation with its parameters and its result. */
export interface Operations {
  'app/diagnostics': { params: NoParams; output: Diagnostics };
  'app/status': { params: NoParams; output: AppStatus };
  'artifact/declare': { params: DeclareParams; output: EditResult };
  'artifact/undeclare': { params: UndeclareParams; output: EditResult };
  'check/all': { params: CheckAllParams; output: CheckedSkills };
  'check/file': { params: CheckFileParams; output: CheckedFile };
  'check/fixes': { params: FixesParams; output: Fixes };
  'check/folders': { params: ValidateParams; output: Validation };
  'check/skill': { params: SkillRef; output: Findings };
  'compare/files': { params: CompareParams; output: Compared };
  'compare/texts': { params: CompareFileParams; output: TwoFiles };
  'db/backup': { params: BackupParams; output: DatabaseCopy };
  'db/check': { params: DatabaseRef; output: DatabaseCheck };
  'db/restore': { params: RestoreDatabaseParams; output: DatabaseRestored };
  'draft/discard': { params: FileRef; output: Done };
  'draft/get': { params: SkillRef; output: SkillDrafts };
  'draft/list': { params: NoParams; output: DraftList };
  'draft/save': { params: SaveDraftParams; output: DraftSaved };
  'file/add': { params: AddParams; output: AddedFiles };
  'file/bytes': { params: BytesParams; output: FileBytes };
  'file/copy': { params: CopyParams; output: AddedFiles };
  'file/delete': { params: DeleteFilesParams; output: EditResult };
  'file/find': { params: FindParams; output: FoundNames };
  'file/move': { params: MoveParams; output: EditResult };
  'file/read': { params: FileRef; output: FileContent };
  'import/file': { params: ArrivingFileParams; output: ThreeFiles };
  'input/delete': { params: DeleteInputParams; output: Done };
  'input/list': { params: FileRef; output: InputList };
  'input/save': { params: SaveInputParams; output: Done };
  'library/apply': { params: ApplyParams; output: BulkReport };
  'library/card': { params: SkillRef; output: LibraryCard };
  'library/keys': { params: LibraryParams; output: LibraryKeys };
  'library/list': { params: LibraryParams; output: LibraryPage };
  'library/seek': { params: SeekParams; output: Sought };
  'library/stats': { params: NoParams; output: LibraryStats };
  'library/undo': { params: UndoParams; output: BulkReport };
  'log/read': { params: ReadParams; output: LogPage };
  'log/report': { params: ReportParams; output: Reported };
  'model/discover': { params: NoParams; output: Discovered };
  'model/list': { params: NoParams; output: ModelSetup };
  'model/offered': { params: ProviderRef; output: OfferedModels };
  'model/put': { params: ProviderParams; output: ProviderInfo };
  'model/remove': { params: ProviderRef; output: Done };
  'model/set_default': { params: DefaultParams; output: Done };
  'model/set_key': { params: KeyParams; output: KeyReport };
  'model/test': { params: TestParams; output: TestReport };
  'optimize/again': { params: AgainParams; output: OptimizeOutcome };
  'optimize/examples': { params: ExamplesParams; output: ExamplesFound };
  'optimize/outdated': { params: NoParams; output: OutdatedList };
  'optimize/start': { params: OptimizeParams; output: OptimizeOutcome };
  'page/facets': { params: NoParams; output: PageFacets };
  'page/get': { params: PageRef; output: PageDetail };
  'page/history': { params: PageHistoryParams; output: PageHistory };
  'page/list': { params: PageListParams; output: PageList };
  'page/loose_ends': { params: NoParams; output: LooseEnds };
  'page/refresh': { params: NoParams; output: PageChanges };
  'page/search': { params: PageSearchParams; output: PageHits };
  'page/status': { params: NoParams; output: PagesStatus };
  'path/complete': { params: CompleteParams; output: Completions };
  'path/look': { params: LookParams; output: LookResult };
  'program/manifest': { params: NoParams; output: ProgramManifest };
  'program/retry': { params: NoParams; output: ProgramStatus };
  'program/status': { params: NoParams; output: ProgramStatus };
  'prompt/render': { params: RenderParams; output: Rendered };
  'proposal/accept': { params: DecideParams; output: Accepted };
  'proposal/get': { params: ProposalRef; output: Proposal };
  'proposal/list': { params: ProposalListParams; output: ProposalList };
  'proposal/reject': { params: DecideParams; output: Proposal };
  'reference/attach': { params: AttachParams; output: SkillReference };
  'reference/list': { params: SkillRef; output: SkillReferences };
  'reference/read': { params: ReferenceParams; output: FileText };
  'reference/remove': { params: ReferenceParams; output: Binding };
  'reference/search': { params: ReferenceSearchParams; output: ReferenceOffers };
  'run/cancel': { params: RunRef; output: Done };
  'run/delete': { params: RunDeleteParams; output: Removed };
  'run/get': { params: RunRef; output: RunDetail };
  'run/list': { params: RunListParams; output: RunList };
  'run/plan': { params: RunParams; output: RunPlan };
  'run/replay': { params: ReplayParams; output: RunOutcome };
  'run/start': { params: RunParams; output: RunOutcome };
  'script/functions': { params: NoParams; output: ScriptModule };
  'settings/get': { params: NoParams; output: Settings };
  'settings/set': { params: SetParams; output: Done };
  'skill/create': { params: CreateParams; output: SkillDetail };
  'skill/delete': { params: DeleteParams; output: Deleted };
  'skill/deleted': { params: NoParams; output: DeletedList };
  'skill/deleted_file': { params: DeletedFileParams; output: RevisionFile };
  'skill/deleted_files': { params: RestoreParams; output: DeletedContent };
  'skill/describe': { params: DescribeParams; output: EditResult };
  'skill/duplicate': { params: SkillRef; output: SkillDetail };
  'skill/edit': { params: EditParams; output: EditResult };
  'skill/enable': { params: EnableParams; output: SkillSummary };
  'skill/export': { params: ExportParams; output: ExportReport };
  'skill/fork': { params: SkillRef; output: SkillDetail };
  'skill/get': { params: SkillRef; output: SkillDetail };
  'skill/history': { params: HistoryParams; output: History };
  'skill/import': { params: ImportParams; output: ImportReport };
  'skill/list': { params: ListParams; output: SkillList };
  'skill/move': { params: MoveSkillParams; output: MovedSkill };
  'skill/places': { params: SkillRef; output: Places };
  'skill/restore': { params: RestoreParams; output: SkillDetail };
  'skill/restore_files': { params: RestoreFilesParams; output: EditResult };
  'skill/revert': { params: RevertParams; output: EditResult };
  'skill/revision': { params: RevisionParams; output: RevisionFile };
  'skill/rollback': { params: RollbackParams; output: EditResult };
  'skill/tokens': { params: TokenParams; output: TokenCost };
  'skill/tree': { params: TreeParams; output: TreePage };
  'symbol/at': { params: AtParams; output: Found };
  'symbol/names': { params: NamesParams; output: Names };
  'symbol/rename': { params: RenameParams; output: Renamed };
  'symbol/renaming': { params: RenameParams; output: Renaming };
  'symbol/uses': { params: UsesParams; output: Uses };
  'symbol/words': { params: NoParams; output: Words };
  'target/list': { params: NoParams; output: TargetList };
  'text/replace': { params: ReplaceParams; output: Replacement };
  'text/search': { params: SearchParams; output: Matches };
  'trace/export': { params: TraceExportParams; output: TraceExport };
  'trace/get': { params: TraceRef; output: Trace };
  'trace/list': { params: TraceListParams; output: TraceList };
  'trace/stats': { params: StatsParams; output: Stats };
  'workspace/forget': { params: ForgetParams; output: Done };
  'workspace/git_exclude': { params: GitExcludeParams; output: Done };
  'workspace/open': { params: OpenParams; output: WorkspaceStatus };
  'workspace/open_sample': { params: NoParams; output: WorkspaceStatus };
  'workspace/recent': { params: NoParams; output: RecentList };
  'workspace/trust': { params: TrustParams; output: Done };
}

export type OperationName = keyof Operations;
export type ParamsOf<N extends OperationName> = Operations[N]['params'];
export type OutputOf<N extends OperationName> = Operations[N]['output'];
