import { asFailure, type SkillOverview, type Catalog, type Client, Failed, type SkillKey, skillKey } from '$lib/api';
import { baseName, folderOf, plural } from '$lib/domain';
import type { Failure, Files, Scope, SkillDetail } from '$lib/api/generated';
import type { ActionEvents } from './actionEvents';
import { combineSteps, type Step, type UndoStack } from './undoStack.svelte';
import { withDrafts } from './draftMigration';
import { freeFolder, inFolder } from './names';

export type TreeItem = { kind: 'skill'; skill: SkillOverview } | { kind: 'folder' | 'file'; skill: SkillOverview; path: string };
export type DropTarget = { kind: 'folder'; skill: SkillOverview; folder: string } | { kind: 'scope'; scope: Scope };

interface Reporter {
  report: (what: string, cause: unknown, retry?: () => unknown) => void;
  note: (message: string, hint: string) => void;
  /** Asks what to do about files that exist already. */
  askAboutExisting: (skill: SkillOverview, paths: string[], choose: (resolution: Exclude<Files.OnExisting, 'refuse'>) => unknown) => void;
}

/** The files and folders of one skill. */
interface Group {
  skill: SkillOverview;
  items: { kind: 'folder' | 'file'; path: string }[];
}

const nameOf = (item: TreeItem): string => (item.kind === 'skill' ? item.skill.name : baseName(item.path));
const labelOf = (items: readonly TreeItem[]): string => {
  const [first] = items;
  if (items.length === 1 && first) return nameOf(first);
  return plural(items.length, items.every((one) => one.kind === 'skill') ? 'skill' : items.every((one) => one.kind === 'file') ? 'file' : 'item');
};
const targetLabel = (target: DropTarget): string => (target.kind === 'scope' ? `the ${target.scope}` : target.folder === '' ? target.skill.name : target.folder);

/**
 * Renames, moves, copies and deletes skills and files, each as a step that can be undone. Undo keeps later changes of other files; if the
 * same files changed since, the core refuses it.
 */
export class Structure {
  readonly #client: Client;
  readonly #catalog: Catalog;
  readonly #undoStack: UndoStack;
  readonly #events: ActionEvents;
  readonly #reporter: Reporter;

  constructor(client: Client, catalog: Catalog, undoStack: UndoStack, events: ActionEvents, reporter: Reporter) {
    this.#client = client;
    this.#catalog = catalog;
    this.#undoStack = undoStack;
    this.#events = events;
    this.#reporter = reporter;
  }

