import { type Brief, asFailure, type Catalog, type Client, Failed, type SkillKey } from '$lib/api';
import type { Toasts } from '$lib/components';
import { baseName } from '$lib/domain';
import type { Change, EditResult, Failure, FileEntry, Kind, OnExisting, Revision, Scope, SkillDetail } from '$lib/api/generated';
import { Notifications } from '$lib/workbench/notifications';
import { Journal } from './journal.svelte';
import { mainOf } from './names';
import { Structure } from './structure';

/** What the actions need of the editor. */
export interface ActionEvents {
  open: (key: SkillKey, path: string) => void;
  /** Shows what came without taking the keyboard: files by path, or without any the skill itself. */
  arrived: (skill: SkillDetail, paths: readonly string[]) => void;
  moved: (key: SkillKey, from: string, to: string) => void;
  closed: (key: SkillKey, path?: string) => void;
  /** Keeps what is typed in open editors as drafts. */
  keep: () => Promise<void>;
  isDirty: (key: SkillKey, path: string) => boolean;
}

export type ActionDialog =
  | { kind: 'newSkill'; scope: Scope }
  | { kind: 'deleted' }
  | { kind: 'newFile'; skill: Brief; folder: string }
  | { kind: 'clash'; skill: Brief; paths: string[]; choose: (clash: Exclude<OnExisting, 'refuse'>) => unknown };

/** Everything that can be done to a skill or a file beside typing in it. What can be undone offers it. */
export class Actions {
  dialog = $state.raw<ActionDialog | null>(null);
  readonly journal: Journal;
  readonly structure: Structure;
  readonly #client: Client;
  readonly #catalog: Catalog;
  readonly #notifications: Notifications;
  readonly #events: ActionEvents;

  constructor(client: Client, catalog: Catalog, toasts: Toasts, events: ActionEvents) {
    this.#client = client;
    this.#catalog = catalog;
    this.#notifications = new Notifications(toasts);
    this.#events = events;
    this.journal = new Journal(toasts);
    this.structure = new Structure(client, catalog, this.journal, events, {
      report: (what, cause, retry) => this.#notifications.report(what, cause, retry),
      ask: (skill, paths, choose) => (this.dialog = { kind: 'clash', skill, paths, choose }),
    });
  }

