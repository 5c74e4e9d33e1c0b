import { type SkillOverview, asFailure, type Catalog, type Client, Failed, type SkillKey } from '$lib/api';
import { SKILL_TEMPLATES, type SkillTemplateId } from './skillTemplates';
import type { Toasts } from '$lib/components';
import { baseName } from '$lib/domain';
import type { ArtifactKind, EditResult, Failure, FileEntry, Files, Scope, Skill, SkillDetail } from '$lib/api/generated';
import { Notifications } from '$lib/workbench/notifications';
import { UndoStack } from './undoStack.svelte';
import { mainOf } from './names';
import type { ActionEvents } from './actionEvents';
import { Structure } from './structure';

/** Effects of the actions on the editor and the tree. */
export type ActionDialog =
  | { kind: 'newSkill'; scope: Scope }
  | { kind: 'deleted' }
  | { kind: 'newFile'; skill: SkillOverview; folder: string }
  | { kind: 'existingFiles'; skill: SkillOverview; paths: string[]; choose: (resolution: Exclude<Files.OnExisting, 'refuse'>) => unknown };

/** Operations on skills and files other than editing text, with undo. */
export class Actions {
  dialog = $state.raw<ActionDialog | null>(null);
  readonly undoStack: UndoStack;
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
    this.undoStack = new UndoStack(toasts);
    this.structure = new Structure(client, catalog, this.undoStack, events, {
      report: (what, cause, retry) => this.#notifications.report(what, cause, retry),
      note: (message, hint) => toasts.show(message, { hint }),
      askAboutExisting: (skill, paths, choose) => (this.dialog = { kind: 'existingFiles', skill, paths, choose }),
    });
  }

  async entries(skill: SkillKey): Promise<FileEntry[]> {
    return (await this.#catalog.details.load(skill))?.entries ?? [];
  }

  /** Null on success. */
  async createSkill(name: string, description: string, scope: Scope, template: SkillTemplateId = 'empty'): Promise<Failure | null> {
    try {
      const { content, file } = SKILL_TEMPLATES[template];
      let detail = await this.#client.call('skill/create', { name, description, scope, content: content(name) });
      if (file) detail = (await this.#client.call('artifact/declare', { skill: detail.id, scope: detail.scope, ...file })).skill;
      this.#catalog.details.put(detail);
      this.#events.open(detail, mainOf(detail));
      this.undoStack.push(`Created ${detail.name}`, this.structure.creationStep(`create ${detail.name}`, detail));
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  /** With a kind the file is an artifact, declared in skill.json. Null on success. */
  async createFile(skill: SkillKey, path: string, kind: ArtifactKind | null, name: string): Promise<Failure | null> {
    try {
      const detail = await this.#requireDetail(skill);
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

  /** Adds a text file without opening it. Null on success. */
  async addFile(skill: SkillKey, path: string, text: string): Promise<Failure | null> {
    try {
      const { revision } = await this.#requireDetail(skill);
      this.#added(path, await this.#edit(skill, revision, [{ op: 'write', path, text }], `added ${path}`));
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  /** Makes a file an artifact, or a plain file if `kind` is null. */
  async declare(skill: SkillKey, path: string, kind: ArtifactKind | null): Promise<void> {
    try {
      const target = { skill: skill.id, scope: skill.scope, path };
      const result = kind
        ? await this.#client.call('artifact/declare', { ...target, kind, name: titleOf(path) })
        : await this.#client.call('artifact/undeclare', target);
      this.#stored(result);
      const label = `change the type of ${path}`;
      this.undoStack.push(kind ? `Changed ${path} to an artifact` : `Changed ${path} to a plain file`, this.structure.revisionStep(label, result.skill, result.before, result.revision));
    } catch (cause) {
      this.#notifications.report(`Couldn’t change ${path}`, cause);
    }
  }

  /** Duplicates a locked skill and opens the same file in the copy. */
  async duplicate(skill: SkillKey & { name: string }, path?: string): Promise<void> {
    try {
      const copy = await this.#client.call('skill/fork', { skill: skill.id, scope: skill.scope });
      this.#catalog.details.put(copy);
      const same = copy.entries.find((entry) => entry.path === path)?.path;
      this.#events.open(copy, same ?? mainOf(copy));
      const where = copy.scope === 'workspace' ? 'It overrides the account skill in this workspace.' : `Its name is ${copy.slug}.`;
      this.undoStack.push(`Duplicated ${skill.name}`, this.structure.creationStep(`duplicate ${skill.name}`, copy), where);
    } catch (cause) {
      this.#notifications.report(`Couldn’t duplicate ${skill.name}`, cause, () => this.duplicate(skill, path));
    }
  }

  async rollBack(skill: SkillKey, revision: Skill.RevisionInfo): Promise<void> {
    try {
      const before = (await this.#requireDetail(skill)).revision;
      const result = await this.#client.call('skill/rollback', {
        skill: skill.id,
        scope: skill.scope,
        number: revision.number,
        expected: before,
      });
      this.#stored(result);
      const step = this.structure.revisionStep(`roll back ${result.skill.name}`, result.skill, before, result.revision);
      this.undoStack.push(`Rolled back to revision ${revision.number}`, step, `Saved as revision ${result.revision}.`);
    } catch (cause) {
      this.#notifications.report(`Couldn’t roll back to revision ${revision.number}`, cause);
    }
  }

  async restoreFile(skill: SkillKey, number: number, path: string): Promise<void> {
    try {
      const before = (await this.#requireDetail(skill)).revision;
      const result = await this.#client.call('skill/restore_files', { skill: skill.id, scope: skill.scope, number, paths: [path], expected: before });
      this.#stored(result);
      const step = this.structure.revisionStep(`restore ${path}`, result.skill, before, result.revision);
      this.undoStack.push(`Restored ${path} from revision ${number}`, step, `Saved as revision ${result.revision}. Other files didn’t change.`);
    } catch (cause) {
      this.#notifications.report(`Couldn’t restore ${path} from revision ${number}`, cause);
    }
  }

  async setExecutable(skill: SkillKey, path: string, on: boolean): Promise<void> {
    try {
      const detail = await this.#requireDetail(skill);
      this.#stored(await this.#edit(skill, detail.revision, [{ op: 'executable', path, on }]));
    } catch (cause) {
      this.#notifications.report(`Couldn’t change ${path}`, cause);
    }
  }

  #added(path: string, result: EditResult): void {
    this.#stored(result);
    this.undoStack.push(`Created ${path}`, this.structure.revisionStep(`create ${path}`, result.skill, result.before, result.revision));
  }

  #edit(skill: SkillKey, expected: number, changes: Skill.Change[], why?: string): Promise<EditResult> {
    return this.#client.call('skill/edit', {
      skill: skill.id,
      scope: skill.scope,
      expected,
      changes,
      ...(why ? { why } : {}),
    });
  }

  #stored({ skill }: EditResult): void {
    this.#catalog.details.put(skill);
  }

  async #requireDetail(skill: SkillKey): Promise<SkillDetail> {
    const detail = await this.#catalog.details.load(skill, true);
    if (detail) return detail;
    const failure = this.#catalog.details.failureOf(skill);
    throw failure ? new Failed(failure) : new Error('the skill can’t be read');
  }
}

/** "check-prompt.md" is "Check prompt". */
function titleOf(path: string): string {
  const stem = baseName(path).replace(/\..*$/, '').replace(/[-_]+/g, ' ').trim();
  return stem.charAt(0).toUpperCase() + stem.slice(1);
}

const failure = (message: string, hint: string): Failure => ({ code: 'invalid', message, hint, fields: null, requestId: '' });