  /** Moves a file or folder within its skill. Null on success. */
  async rename(skill: SkillOverview, from: string, to: string, folder: boolean): Promise<Failure | null> {
    if (from === to) return null;
    try {
      const moves = await this.#moves({ skill, items: [{ kind: folder ? 'folder' : 'file', path: from }] }, () => to);
      await this.#moveWithin(skill, moves);
      this.#undoStack.push(`Renamed ${baseName(from)} to ${to}`, this.#movedStep(`rename ${baseName(from)}`, skill, moves));
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  /** Null on success. */
  async retitle(skill: SkillOverview, name: string): Promise<Failure | null> {
    try {
      const result = await this.#client.call('skill/describe', { skill: skill.id, scope: skill.scope, values: { name } });
      this.#catalog.details.put(result.skill);
      this.#undoStack.push(`Renamed ${skill.name} to ${result.skill.name}`, this.revisionStep(`rename ${skill.name}`, skill, result.before, result.revision), `Its name is still ${skill.slug}.`);
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  async remove(items: readonly TreeItem[]): Promise<void> {
    const what = labelOf(items);
    await this.#runAll(`Deleted ${what}`, `delete ${what}`, `Couldn’t delete ${what}`, [
      ...groups(items).map((group) => () => this.#removeFiles(group)),
      ...items.filter((one) => one.kind === 'skill').map(({ skill }) => () => this.#removeSkill(skill)),
    ]);
  }

  async restore(skills: readonly (SkillKey & { name: string })[]): Promise<void> {
    const [first] = skills;
    const what = skills.length === 1 && first ? first.name : plural(skills.length, 'skill');
    await this.#runAll(
      `Restored ${what}`,
      `restore ${what}`,
      `Couldn’t restore ${what}`,
      skills.map((skill) => async () => {
        const detail = await this.#restore(skill);
        this.#events.reveal(detail, []);
        return this.creationStep('', detail);
      }),
    );
  }

  /** Copies each item next to the original. */
  async duplicate(items: readonly TreeItem[]): Promise<void> {
    const what = labelOf(items);
    await this.#runAll(`Duplicated ${what}`, `duplicate ${what}`, `Couldn’t duplicate ${what}`, [
      ...groups(items).map((group) => async () => {
        const used = (await this.#requireDetail(group.skill)).entries.map((entry) => entry.path);
        const files = await this.#moves(group, (item) => (item.kind === 'folder' ? freeFolder(item.path, used) : item.path));
        return this.#copy(group.skill, group.skill, files, false, 'both');
      }),
      ...items.filter((one) => one.kind === 'skill').map(({ skill }) => async () => {
        const copy = await this.#client.call('skill/duplicate', { skill: skill.id, scope: skill.scope });
        this.#catalog.details.put(copy);
        this.#events.reveal(copy, []);
        return this.creationStep('', copy);
      }),
    ]);
  }

  /** Moves or copies. */
  async transfer(items: readonly TreeItem[], target: DropTarget, copy: boolean, onExisting: Files.OnExisting = 'refuse'): Promise<void> {
    const what = labelOf(items);
    const verb = copy ? 'copy' : 'move';
    const done = `${copy ? 'Copied' : 'Moved'} ${what} to ${targetLabel(target)}`;
    const works =
      target.kind === 'scope'
        ? items.filter((one) => one.kind === 'skill' && (copy || one.skill.scope !== target.scope)).map(({ skill }) => () => this.#toScope(skill, target.scope, copy))
        : groups(items).map((group) => () => this.#toFolder(group, target, copy, onExisting));
    const failed = `Couldn’t ${verb} ${what}`;
    await this.#runAll(done, `${verb} ${what}`, failed, works, (failure) => {
      const paths = failure.fields?.['paths'];
      if (target.kind !== 'folder' || !Array.isArray(paths)) return false;
      this.#reporter.askAboutExisting(target.skill, paths.map(String), (chosen) => this.transfer(items, target, copy, chosen));
      return true;
    });
  }

  /** Adds files and folders of the disk to a skill. */
  async add(paths: readonly string[], skill: SkillOverview, folder: string, onExisting: Files.OnExisting = 'refuse'): Promise<void> {
    const what = paths.length === 1 ? baseName(paths[0] ?? '') : plural(paths.length, 'item');
    const work = async (): Promise<Step | null> => {
      const target = { skill: skill.id, scope: skill.scope };
      return this.#addedStep(await this.#client.call('file/add', { ...target, folder: folder === '' ? null : folder, paths: [...paths], on_existing: onExisting }), skill);
    };
    await this.#runAll(`Added ${what} to ${folder === '' ? skill.name : folder}`, `add ${what}`, `Couldn’t add ${what}`, [work], (failure) => {
      const existing = failure.fields?.['paths'];
      if (!Array.isArray(existing)) return false;
      this.#reporter.askAboutExisting(skill, existing.map(String), (chosen) => this.add(paths, skill, folder, chosen));
      return true;
    });
  }

  async enable(skills: readonly SkillOverview[], enabled: boolean): Promise<void> {
    const what = labelOf(skills.map((skill) => ({ kind: 'skill', skill })));
    const set = (skill: SkillKey, on: boolean) => async (): Promise<void> => {
      this.#catalog.putSummary(await this.#client.call('skill/enable', { skill: skill.id, scope: skill.scope, enabled: on }));
    };
    const verb = enabled ? 'enable' : 'disable';
    const works = skills.filter((skill) => skill.enabled !== enabled).map((skill) => async (): Promise<Step> => {
      await set(skill, enabled)();
      return { label: '', undo: set(skill, !enabled), redo: set(skill, enabled) };
    });
    await this.#runAll(`${enabled ? 'Enabled' : 'Disabled'} ${what}`, `${verb} ${what}`, `Couldn’t ${verb} ${what}`, works);
  }

  /** A step that undo and redo revert in the skill's history. */
  revisionStep(label: string, skill: SkillKey, before: number, after: number): Step {
    const go = (from: number, to: number) => async (): Promise<void> => {
      const { skill: detail } = await this.#client.call('skill/revert', { skill: skill.id, scope: skill.scope, from, to });
      const known = this.#catalog.details.get(skill)?.entries ?? [];
      for (const { path } of known) if (!detail.entries.some((entry) => entry.path === path)) this.#events.closed(skill, path);
      this.#catalog.details.put(detail);
    };
    return { label, undo: go(after, before), redo: go(before, after) };
  }