  /** The files of a skill, read if need be. */
  async entries(skill: SkillKey): Promise<FileEntry[]> {
    return (await this.#catalog.load(skill))?.entries ?? [];
  }

  /** Null when it worked. */
  async createSkill(name: string, description: string, scope: Scope): Promise<Failure | null> {
    try {
      const detail = await this.#client.call('skill/create', { name, description, scope });
      this.#catalog.put(detail);
      this.#events.open(detail, mainOf(detail));
      this.journal.did(`Created ${detail.name}`, this.structure.comesAndGoes(`create ${detail.name}`, detail));
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  /** Adds a file; with a kind it is an artifact, declared in skill.json. */
  async createFile(skill: SkillKey, path: string, kind: Kind | null, name: string): Promise<Failure | null> {
    try {
      const detail = await this.#need(skill);
      if (kind) {
        const manifest = detail.entries.find((entry) => entry.role === 'manifest')?.path;
        if (manifest && this.#events.isDirty(skill, manifest)) {
          return failure(`${manifest} has unsaved changes`, `Save it first. Changing the file type edits it.`);
        }
        const target = { skill: skill.id, scope: skill.scope };
        this.#added(path, await this.#client.call('artifact/declare', { ...target, path, kind, name }));
      } else {
        this.#added(path, await this.#edit(skill, detail.revision, [{ op: 'write', path, text: '' }], `added ${path}`));
      }
      this.#events.open(skill, path);
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  /** "Make this an artifact", and back. */
  async declare(skill: SkillKey, path: string, kind: Kind | null): Promise<void> {
    try {
      const target = { skill: skill.id, scope: skill.scope, path };
      const result = kind
        ? await this.#client.call('artifact/declare', { ...target, kind, name: titleOf(path) })
        : await this.#client.call('artifact/undeclare', target);
      this.#took(result);
      const label = `change the type of ${path}`;
      this.journal.did(kind ? `Changed ${path} to an artifact` : `Changed ${path} to a plain file`, this.structure.stretch(label, result.skill, result.before, result.revision));
    } catch (cause) {
      this.#notifications.report(`Couldn’t change ${path}`, cause);
    }
  }

  /** "Duplicate to edit": a copy of one's own, opened at the same file. */
  async duplicate(skill: SkillKey & { name: string }, path?: string): Promise<void> {
    try {
      const copy = await this.#client.call('skill/fork', { skill: skill.id, scope: skill.scope });
      this.#catalog.put(copy);
      const same = copy.entries.find((entry) => entry.path === path)?.path;
      this.#events.open(copy, same ?? mainOf(copy));
      const where = copy.scope === 'workspace' ? 'It overrides the account skill in this workspace.' : `Its name is ${copy.slug}.`;
      this.journal.did(`Duplicated ${skill.name}`, this.structure.comesAndGoes(`duplicate ${skill.name}`, copy), where);
    } catch (cause) {
      this.#notifications.report(`Couldn’t duplicate ${skill.name}`, cause, () => this.duplicate(skill, path));
    }
  }

  async rollBack(skill: SkillKey, revision: Revision): Promise<void> {
    try {
      const before = (await this.#need(skill)).revision;
      const result = await this.#client.call('skill/rollback', {
        skill: skill.id,
        scope: skill.scope,
        number: revision.number,
        expected: before,
      });
      this.#took(result);
      const step = this.structure.stretch(`roll back ${result.skill.name}`, result.skill, before, result.revision);
      this.journal.did(`Rolled back to revision ${revision.number}`, step, `Saved as revision ${result.revision}.`);
    } catch (cause) {
      this.#notifications.report(`Couldn’t roll back to revision ${revision.number}`, cause);
    }
  }

  /** Makes one file what it was at a revision; the others stay. */
  async restoreFile(skill: SkillKey, number: number, path: string): Promise<void> {
    try {
      const before = (await this.#need(skill)).revision;
      const result = await this.#client.call('skill/restore_files', { skill: skill.id, scope: skill.scope, number, paths: [path], expected: before });
      this.#took(result);
      const step = this.structure.stretch(`restore ${path}`, result.skill, before, result.revision);
      this.journal.did(`Restored ${path} from revision ${number}`, step, `Saved as revision ${result.revision}. Other files didn’t change.`);
    } catch (cause) {
      this.#notifications.report(`Couldn’t restore ${path} from revision ${number}`, cause);
    }
  }

  async setExecutable(skill: SkillKey, path: string, on: boolean): Promise<void> {
    try {
      const detail = await this.#need(skill);
      this.#took(await this.#edit(skill, detail.revision, [{ op: 'executable', path, on }]));
    } catch (cause) {
      this.#notifications.report(`Couldn’t change ${path}`, cause);
    }
  }

  #added(path: string, result: EditResult): void {
    this.#took(result);
    this.journal.did(`Created ${path}`, this.structure.stretch(`create ${path}`, result.skill, result.before, result.revision));
  }

  #edit(skill: SkillKey, expected: number, changes: Change[], why?: string): Promise<EditResult> {
    return this.#client.call('skill/edit', {
      skill: skill.id,
      scope: skill.scope,
      expected,
      changes,
      ...(why ? { why } : {}),
    });
  }

  #took({ skill }: EditResult): void {
    this.#catalog.put(skill);
  }

  async #need(skill: SkillKey): Promise<SkillDetail> {
    const detail = await this.#catalog.load(skill, true);
    if (detail) return detail;
    const failure = this.#catalog.detailFailure(skill);
    throw failure ? new Failed(failure) : new Error('the skill can’t be read');
  }
}

/** A name for the artifact that a file becomes: its stem, as words. */
function titleOf(path: string): string {
  const stem = baseName(path).replace(/\..*$/, '').replace(/[-_]+/g, ' ').trim();
  return stem.charAt(0).toUpperCase() + stem.slice(1);
}

const failure = (message: string, hint: string): Failure => ({ code: 'invalid', message, hint, fields: null, requestId: '' });
