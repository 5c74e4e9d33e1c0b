import { asFailure, type Brief, type Catalog, type Client, Failed, type SkillKey, skillKey } from '$lib/api';
import { baseName, folderOf, plural } from '$lib/domain';
import type { AddedFiles, OnExisting, Draft, Failure, FileMove, Scope, SkillDetail } from '$lib/api/generated';
import type { ActionEvents } from './actions.svelte';
import type { Journal, Step } from './journal.svelte';
import { freeFolder, inFolder } from './names';

/** A skill, or a file or folder of one. */
export type Thing = { kind: 'skill'; skill: Brief } | { kind: 'folder' | 'file'; skill: Brief; path: string };
/** Where things come to. */
export type Goal = { kind: 'folder'; skill: Brief; folder: string } | { kind: 'scope'; scope: Scope };

interface Says {
  report: (what: string, cause: unknown, retry?: () => unknown) => void;
  /** Asks what to do about files that are there already. */
  ask: (skill: Brief, paths: string[], choose: (clash: Exclude<OnExisting, 'refuse'>) => unknown) => void;
}

/** The paths of one skill among the things. */
interface Group {
  skill: Brief;
  things: { kind: 'folder' | 'file'; path: string }[];
}

const nameOf = (thing: Thing): string => (thing.kind === 'skill' ? thing.skill.name : baseName(thing.path));
const wordsFor = (things: readonly Thing[]): string => {
  const [first] = things;
  if (things.length === 1 && first) return nameOf(first);
  return plural(things.length, things.every((one) => one.kind === 'skill') ? 'skill' : things.every((one) => one.kind === 'file') ? 'file' : 'item');
};
const placeFor = (goal: Goal): string => (goal.kind === 'scope' ? `the ${goal.scope}` : goal.folder === '' ? goal.skill.name : goal.folder);

/**
 * What is done to files and skills as wholes, each as a step that can be taken back. Taking back is of that step only: what was
 * written since to other files stays, and if the same files were written the core refuses and says so.
 */
export class Structure {
  readonly #client: Client;
  readonly #catalog: Catalog;
  readonly #journal: Journal;
  readonly #events: ActionEvents;
  readonly #says: Says;

  constructor(client: Client, catalog: Catalog, journal: Journal, events: ActionEvents, says: Says) {
    this.#client = client;
    this.#catalog = catalog;
    this.#journal = journal;
    this.#events = events;
    this.#says = says;
  }

