import { SvelteSet } from 'svelte/reactivity';
import { asFailure, type Client, Deadline, Debounce, type ChangeFeed, Latest, type SkillKey } from '$lib/api';
import { ViewRequest } from '$lib/components';
import { afterKey } from '$lib/domain';
import type { Failure, Match, Matches, Query, Scope } from '$lib/api/generated';
import { flatten, type MatchRow, named, type Row } from './rows';

const TYPE_MS = 150;
/** Other programs save many skills at once: what is shown is searched again at most this often. */
const LIVE_MS = 250;

export type Switch = 'case' | 'word' | 'regex';
export type Field = 'text' | 'replacement';

export interface SearchEvents {
  /** Shows a match: a glance is a preview, and the keyboard stays in the list. */
  open: (key: SkillKey, path: string, match: Match, how: 'glance' | 'step' | 'open') => void;
}

/** What is asked; an answer belongs to one of these. */
interface Asked {
  query: Query;
  replacement: string | null;
  path: string;
  scope: Scope | null;
}

/** Looking for a text in all skills: what is looked for, what was found, and what of it a replacement leaves out. */
export class Search {
  text = $state('');
  readonly switches = $state<Record<Switch, boolean>>({ case: false, word: false, regex: false });
  replacing = $state(false);
  replacement = $state('');
  /** The fields that narrow it down are shown. */
  narrowing = $state(false);
  path = $state('');
  scope = $state<Scope | null>(null);
  found = $state.raw<Matches | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** What the answer is to. */
  answered = $state.raw<Asked | null>(null);
  busy = $state(false);
  cursor = $state<string | null>(null);
  /** Goes up when the keyboard should come to a field. */
  readonly focusRequest = new ViewRequest<Field>();
  readonly #closed = new SvelteSet<string>();
  readonly #out = new SvelteSet<string>();
  /** Files in which a replacement left so many matches out: there they are all that is found afterwards. */
  #remaining = new Map<string, number>();
  readonly skills = $derived.by(() => (this.found ? named(this.found) : []));
  readonly rows = $derived.by(() =>
    flatten(
      this.skills,
      (id) => this.#closed.has(id),
      (mark) => this.#out.has(mark),
    ),
  );
  readonly index = $derived(this.rows.findIndex((row) => row.id === this.cursor));
  readonly current = $derived<Row | null>(this.rows[this.index] ?? null);
  /** How many of the matches are left out. */
  readonly outCount = $derived(
    this.skills.reduce((sum, skill) => sum + skill.files.reduce((part, file) => part + file.matches.filter(({ mark }) => this.#out.has(mark)).length, 0), 0),
  );
  readonly narrowed = $derived(this.path.trim() !== '' || this.scope !== null);
  /** What was typed is no expression: said beside the field, while the matches stay. */
  readonly problem = $derived(this.failure?.code === 'invalid' ? this.failure : null);
  readonly #client: Client;
  readonly #events: SearchEvents;
  /** Goes up whenever another answer is wanted: one that comes later for an older question is dropped. */
  #wanted = 0;
  #reached = 0;
  #shown = false;
  readonly #latest = new Latest(() => this.#read());
  readonly #typed = new Debounce(TYPE_MS, () => this.#latest.ask());
  readonly #live = new Deadline(LIVE_MS, () => this.again());

  constructor(client: Client, feed: ChangeFeed, events: SearchEvents) {
    this.#client = client;
    this.#events = events;
    feed.on('skill', () => {
      if (this.#shown) this.#live.touch();
    });
  }

  /** Whether the matches are those of what stands in the fields. */
  get settled(): boolean {
    return this.#reached === this.#wanted;
  }

  /** The list is on the screen: only then it follows what is changed. */
  shown(shown: boolean): void {
    this.#shown = shown;
    if (shown) this.again();
    else this.#live.cancel();
  }

  /** Brings the keyboard to a field; what is selected in the editor is looked for. */
  start(selected: string, replacing: boolean): void {
    if (selected !== '') this.set({ text: selected });
    if (replacing) this.setReplacing(true);
    this.focus(replacing && this.text !== '' ? 'replacement' : 'text');
  }

  focus(field: Field): void {
    this.focusRequest.send(field);
  }

  /** Changes what is looked for; the search follows once the typing rests. */
  set(change: { text?: string; replacement?: string; path?: string; scope?: Scope | null }): void {
    Object.assign(this, change);
    this.#ask();
  }

  flip(name: Switch): void {
    this.switches[name] = !this.switches[name];
    this.#ask();
  }

  setReplacing(replacing: boolean): void {
    if (this.replacing === replacing) return;
    this.replacing = replacing;
    this.#ask();
  }

  /** Searches now for what is typed. */
  now(): void {
    this.#typed.flush();
  }

  /** Searches again for the same. */
  again(): void {
    if (this.text !== '') this.#latest.ask();
  }

  /** Waits until the matches are those of what stands in the fields. */
  async settle(): Promise<void> {
    this.#typed.cancel();
    if (!this.settled) await this.#read();
  }

  clear(): void {
    this.set({ text: '', replacement: '', path: '', scope: null });
    this.focus('text');
  }

  /** Another workspace is open. */
  reset(): void {
    this.#wanted += 1;
    this.#empty();
    if (this.scope === 'workspace') this.scope = null;
    if (this.#shown) this.again();
  }

  collapseAll(): void {
    for (const skill of this.skills) this.#closed.add(skill.id);
    this.cursor = this.rows[0]?.id ?? null;
  }

  toggle(row: Row): void {
    if (row.kind === 'match') return;
    if (row.expanded) this.#closed.add(row.id);
    else this.#closed.delete(row.id);
  }

  click(row: Row): void {
    this.cursor = row.id;
    if (row.kind === 'match') this.#open(row, 'glance');
    else this.toggle(row);
  }

  activate(row: Row): void {
    this.cursor = row.id;
    if (row.kind === 'match') this.#open(row, 'open');
    else this.toggle(row);
  }

  isOut(mark: string): boolean {
    return this.#out.has(mark);
  }

  /** Leaves a match, a file or a skill out, or takes it in again. */
  leave(row: Row, out = row.out !== 'all'): void {
    for (const mark of this.#marksOf(row)) {
      if (out) this.#out.add(mark);
      else this.#out.delete(mark);
    }
  }

  /** These files were changed by a replacement: what it left out stays out, although its line reads differently now. */
  replaced(files: ReadonlySet<string>): void {
    for (const { id, matches } of this.skills.flatMap((skill) => skill.files)) {
      if (files.has(id)) this.#remaining.set(id, matches.filter(({ mark }) => this.#out.has(mark)).length);
    }
  }

  takeAllIn(): void {
    this.#out.clear();
  }

  /** Shows the next match that isn't left out, or the one before; false when there is none. */
  step(by: 1 | -1): boolean {
    const all = this.skills.flatMap(({ id, skill, files }) =>
      files.flatMap((one) => one.matches.map(({ row, mark, match }) => ({ above: [id, one.id], row, mark, skill, path: one.file.path, match }))),
    );
    const at = all.findIndex(({ row, above }) => row === this.cursor || above.includes(this.cursor ?? ''));
    // On a skill or a file the next one is the first below it.
    const on = all[at]?.row === this.cursor;
    let to = at < 0 ? (by > 0 ? 0 : all.length - 1) : on || by < 0 ? at + by : at;
    for (let left = all.length; left > 0; left -= 1, to += by) {
      const next = all[(to + all.length) % all.length];
      if (!next || this.#out.has(next.mark)) continue;
      for (const id of next.above) this.#closed.delete(id);
      this.cursor = next.row;
      this.#events.open(next.skill, next.path, next.match, 'step');
      return true;
    }
    return false;
  }

  /** Handles a key on the list; false when it isn't one of its own. */
  key(key: string): boolean {
    const row = this.current;
    const moved = afterKey(key, this.index, this.rows.length);
    if (moved !== null) return this.#moveTo(moved);
    if (!row) return false;
    switch (key) {
      case 'ArrowRight':
        if (row.kind !== 'match' && !row.expanded) this.toggle(row);
        else if (row.kind !== 'match') this.#moveTo(this.index + 1);
        return true;
      case 'ArrowLeft':
        if (row.kind !== 'match' && row.expanded) this.toggle(row);
        else if (row.parent) this.cursor = row.parent;
        return true;
      case 'Enter':
        this.activate(row);
        return true;
      case ' ':
        this.leave(row);
        return true;
      case 'Delete':
        this.leave(row, true);
        this.#next(row);
        return true;
    }
    return false;
  }

  #open({ skill, file, match }: MatchRow, how: 'glance' | 'open'): void {
    this.#events.open(skill, file.path, match, how);
  }

  #moveTo(index: number): boolean {
    const row = this.rows[Math.max(0, index)];
    if (row) this.cursor = row.id;
    return true;
  }

  /** The row after this one and all that is below it. */
  #next(row: Row): void {
    const next = this.rows.findIndex((other, at) => at > this.index && other.level <= row.level);
    if (next >= 0) this.#moveTo(next);
  }

  #marksOf(row: Row): string[] {
    const skill = this.skills.find(({ skill: one }) => one === row.skill);
    const files = skill?.files.filter(({ id }) => row.kind === 'skill' || id === (row.kind === 'file' ? row.id : row.parent)) ?? [];
    const found = files.flatMap(({ matches }) => matches);
    return found.filter((one) => row.kind !== 'match' || one.row === row.id).map(({ mark }) => mark);
  }

  #ask(): void {
    this.#wanted += 1;
    if (this.text === '') {
      this.#typed.cancel();
      this.#empty();
    } else {
      this.#typed.touch();
    }
  }

  #empty(): void {
    this.#reached = this.#wanted;
    this.busy = false;
    this.found = null;
    this.failure = null;
    this.answered = null;
    this.cursor = null;
    this.#closed.clear();
    this.#out.clear();
  }

