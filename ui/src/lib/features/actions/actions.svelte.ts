import { asFailure, type Catalog, type Client, Failed, type SkillKey } from '$lib/api';
import type { Toasts } from '$lib/components';
import { baseName } from '$lib/domain';
import type { Change, EditResult, Failure, FileEntry, Kind, Revision, Scope, SkillDetail, SkillSummary } from '$lib/wire';

/** What the actions need of the editor. */
export interface ActionEvents {
  open: (key: SkillKey, path: string) => void;
  moved: (key: SkillKey, from: string, to: string) => void;
  closed: (key: SkillKey, path?: string) => void;
  isDirty: (key: SkillKey, path: string) => boolean;
}

export type ActionDialog =
  | { kind: 'newSkill'; scope: Scope }
  | { kind: 'newFile'; skill: SkillSummary; folder: string }
  | { kind: 'rename'; skill: SkillSummary; path: string; folder: boolean };

/** Everything that can be done to a skill or a file beside typing in it. What can be undone offers it. */
export class Actions {
  dialog = $state.raw<ActionDialog | null>(null);
  readonly #client: Client;
  readonly #catalog: Catalog;
  readonly #toasts: Toasts;
  readonly #events: ActionEvents;

  constructor(client: Client, catalog: Catalog, toasts: Toasts, events: ActionEvents) {
    this.#client = client;
    this.#catalog = catalog;
    this.#toasts = toasts;
    this.#events = events;
  }