  /** A step that created a skill: undo deletes it, redo restores it. */
  creationStep(label: string, skill: SkillDetail): Step {
    let expected = skill.revision;
    return {
      label,
      undo: async () => {
        expected = (await this.#delete(skill, this.#catalog.summary(skill)?.revision ?? expected)).revision;
      },
      redo: async () => {
        expected = (await this.#restore(skill)).revision;
      },
    };
  }

  /** Runs several operations as one step. If one fails, the others are kept and can be undone. */
  async #runAll(done: string, label: string, failed: string, works: (() => Promise<Step | null>)[], handled?: (failure: Failure) => boolean): Promise<void> {
    const steps: Step[] = [];
    const failures: Failure[] = [];
    try {
      await this.#events.saveDrafts();
    } catch (cause) {
      this.#reporter.report(failed, cause);
      return;
    }
    for (const work of works) {
      try {
        const step = await work();
        if (step) steps.push(step);
      } catch (cause) {
        failures.push(asFailure(cause));
      }
    }
    const [first] = failures;
    if (steps.length > 0) {
      const note = first ? `${failures.length} of ${works.length} failed.` : null;
      this.#undoStack.push(done, combineSteps(label, steps), note);
    }
    if (first && !(works.length === 1 && handled?.(first))) this.#reporter.report(failed, first);
  }

  async #removeFiles(group: Group): Promise<Step> {
    const { skill } = group;
    const paths = (await this.#moves(group, ({ path }) => path)).map((move) => move.from);
    const result = await this.#client.call('file/delete', { skill: skill.id, scope: skill.scope, paths });
    for (const path of paths) this.#events.closed(skill, path);
    this.#catalog.details.put(result.skill);
    return this.revisionStep('', skill, result.before, result.revision);
  }

  async #removeSkill(skill: SkillOverview): Promise<Step> {
    await this.#delete(skill, this.#catalog.summary(skill)?.revision ?? skill.revision);
    let expected = skill.revision;
    return {
      label: '',
      undo: async () => {
        // Somebody else may have restored it.
        expected = (this.#catalog.summary(skill) ?? (await this.#restore(skill))).revision;
      },
      redo: async () => {
        await this.#delete(skill, this.#catalog.summary(skill)?.revision ?? expected);
      },
    };
  }

  async #delete(skill: SkillKey, expected: number): Promise<{ revision: number }> {
    const deleted = await this.#client.call('skill/delete', { skill: skill.id, scope: skill.scope, expected });
    this.#events.closed(skill);
    this.#catalog.delete(skill);
    return deleted;
  }