  /** Moves a file, or a folder with all that is in it, within its skill. What is wrong with that, or null. */
  async rename(skill: Brief, from: string, to: string, folder: boolean): Promise<Failure | null> {
    if (from === to) return null;
    try {
      const moves = await this.#moves({ skill, things: [{ kind: folder ? 'folder' : 'file', path: from }] }, () => to);
      await this.#moveWithin(skill, moves);
      this.#journal.did(`Renamed ${baseName(from)} to ${to}`, this.#movedStep(`rename ${baseName(from)}`, skill, moves));
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  /** Gives a skill another title. */
  async retitle(skill: Brief, name: string): Promise<Failure | null> {
    try {
      const result = await this.#client.call('skill/describe', { skill: skill.id, scope: skill.scope, values: { name } });
      this.#catalog.put(result.skill);
      this.#journal.did(`Renamed ${skill.name} to ${result.skill.name}`, this.stretch(`rename ${skill.name}`, skill, result.before, result.revision), `Its name is still ${skill.slug}.`);
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  async remove(things: readonly Thing[]): Promise<void> {
    const words = wordsFor(things);
    await this.#all(`Deleted ${words}`, `delete ${words}`, `Couldn’t delete ${words}`, [
      ...groups(things).map((group) => () => this.#removeFiles(group)),
      ...things.filter((one) => one.kind === 'skill').map(({ skill }) => () => this.#removeSkill(skill)),
    ]);
  }

  /** Restores deleted skills. */
  async restore(skills: readonly (SkillKey & { name: string })[]): Promise<void> {
    const [first] = skills;
    const words = skills.length === 1 && first ? first.name : plural(skills.length, 'skill');
    await this.#all(
      `Restored ${words}`,
      `restore ${words}`,
      `Couldn’t restore ${words}`,
      skills.map((skill) => async () => {
        const detail = await this.#restore(skill);
        this.#events.arrived(detail, []);
        return this.comesAndGoes('', detail);
      }),
    );
  }

  /** A copy beside each. */
  async duplicate(things: readonly Thing[]): Promise<void> {
    const words = wordsFor(things);
    await this.#all(`Duplicated ${words}`, `duplicate ${words}`, `Couldn’t duplicate ${words}`, [
      ...groups(things).map((group) => async () => {
        const taken = (await this.#need(group.skill)).entries.map((entry) => entry.path);
        const files = await this.#moves(group, (thing) => (thing.kind === 'folder' ? freeFolder(thing.path, taken) : thing.path));
        return this.#copy(group.skill, group.skill, files, false, 'both');
      }),
      ...things.filter((one) => one.kind === 'skill').map(({ skill }) => async () => {
        const copy = await this.#client.call('skill/duplicate', { skill: skill.id, scope: skill.scope });
        this.#catalog.put(copy);
        this.#events.arrived(copy, []);
        return this.comesAndGoes('', copy);
      }),
    ]);
  }

  /** Moves or copies things to another place. */
  async bring(things: readonly Thing[], goal: Goal, copy: boolean, clash: OnExisting = 'refuse'): Promise<void> {
    const words = wordsFor(things);
    const verb = copy ? 'copy' : 'move';
    const done = `${copy ? 'Copied' : 'Moved'} ${words} to ${placeFor(goal)}`;
    const works =
      goal.kind === 'scope'
        ? things.filter((one) => one.kind === 'skill' && (copy || one.skill.scope !== goal.scope)).map(({ skill }) => () => this.#toScope(skill, goal.scope, copy))
        : groups(things).map((group) => () => this.#toFolder(group, goal, copy, clash));
    const failed = `Couldn’t ${verb} ${words}`;
    await this.#all(done, `${verb} ${words}`, failed, works, (failure) => {
      const paths = failure.fields?.['paths'];
      if (goal.kind !== 'folder' || !Array.isArray(paths)) return false;
      this.#says.ask(goal.skill, paths.map(String), (chosen) => this.bring(things, goal, copy, chosen));
      return true;
    });
  }

  /** Files and folders of the disk become files of a skill. */
  async add(paths: readonly string[], skill: Brief, folder: string, clash: OnExisting = 'refuse'): Promise<void> {
    const words = paths.length === 1 ? baseName(paths[0] ?? '') : plural(paths.length, 'item');
    const work = async (): Promise<Step | null> => {
      const target = { skill: skill.id, scope: skill.scope };
      return this.#arrived(await this.#client.call('file/add', { ...target, folder: folder === '' ? null : folder, paths: [...paths], clash }), skill);
    };
    await this.#all(`Added ${words} to ${folder === '' ? skill.name : folder}`, `add ${words}`, `Couldn’t add ${words}`, [work], (failure) => {
      const there = failure.fields?.['paths'];
      if (!Array.isArray(there)) return false;
      this.#says.ask(skill, there.map(String), (chosen) => this.add(paths, skill, folder, chosen));
      return true;
    });
  }

  async enable(skills: readonly Brief[], enabled: boolean): Promise<void> {
    const words = wordsFor(skills.map((skill) => ({ kind: 'skill', skill })));
    const set = (skill: SkillKey, on: boolean) => async (): Promise<void> => {
      this.#catalog.putSummary(await this.#client.call('skill/enable', { skill: skill.id, scope: skill.scope, enabled: on }));
    };
    const verb = enabled ? 'enable' : 'disable';
    const works = skills.filter((skill) => skill.enabled !== enabled).map((skill) => async (): Promise<Step> => {
      await set(skill, enabled)();
      return { label: '', undo: set(skill, !enabled), redo: set(skill, enabled) };
    });
    await this.#all(`${enabled ? 'Enabled' : 'Disabled'} ${words}`, `${verb} ${words}`, `Couldn’t ${verb} ${words}`, works);
  }

  /** A stretch of a skill's history, taken back and done again. */
  stretch(label: string, skill: SkillKey, before: number, after: number): Step {
    const go = (from: number, to: number) => async (): Promise<void> => {
      const { skill: detail } = await this.#client.call('skill/revert', { skill: skill.id, scope: skill.scope, from, to });
      const known = this.#catalog.detail(skill)?.entries ?? [];
      for (const { path } of known) if (!detail.entries.some((entry) => entry.path === path)) this.#events.closed(skill, path);
      this.#catalog.put(detail);
    };
    return { label, undo: go(after, before), redo: go(before, after) };
  }

