import { asFailure, type Client, conflictOf, diagnosticsOf, type ConflictFields } from '$lib/api';
import { applied } from '$lib/domain';
import type { Diagnostic, EditResult, Failure, FileBytes, Fix, OfferedFix, FileContent, FileEntry, Scope, SkillDetail } from '$lib/api/generated';
import { StringBuffer, type Buffer } from './buffer';
import { Checker } from './checker';
import { DraftKeeper, type DraftOutcome } from './draftKeeper';
import { OfferedFixes } from './offeredFixes.svelte';
import { sha256 } from './sha256';

export interface DocumentKey {
  scope: Scope;
  skillId: string;
  path: string;
}

/** The same file changed outside of this editor while it has unsaved text. */
export interface External {
  /** Null: the file was deleted. */
  theirs: string | null;
  revision: number;
  entry: FileEntry | null;
}

/** The other side's change is in the text, which isn't saved yet. */
export interface Joined {
  revision: number;
  /** The text before that. */
  mine: string;
  saved: string | null;
  base: number;
  entry: FileEntry | null;
  external: External;
}

export interface Position {
  line: number;
  column: number;
}

/** A place that the editor is asked to go to. */
export interface Goal extends Position {
  /** The end of what is to be selected there; without it only the cursor goes. */
  to?: Position;
  /** The keyboard stays where it is. */
  quiet?: boolean;
}

type Status = 'loading' | 'ready' | 'failed';
export type SaveState = 'saved' | 'unsaved' | 'saving' | 'failed';

let count = 0;

/** One open file: its saved text, the text being edited, and what happens when both sides change. */
export class Document {
  readonly id = `document-${++count}`;
  readonly scope: Scope;
  readonly skillId: string;
  path = $state('');
  status = $state<Status>('loading');
  failure = $state.raw<Failure | null>(null);
  entry = $state.raw<FileEntry | null>(null);
  revision = $state(0);
  /** The text as stored, which `dirty` compares with. Null: not a text file. */
  saved = $state.raw<string | null>(null);
  dirty = $state(false);
  saving = $state(false);
  saveFailed = $state(false);
  /** Whether a crash now would lose nothing: the core has the text as it is. */
  draft = $state<DraftOutcome>('kept');
  external = $state.raw<External | null>(null);
  conflict = $state.raw<ConflictFields | null>(null);
  joined = $state.raw<Joined | null>(null);
  diagnostics = $state.raw<Diagnostic[]>([]);
  readonly #fixes = new OfferedFixes();
  /** Kept when the text is there, or can't be had. */
  ready: Promise<void> | null = null;
  /** Goes up with every edit. What follows the text watches it, and reads `text()` when it gets to it. */
  edition = $state(0);
  /** Since it was opened; saved or not. */
  typedIn = false;
  /** Goes up when the text was replaced from outside of the editor. */
  replacement = $state(0);
  /** Where the editor is asked to go next. */
  goal = $state.raw<Goal | null>(null);
  readonly saveState = $derived<SaveState>(
    this.saving ? 'saving' : this.saveFailed ? 'failed' : this.dirty ? 'unsaved' : 'saved',
  );

  #buffer: Buffer = new StringBuffer('');
  #late: SkillDetail | null = null;
  readonly #client: Client;
  readonly #drafts: DraftKeeper;
  readonly #checker: Checker;
  readonly #stored: (result: EditResult) => void;