  #leaveRemaining(): void {
    for (const { id, matches } of this.skills.flatMap((skill) => skill.files)) {
      if (matches.length === this.#remaining.get(id)) for (const { mark } of matches) this.#out.add(mark);
    }
    this.#remaining.clear();
  }

  #asked(): Asked {
    const query = { text: this.text, ...this.switches };
    return { query, replacement: this.replacing ? this.replacement : null, path: this.path.trim(), scope: this.scope };
  }

  async #read(): Promise<void> {
    if (this.text === '') return;
    const [wanted, asked] = [this.#wanted, this.#asked()];
    const { query, replacement, path, scope } = asked;
    this.busy = true;
    try {
      const found = await this.#client.call('text/search', {
        query,
        ...(replacement === null ? {} : { replacement }),
        ...(path === '' ? {} : { path }),
        ...(scope === null ? {} : { scope }),
      });
      if (wanted !== this.#wanted) return;
      if (JSON.stringify(this.answered?.query) !== JSON.stringify(query)) this.#out.clear();
      [this.found, this.answered, this.failure] = [found, asked, null];
      this.#leaveRemaining();
    } catch (cause) {
      if (wanted !== this.#wanted) return;
      this.failure = asFailure(cause);
    } finally {
      if (wanted === this.#wanted) [this.#reached, this.busy] = [wanted, false];
    }
  }
}
