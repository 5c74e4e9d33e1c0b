import { asFailure, type Client, Deadline, Debounce, type Settings, type SkillKey, skillKey } from '$lib/api';
import type { Failure, Skill, SkillDetail } from '$lib/api/generated';

const KEY = 'ui.library.typed';
/** Pause in typing after which values are saved. */
const SAVE_DELAY_MS = 900;
/** Delay before typed values are stored for a restart. */
const STORE_DELAY_MS = 400;
/** Number of skills whose unsaved values are stored. */
const MAX_SKILLS = 20;

export type FieldId = 'name' | 'description' | 'category' | 'tags' | 'triggers' | 'when_not_to_use' | 'version' | 'author' | 'user_invocable';

export const FIELD_IDS: readonly FieldId[] = ['name', 'description', 'category', 'tags', 'triggers', 'when_not_to_use', 'version', 'author', 'user_invocable'];

type Texts = Record<FieldId, string>;

interface TypedValues {
  /** The revision that the values are based on. */
  revision: number;
  texts: Partial<Texts>;
}

/** The values of a skill as the texts of their fields: tags separated by commas, one trigger phrase per line. */
export function textsOf(detail: SkillDetail): Texts {
  return {
    name: detail.name,
    description: detail.description,
    category: detail.category,
    tags: detail.tags.join(', '),
    triggers: detail.triggers.join('\n'),
    when_not_to_use: detail.when_not_to_use ?? '',
    version: detail.version,
    author: detail.author ?? '',
    user_invocable: String(detail.user_invocable),
  };
}

export function valuesOf(texts: Partial<Texts>): Skill.SkillValues {
  const values: Skill.SkillValues = {};
  const list = (text: string, between: RegExp): string[] => text.split(between).map((one) => one.trim()).filter((one) => one !== '');
  for (const id of FIELD_IDS) {
    const text = texts[id];
    if (text === undefined) continue;
    if (id === 'tags') values.tags = list(text, /[,\n]/);
    else if (id === 'triggers') values.triggers = list(text, /\n/);
    else if (id === 'when_not_to_use' || id === 'author') values[id] = text.trim() === '' ? null : text;
    else if (id === 'user_invocable') values.user_invocable = text === 'true';
    else values[id] = text;
  }
  return values;
}

/** Whether two texts of a field parse to the same value. */
function isSame(id: FieldId, one: string, other: string): boolean {
  const value = (text: string): string => JSON.stringify(valuesOf({ [id]: text.trim() }));
  return value(one) === value(other);
}

export type FieldsState = 'same' | 'typed' | 'saving' | 'saved' | 'failed' | 'conflict';