  /** Says that something didn't work, with the next step. */
  report(what: string, cause: unknown, retry?: () => unknown): void {
    const failure = asFailure(cause);
    const dependents = failure.fields?.['dependents'];
    const names = Array.isArray(dependents) ? `Needed by ${dependents.join(', ')}.` : null;
    this.#toasts.show(`${what}: ${failure.message}`, {
      tone: 'error',
      hint: failure.hint ?? names,
      actions: retry ? [{ label: 'Try again', run: retry }] : [],
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
      this.#catalog.refresh();
      this.#events.open(detail, mainOf(detail));
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
          return failure(`${manifest} has unsaved changes`, `Save ${manifest} first: declaring the artifact writes to it.`);
        }
        const target = { skill: skill.id, scope: skill.scope };
        this.#took(await this.#client.call('artifact/declare', { ...target, path, kind, name }));
      } else {
        this.#took(await this.#edit(skill, detail.revision, [{ op: 'write', path, text: '' }], `added ${path}`));
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
      const { revision: before } = await this.#need(skill);
      const result = kind
        ? await this.#client.call('artifact/declare', { ...target, kind, name: titleOf(path) })
        : await this.#client.call('artifact/undeclare', target);
      this.#took(result);
      this.#toasts.show(kind ? `${path} is an artifact now` : `${path} is a plain file now`, {
        actions: [{ label: 'Undo', run: () => this.#rollBack(skill, before, result.revision) }],
      });
    } catch (cause) {
      this.report(`Couldn’t change ${path}`, cause);
    }
  }

  /** Moves a file, or a folder with all that is in it. */
  async rename(skill: SkillKey, from: string, to: string, folder: boolean): Promise<Failure | null> {
    if (from === to) return null;
    try {
      const detail = await this.#need(skill);
      const paths = folder ? detail.entries.map((entry) => entry.path).filter((path) => path.startsWith(`${from}/`)) : [from];
      const moves = paths.map((path) => ({ from: path, to: to + path.slice(from.length) }));
      const result = await this.#client.call('file/move', { skill: skill.id, scope: skill.scope, moves });
      for (const move of moves) this.#events.moved(skill, move.from, move.to);
      this.#took(result);
      this.#toasts.show(`Renamed ${baseName(from)} to ${to}`, {
        actions: [{ label: 'Undo', run: () => this.rename(skill, to, from, folder).then((f) => f && this.report('Couldn’t undo', f)) }],
      });
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  async deleteFile(skill: SkillKey, path: string, folder = false): Promise<void> {
    try {
      const detail = await this.#need(skill);
      const paths = folder ? detail.entries.map((entry) => entry.path).filter((one) => one.startsWith(`${path}/`)) : [path];
      const before = detail.revision;
      const result = await this.#client.call('file/delete', { skill: skill.id, scope: skill.scope, paths });
      for (const one of paths) this.#events.closed(skill, one);
      this.#took(result);
      this.#toasts.show(`Deleted ${path}`, {
        actions: [{ label: 'Undo', run: () => this.#rollBack(skill, before, result.revision) }],
      });
    } catch (cause) {
      this.report(`Couldn’t delete ${path}`, cause, () => this.deleteFile(skill, path, folder));
    }
  }

  async deleteSkill(skill: SkillSummary): Promise<void> {
    try {
      const expected = this.#catalog.summary(skill)?.revision ?? skill.revision;
      const { id } = await this.#client.call('skill/delete', { skill: skill.id, scope: skill.scope, expected });
      this.#events.closed(skill);
      this.#catalog.forget(skill);
      this.#catalog.refresh();
      const restore = async (): Promise<void> => {
        try {
          this.#catalog.put(await this.#client.call('skill/restore', { id, scope: skill.scope }));
          this.#catalog.refresh();
        } catch (cause) {
          this.report(`Couldn’t restore ${skill.name}`, cause, restore);
        }
      };
      this.#toasts.show(`Deleted ${skill.name}`, { actions: [{ label: 'Undo', run: restore }] });
    } catch (cause) {
      this.report(`Couldn’t delete ${skill.name}`, cause);
    }
  }

  async enable(skill: SkillSummary, enabled: boolean): Promise<void> {
    try {
      this.#catalog.putSummary(await this.#client.call('skill/enable', { skill: skill.id, scope: skill.scope, enabled }));
      this.#toasts.show(`${enabled ? 'Enabled' : 'Disabled'} ${skill.name}`, {
        actions: [{ label: 'Undo', run: () => this.enable(skill, !enabled) }],
      });
    } catch (cause) {
      this.report(`Couldn’t ${enabled ? 'enable' : 'disable'} ${skill.name}`, cause, () => this.enable(skill, enabled));
    }
  }

  /** "Duplicate to edit": a copy of one's own, opened at the same file. */
  async duplicate(skill: SkillKey & { name: string }, path?: string): Promise<void> {
    try {
      const copy = await this.#client.call('skill/fork', { skill: skill.id, scope: skill.scope });
      this.#catalog.put(copy);
      this.#catalog.refresh();
      const same = copy.entries.find((entry) => entry.path === path)?.path;
      this.#events.open(copy, same ?? mainOf(copy));
      const where = copy.scope === 'workspace' ? 'It overrides the account’s skill in this workspace.' : `Its name is ${copy.slug}.`;
      this.#toasts.show(`Duplicated ${skill.name}`, { hint: where });
    } catch (cause) {
      this.report(`Couldn’t duplicate ${skill.name}`, cause, () => this.duplicate(skill, path));
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
      this.#toasts.show(`Rolled back to revision ${revision.number}`, {
        hint: `This made revision ${result.revision}; nothing is lost.`,
        actions: [{ label: 'Undo', run: () => this.#rollBack(skill, before, result.revision) }],
      });
    } catch (cause) {
      this.report(`Couldn’t roll back to revision ${revision.number}`, cause);
    }
  }

  async setExecutable(skill: SkillKey, path: string, on: boolean): Promise<void> {
    try {
      const detail = await this.#need(skill);
      this.#took(await this.#edit(skill, detail.revision, [{ op: 'executable', path, on }]));
    } catch (cause) {
      this.report(`Couldn’t change ${path}`, cause);
    }
  }

  async exportTo(skills: readonly SkillSummary[], out: string, replace = false): Promise<void> {
    try {
      const ids = skills.map((skill) => skill.id);
      const { items } = await this.#client.call('skill/export', { skills: ids, out, replace });
      const first = items[0];
      const what = items.length === 1 && first ? `Exported ${first.slug} to ${first.path}` : `Exported ${items.length} skills to ${out}`;
      this.#toasts.show(what, { tone: 'ok' });
    } catch (cause) {
      const known = asFailure(cause);
      if (known.code !== 'exists' || replace) {
        this.report('Couldn’t export', known);
        return;
      }
      this.#toasts.show(`Couldn’t export: ${known.message}`, {
        tone: 'warn',
        lasts: 0,
        actions: [{ label: 'Replace it', run: () => this.exportTo(skills, out, true) }],
      });
    }
  }

  /** Undo of a write: back to the revision before, unless someone wrote meanwhile. */
  async #rollBack(skill: SkillKey, number: number, expected: number): Promise<void> {
    try {
      this.#took(
        await this.#client.call('skill/rollback', { skill: skill.id, scope: skill.scope, number, expected }),
      );
    } catch (cause) {
      this.report('Couldn’t undo', cause);
    }
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

export const mainOf = (detail: SkillDetail): string =>
  detail.entries.find((entry) => entry.role === 'main')?.path ?? detail.entries[0]?.path ?? 'SKILL.md';

/** A name for the artifact that a file becomes: its stem, as words. */
function titleOf(path: string): string {
  const stem = baseName(path).replace(/\..*$/, '').replace(/[-_]+/g, ' ').trim();
  return stem.charAt(0).toUpperCase() + stem.slice(1);
}

const failure = (message: string, hint: string): Failure => ({ code: 'invalid', message, hint, fields: null, requestId: '' });