  /** A skill that came: taking it back deletes it, doing it again brings it back. */
  comesAndGoes(label: string, skill: SkillDetail): Step {
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

  /** Does several things that make one step. What was done before one failed is kept, and can be undone. */
  async #all(done: string, label: string, failed: string, works: (() => Promise<Step | null>)[], handled?: (failure: Failure) => boolean): Promise<void> {
    const steps: Step[] = [];
    const failures: Failure[] = [];
    try {
      await this.#events.keep();
    } catch (cause) {
      this.#says.report(failed, cause);
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
      const inOrder = async (list: Step[], which: 'undo' | 'redo'): Promise<void> => {
        for (const step of list) await step[which]();
      };
      const note = first ? `${failures.length} of ${works.length} failed.` : null;
      this.#journal.did(done, { label, undo: () => inOrder(steps.toReversed(), 'undo'), redo: () => inOrder(steps, 'redo') }, note);
    }
    if (first && !(works.length === 1 && handled?.(first))) this.#says.report(failed, first);
  }

  async #removeFiles(group: Group): Promise<Step> {
    const { skill } = group;
    const paths = (await this.#moves(group, ({ path }) => path)).map((move) => move.from);
    const drafts = (await this.#draftsOf(skill)).filter((draft) => paths.includes(draft.path));
    const result = await this.#client.call('file/delete', { skill: skill.id, scope: skill.scope, paths });
    for (const path of paths) this.#events.closed(skill, path);
    this.#catalog.put(result.skill);
    const step = this.stretch('', skill, result.before, result.revision);
    return { ...step, undo: () => step.undo().then(() => this.#keepDrafts(drafts)) };
  }

  async #removeSkill(skill: Brief): Promise<Step> {
    const drafts = await this.#draftsOf(skill);
    await this.#delete(skill, this.#catalog.summary(skill)?.revision ?? skill.revision);
    let expected = skill.revision;
    return {
      label: '',
      undo: async () => {
        expected = (await this.#restore(skill)).revision;
        await this.#keepDrafts(drafts);
      },
      redo: async () => {
        await this.#delete(skill, this.#catalog.summary(skill)?.revision ?? expected);
      },
    };
  }

  async #draftsOf(skill: SkillKey): Promise<Draft[]> {
    return (await this.#client.call('draft/get', { skill: skill.id, scope: skill.scope })).drafts;
  }

  /** Unsaved text that went with what was deleted comes back with it. */
  async #keepDrafts(drafts: readonly Draft[]): Promise<void> {
    for (const { skill_id, scope, path, base_revision, text } of drafts) {
      await this.#client.call('draft/save', { skill: skill_id, scope, path, base_revision, text });
    }
  }

  async #delete(skill: SkillKey, expected: number): Promise<{ revision: number }> {
    const gone = await this.#client.call('skill/delete', { skill: skill.id, scope: skill.scope, expected });
    this.#events.closed(skill);
    this.#catalog.forget(skill);
    return gone;
  }

  async #restore(skill: SkillKey): Promise<SkillDetail> {
    const detail = await this.#client.call('skill/restore', { id: skill.id, scope: skill.scope });
    this.#catalog.put(detail);
    return detail;
  }