  constructor(client: Client, key: DocumentKey, stored: (result: EditResult) => void, draftGone: () => void = () => undefined) {
    this.#client = client;
    this.scope = key.scope;
    this.skillId = key.skillId;
    this.path = key.path;
    this.#stored = stored;
    const source = {
      skillId: key.skillId,
      scope: key.scope,
      path: () => this.path,
      revision: () => this.revision,
      edition: () => this.edition,
      text: () => this.text(),
      unsaved: () => (this.dirty ? this.text() : null),
    };
    this.#drafts = new DraftKeeper(client, source, (outcome) => {
      this.draft = outcome;
    }, draftGone);
    this.#checker = new Checker(client, source, (checked) => {
      this.#fixes.put(checked, this.edition);
      this.diagnostics = checked.diagnostics;
    });
  }

  get key(): DocumentKey {
    return { scope: this.scope, skillId: this.skillId, path: this.path };
  }

  text(): string {
    return this.#buffer.text();
  }

  /** Characters of the text, without putting it together. */
  get length(): number {
    return this.#buffer.length;
  }

  get lines(): number {
    return this.#buffer.lines;
  }

  is(key: DocumentKey): boolean {
    return key.scope === this.scope && key.skillId === this.skillId && key.path === this.path;
  }

  /** Reads what is stored. A file that was `known` before may have another name by now, which it takes. */
  load(known = false): Promise<void> {
    return (this.ready = this.#load(known));
  }

  async #load(known: boolean): Promise<void> {
    this.status = 'loading';
    try {
      const content = await this.#read(known);
      this.#take(content);
      this.status = 'ready';
      if (content.draft) await this.#adopt(content);
      if (content.text !== null) void this.#checker.now();
    } catch (cause) {
      this.failure = asFailure(cause);
      this.status = 'failed';
    }
  }

  /** What is stored, as it is, for what isn't shown as text; at most `limit` bytes of it. */
  bytes(limit?: number): Promise<FileBytes> {
    return this.#client.call('file/bytes', { ...this.#target(), ...(limit === undefined ? {} : { limit }) });
  }

  /** The editor's document takes the place of the plain text. */
  attach(buffer: Buffer): void {
    this.#buffer = buffer;
  }

  /** The editor calls it after each change that a person made. */
  edited(): void {
    if (this.saved === null) return;
    this.edition += 1;
    this.typedIn = true;
    this.dirty = !this.#buffer.equals(this.saved);
    this.saveFailed = false;
    if (this.draft === 'kept') this.draft = 'behind';
    this.#drafts.touch();
    this.#checker.touch();
  }

  /** Replaces the text, as when a person takes another version. */
  replace(text: string): void {
    this.#put(text);
    this.edited();
  }

  /** The fixes for a finding of the text as it is now; none while it is being typed on. */
  fixesFor(diagnostic: Diagnostic): readonly OfferedFix[] {
    return this.#fixes.for(diagnostic, this.edition);
  }

  /** Whether a fix was offered for the text as it is now. */
  takes(fix: Fix): boolean {
    return this.#fixes.has(fix, this.edition);
  }

  /** Makes the edits of a fix as one step that can be undone. False: they are for another text than `of`, or than this. */
  fix({ edits }: Pick<Fix, 'edits'>, of = this.text()): boolean {
    const text = this.text() === of ? applied(of, edits) : null;
    if (text === null) return false;
    this.replace(text);
    return true;
  }

  /** Stores the text as a new revision. True when the file is saved afterwards. */
  async save(why?: string): Promise<boolean> {
    if (!this.dirty || this.saving || this.saved === null) return !this.dirty;
    const text = this.text();
    if (this.checkJoined()) {
      this.compare();
      return false;
    }
    this.saving = true;
    try {
      const result = await this.#client.call('skill/edit', {
        skill: this.skillId,
        scope: this.scope,
        expected: this.revision,
        changes: [{ op: 'write', path: this.path, text }],
        ...(why ? { why } : {}),
      });
      this.#savedAs(text, result);
      return true;
    } catch (cause) {
      this.#refused(asFailure(cause));
      return false;
    } finally {
      this.saving = false;
      const late = this.#late;
      this.#late = null;
      if (late) void this.sync(late);
    }
  }

  /** Throws the unsaved text away and returns it, for an undo. */
  async discard(): Promise<string> {
    const text = this.text();
    if (this.external) await this.takeTheirs();
    else {
      this.#put(this.saved ?? '');
      this.edited();
      await this.#drafts.flush();
    }
    return text;
  }

  /** The skill was read again, after a change of whatever origin. */
  async sync(detail: SkillDetail): Promise<void> {
    if (this.status !== 'ready' || detail.revision < this.revision) return;
    if (this.saving) {
      this.#late = detail;
      return;
    }
    const entry = detail.entries.find((candidate) => candidate.path === this.path);
    if (!entry) {
      this.external = { theirs: null, revision: detail.revision, entry: null };
      return;
    }
    if (entry.sha256 === this.entry?.sha256) {
      this.entry = entry;
      this.revision = detail.revision;
      this.external = null;
      return;
    }
    try {
      this.#meet(await this.#client.call('file/read', this.#target()));
    } catch (cause) {
      if (asFailure(cause).code === 'notFound') this.gone(detail.revision);
    }
  }

  /** The file, or its skill, was deleted elsewhere. */
  gone(revision = this.revision): void {
    this.external = { theirs: null, revision, entry: null };
  }

  /** Opens the comparison of both sides. */
  compare(): void {
    const external = this.external;
    if (external?.theirs == null || this.saved === null) return;
    this.conflict = {
      path: this.path,
      revision: external.revision,
      base: this.saved,
      theirs: external.theirs,
      mine: this.text(),
    };
  }

  /** Goes on with a text that has both sides' changes, over the other side's revision. Nothing is saved yet. */
  async join(text: string): Promise<void> {
    const { external } = this;
    if (external?.theirs == null) return;
    const entry = external.entry ?? (this.entry && { ...this.entry, sha256: await sha256(external.theirs) });
    if (this.external !== external) return;
    this.joined = { revision: external.revision, mine: this.text(), saved: this.saved, base: this.revision, entry: this.entry, external };
    [this.external, this.saved, this.revision, this.entry] = [null, external.theirs, external.revision, entry];
    this.replace(text);
  }

  /** Back to how it was before both were joined: the other side's change is announced again. */
  unjoin(): void {
    const { joined } = this;
    if (!joined) return;
    this.joined = null;
    [this.saved, this.revision, this.entry, this.external] = [joined.saved, joined.base, joined.entry, joined.external];
    this.replace(joined.mine);
  }

  /** An undo in the text leads back as well: to save that would take the other side's change away. True if it was so. */
  checkJoined(): boolean {
    if (this.joined === null || !this.#buffer.equals(this.joined.mine)) return false;
    this.unjoin();
    return true;
  }

  /** Saves the given text, or the one being edited, over the other side's revision. */
  async keepMine(text = this.conflict?.mine ?? this.text()): Promise<boolean> {
    const { conflict, external } = this;
    const theirs = conflict?.theirs ?? external?.theirs ?? null;
    const revision = conflict?.revision ?? external?.revision ?? this.revision;
    this.conflict = null;
    this.external = null;
    this.revision = revision;
    // With the file gone, saving writes it anew: anything differs from "not there".
    this.saved = theirs ?? '';
    this.#put(text);
    this.edited();
    if (theirs === null) this.dirty = true;
    if (!this.dirty) await this.#reread();
    return this.save();
  }

  async takeTheirs(): Promise<void> {
    const theirs = this.conflict?.theirs ?? this.external?.theirs;
    if (theirs == null) return;
    this.revision = this.conflict?.revision ?? this.external?.revision ?? this.revision;
    this.conflict = null;
    this.external = null;
    this.saved = theirs;
    this.#put(theirs);
    this.edited();
    await this.#drafts.flush();
    await this.#reread();
  }

  /** Back to editing; what changed elsewhere stays announced. */
  leaveConflict(): void {
    const conflict = this.conflict;
    this.conflict = null;
    if (conflict) this.external ??= { theirs: conflict.theirs, revision: conflict.revision, entry: null };
  }

  async moveTo(path: string): Promise<void> {
    const from = this.path;
    this.path = path;
    await this.#drafts.moved(from);
  }

  goTo(goal: Goal): void {
    this.goal = { ...goal };
  }

  /** Sends the draft now. */
  async keep(): Promise<void> {
    if (this.status === 'ready') await this.#drafts.flush();
  }

  /** Before the tab goes: what is unsaved is kept as a draft. */
  async close(): Promise<void> {
    this.#checker.stop();
    await this.keep();
    this.#drafts.stop();
  }

  async #read(known: boolean): Promise<FileContent> {
    try {
      return await this.#client.call('file/read', this.#target());
    } catch (cause) {
      const path = known && asFailure(cause).code === 'notFound' ? await this.#newName() : null;
      if (path === null) throw cause;
      this.path = path;
      return this.#client.call('file/read', this.#target());
    }
  }

  async #newName(): Promise<string | null> {
    try {
      const { renamedTo } = await import('./renamed');
      return await renamedTo(this.#client, this.key);
    } catch {
      return null;
    }
  }

  #target(): { skill: string; scope: Scope; path: string } {
    return { skill: this.skillId, scope: this.scope, path: this.path };
  }

  #put(text: string): void {
    if (this.#buffer.equals(text)) return;
    this.#buffer = new StringBuffer(text);
    this.replacement += 1;
  }

  #take(content: FileContent): void {
    this.entry = content.entry;
    this.revision = content.revision;
    this.saved = content.text;
    this.failure = null;
    if (content.text !== null) this.#put(content.text);
    this.dirty = false;
  }

  /** A draft from before: its text goes on, over the revision that it was typed on. */
  async #adopt(content: FileContent): Promise<void> {
    const draft = content.draft;
    if (!draft || content.text === null || draft.text === content.text) return;
    this.#drafts.adopt(draft.text);
    // A draft of a file that wasn't there yet has no hash; if it is there now, someone else made it.
    const moved = draft.base_sha256 !== content.entry.sha256;
    if (moved) {
      this.external = { theirs: content.text, revision: content.revision, entry: content.entry };
      this.revision = draft.base_revision;
      // What the typing stands on, so that a later look at the skill doesn't take the other side for our own.
      this.entry = { ...content.entry, sha256: draft.base_sha256 ?? '' };
      this.saved = await this.#textAt(draft.base_revision).catch(() => content.text);
    }
    this.#put(draft.text);
    this.edition += 1;
    this.dirty = true;
  }

  async #textAt(number: number): Promise<string | null> {
    return (await this.#client.call('skill/revision', { ...this.#target(), number })).text;
  }

  /** What is stored now meets what is being edited. */
  #meet(content: FileContent): void {
    if (content.revision < this.revision) return;
    if (content.revision > this.revision) this.joined = null;
    if (content.text === null || !this.dirty || this.#buffer.equals(content.text)) {
      const edits = this.#buffer;
      this.#take(content);
      this.external = null;
      if (this.#buffer !== edits) this.edition += 1;
      void this.#drafts.flush();
      this.#checker.touch();
      return;
    }
    this.external = { theirs: content.text, revision: content.revision, entry: content.entry };
  }

  #savedAs(text: string, { skill, revision, before, diagnostics }: EditResult): void {
    this.joined = null;
    this.saved = text;
    this.revision = revision;
    this.entry = skill.entries.find((entry) => entry.path === this.path) ?? this.entry;
    this.dirty = !this.#buffer.equals(text);
    this.external = null;
    this.saveFailed = false;
    this.failure = null;
    const own = diagnostics.filter((diagnostic) => diagnostic.file === this.path);
    if (!this.dirty && JSON.stringify(own) !== JSON.stringify(this.diagnostics)) this.diagnostics = own;
    void this.#drafts.flush();
    this.#stored({ skill, revision, before, rebased: false, diagnostics });
    void this.#verify(text);
  }

  /** The core may store another spelling of what was sent (a patched frontmatter): then that is what is shown. */
  async #verify(text: string): Promise<void> {
    const stored = this.entry?.sha256;
    if (!stored || (await sha256(text)) === stored || this.saving || this.saved !== text) return;
    await this.#reread();
  }

  async #reread(): Promise<void> {
    try {
      this.#meet(await this.#client.call('file/read', this.#target()));
    } catch {
      // The next change event or save finds out.
    }
  }

  #refused(failure: Failure): void {
    this.failure = failure;
    const conflict = conflictOf(failure);
    if (conflict) {
      this.conflict = { ...conflict, mine: this.text() };
      return;
    }
    this.saveFailed = true;
    const found = diagnosticsOf(failure).filter((one) => one.file === null || one.file === this.path);
    if (found.length > 0) this.diagnostics = found;
  }
}