  async #restore(skill: SkillKey): Promise<SkillDetail> {
    const detail = await this.#client.call('skill/restore', { id: skill.id, scope: skill.scope });
    this.#catalog.details.put(detail);
    return detail;
  }

  async #toScope(skill: SkillOverview, to: Scope, copy: boolean): Promise<Step> {
    let moved = await this.#moveTo(skill, to, copy);
    if (copy) return this.creationStep('', moved);
    return {
      label: '',
      undo: async () => {
        moved = await this.#moveTo(moved, skill.scope, false);
      },
      redo: async () => {
        moved = await this.#moveTo(moved, to, false);
      },
    };
  }

  async #moveTo(skill: SkillKey, to: Scope, keep: boolean): Promise<SkillDetail> {
    const { skill: moved, removed, unlinked, failure } = await this.#client.call('skill/move', { skill: skill.id, scope: skill.scope, to, keep });
    this.#catalog.details.put(moved);
    if (removed) {
      this.#events.closed(skill);
      this.#catalog.delete(skill);
      this.#events.reveal(moved, []);
    }
    if (unlinked !== null) this.#reporter.note(`${moved.name} is no longer linked to ${unlinked}`, 'The files there stay.');
    if (failure) this.#reporter.report(`Copied ${moved.name} to the ${to}, but couldn’t remove the original`, failure);
    return moved;
  }

  async #toFolder(group: Group, target: DropTarget & { kind: 'folder' }, copy: boolean, onExisting: Files.OnExisting): Promise<Step | null> {
    const { skill } = group;
    const same = skillKey(skill) === skillKey(target.skill);
    const isInTarget = (path: string): boolean => same && folderOf(path) === target.folder;
    const used = copy && same ? (await this.#requireDetail(skill)).entries.map((entry) => entry.path) : [];
    const files = await this.#moves(group, (item) => {
      if (copy && isInTarget(item.path)) return item.kind === 'folder' ? freeFolder(item.path, used) : item.path;
      return inFolder(target.folder, baseName(item.path));
    });
    if (same && !copy) {
      const moves = files.filter((move) => move.from !== move.to);
      if (moves.length === 0) return null;
      await this.#moveWithin(skill, moves);
      return this.#movedStep('', skill, moves);
    }
    // A copy in its own folder is renamed without asking.
    const copiesInPlace = group.items.every((item) => isInTarget(item.path));
    return this.#copy(skill, target.skill, files, !copy, copiesInPlace ? 'both' : onExisting);
  }

  async #copy(from: SkillOverview, to: SkillOverview, files: Files.FileMove[], remove: boolean, onExisting: Files.OnExisting): Promise<Step | null> {
    const result = await this.#client.call('file/copy', { skill: from.id, scope: from.scope, to_skill: to.id, to_scope: to.scope, files, remove, on_existing: onExisting });
    const step = this.#addedStep(result, to);
    if (result.failure) this.#reporter.report(`Copied the files to ${to.name}, but couldn’t remove them from ${from.name}`, result.failure);
    const { source, source_before: before } = result;
    if (!step || !source || before === null) return step;
    for (const { from: path } of result.files) this.#events.closed(from, path);
    this.#catalog.details.put(source);
    // Undo restores the files before it removes their copies, and redo copies them before it removes them.
    const removal = this.revisionStep('', from, before, source.revision);
    const back = result.files.map((file) => ({ from: file.to, to: file.from }));
    return {
      label: '',
      undo: async () => {
        await this.#events.saveDrafts();
        await removal.undo();
        await withDrafts(this.#client, this.#catalog, to, from, back, step.undo);
      },
      redo: async () => {
        await this.#events.saveDrafts();
        await step.redo();
        await withDrafts(this.#client, this.#catalog, from, to, result.files, removal.redo);
      },
    };
  }

  /** Null if no file was added, since all of them were skipped. */
  #addedStep({ skill, before, files }: Files.AddedFiles, to: SkillOverview): Step | null {
    if (files.length === 0) return null;
    this.#catalog.details.put(skill);
    this.#events.reveal(skill, files.map((file) => file.to));
    return this.revisionStep('', to, before, skill.revision);
  }

  async #moveWithin(skill: SkillKey, moves: Files.FileMove[]): Promise<void> {
    const result = await this.#client.call('file/move', { skill: skill.id, scope: skill.scope, moves });
    for (const move of moves) this.#events.moved(skill, move.from, move.to);
    this.#catalog.details.put(result.skill);
  }

  /** Undo moves the files back instead of reverting, so that later changes of their texts stay. */
  #movedStep(label: string, skill: SkillKey, moves: readonly Files.FileMove[]): Step {
    const back = moves.map(({ from, to }) => ({ from: to, to: from }));
    return {
      label,
      undo: () => this.#moveWithin(skill, back),
      redo: () => this.#moveWithin(skill, [...moves]),
    };
  }

  /** The files of a group with their new paths; a folder counts as all files in it. */
  async #moves({ skill, items }: Group, to: (item: { kind: 'folder' | 'file'; path: string }) => string): Promise<Files.FileMove[]> {
    if (items.every((item) => item.kind === 'file')) return items.map((item) => ({ from: item.path, to: to(item) }));
    const paths = (await this.#requireDetail(skill)).entries.map((entry) => entry.path);
    return items.flatMap((item) => {
      const target = to(item);
      if (item.kind === 'file') return [{ from: item.path, to: target }];
      return paths.filter((path) => path.startsWith(`${item.path}/`)).map((path) => ({ from: path, to: target + path.slice(item.path.length) }));
    });
  }

  async #requireDetail(skill: SkillKey): Promise<SkillDetail> {
    const detail = await this.#catalog.details.load(skill, true);
    if (detail) return detail;
    const failure = this.#catalog.details.failureOf(skill);
    throw failure ? new Failed(failure) : new Error('the skill can’t be read');
  }
}

function groups(items: readonly TreeItem[]): Group[] {
  const found = new Map<string, Group>();
  for (const item of items) {
    if (item.kind === 'skill') continue;
    const key = skillKey(item.skill);
    const group = found.get(key) ?? { skill: item.skill, items: [] };
    group.items.push(item);
    found.set(key, group);
  }
  return [...found.values()];
}