/** Edits the values of a skill, with autosave, recovery and undo. */
export class Fields {
  state = $state<FieldsState>('same');
  failure = $state.raw<Failure | null>(null);
  /** Saved changes that can be undone, newest last. */
  undoable = $state.raw<readonly { texts: Partial<Texts>; revision: number }[]>([]);
  #key: SkillKey | null = null;
  #base = $state.raw<Texts | null>(null);
  #revision = 0;
  #texts = $state.raw<Partial<Texts>>({});
  /** The revision that the typed values are based on. */
  #typedRevision = 0;
  /** The text of the focused field: trailing whitespace isn’t stored, but must not vanish at the cursor. */
  #focused = $state.raw<{ id: FieldId; text: string } | null>(null);
  #saving: Promise<void> | null = null;
  readonly dirty = $derived(Object.keys(this.#texts).length > 0);
  readonly #client: Client;
  readonly #settings: Settings;
  readonly #onsave: (detail: SkillDetail) => void;
  readonly #saveSoon = new Debounce(SAVE_DELAY_MS, () => void this.save());
  readonly #storeSoon = new Deadline(STORE_DELAY_MS, () => this.#store());

  constructor(client: Client, settings: Settings, onsave: (detail: SkillDetail) => void) {
    this.#client = client;
    this.#settings = settings;
    this.#onsave = onsave;
  }

  text(id: FieldId): string {
    return this.#texts[id] ?? (this.#focused?.id === id ? this.#focused.text : this.#base?.[id]) ?? '';
  }

  /** The field lost the focus: saves. */
  leave(): void {
    this.#focused = null;
    void this.flush();
  }

  /** Shows another skill, or a newer state of the same one. Typed values stay. */
  follow(detail: SkillDetail): void {
    const key = { scope: detail.scope, id: detail.id };
    const other = this.#key === null || skillKey(this.#key) !== skillKey(key);
    this.#base = textsOf(detail);
    this.#revision = detail.revision;
    if (this.#focused && (other || !isSame(this.#focused.id, this.#focused.text, this.#base[this.#focused.id]))) this.#focused = null;
    if (!other) return;
    this.#key = key;
    [this.#texts, this.state, this.failure, this.undoable] = [{}, 'same', null, []];
    const typed = readTyped(this.#settings.get(KEY))[skillKey(key)];
    if (!typed || detail.locked) return;
    // The window was closed before these were saved.
    this.#texts = typed.texts;
    this.#typedRevision = typed.revision;
    this.state = 'typed';
    this.#saveSoon.touch();
  }

  type(id: FieldId, text: string): void {
    if (!this.#base) return;
    if (!this.dirty) this.#typedRevision = this.#revision;
    this.#focused = { id, text };
    this.#texts = { ...this.#texts, [id]: text };
    // The stored value needs no save.
    if (isSame(id, text, this.#base[id]) && this.#saving === null) this.#drop(id);
    this.state = this.dirty ? 'typed' : 'same';
    this.failure = null;
    this.#storeSoon.touch();
    if (this.dirty) this.#saveSoon.touch();
    else this.#saveSoon.cancel();
  }

  /** Saves without waiting for a pause in typing. */
  flush(): Promise<void> {
    this.#saveSoon.cancel();
    return this.state === 'typed' ? this.save() : (this.#saving ?? Promise.resolve());
  }

  /** `over`: overwrites a newer revision. */
  async save(over = false): Promise<void> {
    await this.#saving;
    const key = this.#key;
    if (!key || !this.dirty || !this.#base) return;
    const [sent, before] = [this.#texts, this.#base];
    this.#saving = this.#send(key, sent, before, over).finally(() => {
      this.#saving = null;
    });
    await this.#saving;
    if (this.#key === key && this.state === 'typed') this.#saveSoon.touch();
  }

  async #send(key: SkillKey, sent: Partial<Texts>, before: Texts, over: boolean): Promise<void> {
    this.state = 'saving';
    this.failure = null;
    const was = this.#revision;
    try {
      const { skill } = await this.#client.call('skill/describe', {
        skill: key.id,
        scope: key.scope,
        expected: over ? null : this.#typedRevision,
        values: valuesOf(sent),
      });
      this.#forget(key);
      this.#onsave(skill);
      if (this.#key !== key) return;
      this.follow(skill);
      const old = Object.fromEntries(FIELD_IDS.filter((id) => sent[id] !== undefined).map((id) => [id, before[id]])) as Partial<Texts>;
      if (skill.revision !== was) this.undoable = [...this.undoable.slice(-49), { texts: old, revision: skill.revision }];
      // What was typed meanwhile is based on the new revision.
      for (const id of FIELD_IDS) if (this.#texts[id] === sent[id]) this.#drop(id);
      this.#typedRevision = skill.revision;
      this.state = this.dirty ? 'typed' : 'saved';
      if (this.dirty) this.#store();
    } catch (cause) {
      if (this.#key !== key) return;
      this.failure = asFailure(cause);
      this.state = this.failure.code === 'revisionConflict' ? 'conflict' : 'failed';
    }
  }

  discard(): void {
    this.#saveSoon.cancel();
    [this.#texts, this.#focused] = [{}, null];
    [this.state, this.failure] = ['same', null];
    if (this.#key) this.#forget(this.#key);
  }

  /** Reverts the last saved change. */
  async undo(): Promise<void> {
    await this.flush();
    const last = this.undoable.at(-1);
    if (!last || this.state === 'failed' || this.state === 'conflict') return;
    const rest = this.undoable.slice(0, -1);
    [this.#texts, this.#focused] = [last.texts, null];
    this.#typedRevision = last.revision;
    await this.save();
    if (this.#isSaved()) this.undoable = rest;
  }

  /** A call, since TypeScript takes `this.state` for unchanged since it was checked. */
  #isSaved(): boolean {
    return this.state === 'saved';
  }

  #drop(id: FieldId): void {
    this.#texts = Object.fromEntries(Object.entries(this.#texts).filter(([one]) => one !== id));
  }

  #store(): void {
    const key = this.#key;
    if (!key) return;
    if (!this.dirty) {
      this.#forget(key);
      return;
    }
    const all = Object.entries(readTyped(this.#settings.get(KEY))).filter(([one]) => one !== skillKey(key));
    const mine: TypedValues = { revision: this.#typedRevision, texts: this.#texts };
    this.#settings.set(KEY, Object.fromEntries([...all.slice(1 - MAX_SKILLS), [skillKey(key), mine]]));
  }

  #forget(key: SkillKey): void {
    this.#storeSoon.cancel();
    const all = readTyped(this.#settings.get(KEY));
    if (!(skillKey(key) in all)) return;
    this.#settings.set(KEY, Object.fromEntries(Object.entries(all).filter(([one]) => one !== skillKey(key))));
  }
}

function readTyped(value: unknown): Record<string, TypedValues> {
  if (typeof value !== 'object' || value === null) return {};
  const all: Record<string, TypedValues> = {};
  for (const [key, one] of Object.entries(value)) {
    const { revision, texts } = (typeof one === 'object' && one !== null ? one : {}) as Record<string, unknown>;
    if (typeof revision !== 'number' || typeof texts !== 'object' || texts === null) continue;
    const known = Object.entries(texts).filter(([id, text]) => FIELD_IDS.some((field) => field === id) && typeof text === 'string');
    if (known.length > 0) all[key] = { revision, texts: Object.fromEntries(known) };
  }
  return all;
}