  async #toScope(skill: Brief, to: Scope, copy: boolean): Promise<Step> {
    let there = await this.#go(skill, to, copy);
    if (copy) return this.comesAndGoes('', there);
    return {
      label: '',
      undo: async () => {
        there = await this.#go(there, skill.scope, false);
      },
      redo: async () => {
        there = await this.#go(there, to, false);
      },
    };
  }

  async #go(skill: SkillKey, to: Scope, keep: boolean): Promise<SkillDetail> {
    const { skill: there, removed, left } = await this.#client.call('skill/move', { skill: skill.id, scope: skill.scope, to, keep });
    this.#catalog.put(there);
    if (removed) {
      this.#events.closed(skill);
      this.#catalog.forget(skill);
      this.#events.arrived(there, []);
    }
    if (left) this.#says.report(`Copied ${there.name} to the ${to}, but couldn’t remove the original`, { code: 'io', ...left });
    return there;
  }

  async #toFolder(group: Group, goal: Goal & { kind: 'folder' }, copy: boolean, clash: OnExisting): Promise<Step | null> {
    const { skill } = group;
    const same = skillKey(skill) === skillKey(goal.skill);
    const here = (path: string): boolean => same && folderOf(path) === goal.folder;
    const taken = copy && same ? (await this.#need(skill)).entries.map((entry) => entry.path) : [];
    const files = await this.#moves(group, (thing) => {
      if (copy && here(thing.path)) return thing.kind === 'folder' ? freeFolder(thing.path, taken) : thing.path;
      return inFolder(goal.folder, baseName(thing.path));
    });
    if (same && !copy) {
      const moves = files.filter((move) => move.from !== move.to);
      if (moves.length === 0) return null;
      await this.#moveWithin(skill, moves);
      return this.#movedStep('', skill, moves);
    }
    // A copy in its own folder gets another name without a question.
    const besides = group.things.every((thing) => here(thing.path));
    return this.#copy(skill, goal.skill, files, !copy, besides ? 'both' : clash);
  }

  async #copy(from: Brief, to: Brief, files: FileMove[], remove: boolean, clash: OnExisting): Promise<Step | null> {
    const arrived = await this.#client.call('file/copy', { skill: from.id, scope: from.scope, to_skill: to.id, to_scope: to.scope, files, remove, clash });
    const step = this.#arrived(arrived, to);
    if (arrived.left) this.#says.report(`Copied the files to ${to.name}, but couldn’t remove them from ${from.name}`, { code: 'io', ...arrived.left });
    const { source, source_before: before } = arrived;
    if (!step || !source || before === null) return step;
    for (const { from: path } of arrived.files) this.#events.closed(from, path);
    this.#catalog.put(source);
    // They are back where they were before they go from where they came to.
    const back = this.stretch('', from, before, source.revision);
    return {
      label: '',
      undo: async () => {
        await back.undo();
        await step.undo();
      },
      redo: async () => {
        await step.redo();
        await back.redo();
      },
    };
  }

  /** Null when nothing came, since all was left out. */
  #arrived({ skill, before, files }: AddedFiles, to: Brief): Step | null {
    if (files.length === 0) return null;
    this.#catalog.put(skill);
    this.#events.arrived(skill, files.map((file) => file.to));
    return this.stretch('', to, before, skill.revision);
  }

  async #moveWithin(skill: SkillKey, moves: FileMove[]): Promise<void> {
    const result = await this.#client.call('file/move', { skill: skill.id, scope: skill.scope, moves });
    for (const move of moves) this.#events.moved(skill, move.from, move.to);
    this.#catalog.put(result.skill);
  }

  /** A move is taken back by a move, so that what was written since into the files stays. */
  #movedStep(label: string, skill: SkillKey, moves: readonly FileMove[]): Step {
    const back = moves.map(({ from, to }) => ({ from: to, to: from }));
    return {
      label,
      undo: () => this.#moveWithin(skill, back),
      redo: () => this.#moveWithin(skill, [...moves]),
    };
  }

  /** The files of a group with their new paths; a folder stands for all that is in it. */
  async #moves({ skill, things }: Group, to: (thing: { kind: 'folder' | 'file'; path: string }) => string): Promise<FileMove[]> {
    if (things.every((thing) => thing.kind === 'file')) return things.map((thing) => ({ from: thing.path, to: to(thing) }));
    const paths = (await this.#need(skill)).entries.map((entry) => entry.path);
    return things.flatMap((thing) => {
      const target = to(thing);
      if (thing.kind === 'file') return [{ from: thing.path, to: target }];
      return paths.filter((path) => path.startsWith(`${thing.path}/`)).map((path) => ({ from: path, to: target + path.slice(thing.path.length) }));
    });
  }

  async #need(skill: SkillKey): Promise<SkillDetail> {
    const detail = await this.#catalog.load(skill, true);
    if (detail) return detail;
    const failure = this.#catalog.detailFailure(skill);
    throw failure ? new Failed(failure) : new Error('the skill can’t be read');
  }
}

function groups(things: readonly Thing[]): Group[] {
  const found = new Map<string, Group>();
  for (const thing of things) {
    if (thing.kind === 'skill') continue;
    const key = skillKey(thing.skill);
    const group = found.get(key) ?? { skill: thing.skill, things: [] };
    group.things.push(thing);
    found.set(key, group);
  }
  return [...found.values()];
}
