import { asFailure, type Client, Deadline, Debounce, type Settings, type SkillKey, skillKey } from '$lib/api';
import type { Failure, SkillDetail, SkillValues } from '$lib/api/generated';

const KEY = 'ui.library.typed';
/** A pause in typing saves. */
const QUIET_MS = 900;
/** What is typed outlives a crash after this long. */
const KEEP_MS = 400;
/** Skills whose unsaved values are kept. */
const KEPT = 20;

export type FieldId = 'name' | 'description' | 'category' | 'tags' | 'triggers' | 'when_not_to_use' | 'version' | 'author' | 'user_invocable';

export const FIELD_IDS: readonly FieldId[] = ['name', 'description', 'category', 'tags', 'triggers', 'when_not_to_use', 'version', 'author', 'user_invocable'];

type Texts = Record<FieldId, string>;

interface Typed {
  /** The revision that the values were read from when the typing began. */
  revision: number;
  texts: Partial<Texts>;
}

/** A skill's values as texts to type in: tags with commas between them, a trigger phrase a line. */
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

/** The values that texts stand for. */
export function valuesOf(texts: Partial<Texts>): SkillValues {
  const values: SkillValues = {};
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

/** Whether two texts of a field stand for the same value. */
function isSame(id: FieldId, one: string, other: string): boolean {
  const value = (text: string): string => JSON.stringify(valuesOf({ [id]: text.trim() }));
  return value(one) === value(other);
}

export type FieldsState = 'same' | 'typed' | 'saving' | 'saved' | 'failed' | 'conflict';

/** Typing in a skill's values. It saves by itself, keeps what isn't saved yet, and goes back step by step. */
export class Fields {
  state = $state<FieldsState>('same');
  failure = $state.raw<Failure | null>(null);
  /** What was saved here and can be taken back, the last one last. */
  undoable = $state.raw<readonly { texts: Partial<Texts>; revision: number }[]>([]);
  #key: SkillKey | null = null;
  #base = $state.raw<Texts | null>(null);
  #revision = 0;
  #texts = $state.raw<Partial<Texts>>({});
  #typedOn = 0;
  /** The field that has the focus, as it is shown: a blank at its end isn't stored, but must not vanish under the cursor. */
  #held = $state.raw<{ id: FieldId; text: string } | null>(null);
  #saving: Promise<void> | null = null;
  readonly dirty = $derived(Object.keys(this.#texts).length > 0);
  readonly #client: Client;
  readonly #settings: Settings;
  readonly #took: (detail: SkillDetail) => void;
  readonly #quiet = new Debounce(QUIET_MS, () => void this.save());
  readonly #keep = new Deadline(KEEP_MS, () => this.#remember());

  constructor(client: Client, settings: Settings, took: (detail: SkillDetail) => void) {
    this.#client = client;
    this.#settings = settings;
    this.#took = took;
  }

  text(id: FieldId): string {
    return this.#texts[id] ?? (this.#held?.id === id ? this.#held.text : this.#base?.[id]) ?? '';
  }

  /** The field was left: what was typed in it is saved. */
  leave(): void {
    this.#held = null;
    void this.flush();
  }

  isTyped(id: FieldId): boolean {
    return this.#texts[id] !== undefined;
  }

  /** Another skill, or the same one as it is now. What is being typed stays. */
  follow(detail: SkillDetail): void {
    const key = { scope: detail.scope, id: detail.id };
    const other = this.#key === null || skillKey(this.#key) !== skillKey(key);
    this.#base = textsOf(detail);
    this.#revision = detail.revision;
    if (this.#held && (other || !isSame(this.#held.id, this.#held.text, this.#base[this.#held.id]))) this.#held = null;
    if (!other) return;
    this.#key = key;
    [this.#texts, this.state, this.failure, this.undoable] = [{}, 'same', null, []];
    const typed = readTyped(this.#settings.get(KEY))[skillKey(key)];
    if (!typed || detail.locked) return;
    // The window went away before these were saved.
    this.#texts = typed.texts;
    this.#typedOn = typed.revision;
    this.state = 'typed';
    this.#quiet.touch();
  }

  type(id: FieldId, text: string): void {
    if (!this.#base) return;
    if (!this.dirty) this.#typedOn = this.#revision;
    this.#held = { id, text };
    this.#texts = { ...this.#texts, [id]: text };
    // Back to what is stored is nothing to save.
    if (isSame(id, text, this.#base[id]) && this.#saving === null) this.#drop(id);
    this.state = this.dirty ? 'typed' : 'same';
    this.failure = null;
    this.#keep.touch();
    if (this.dirty) this.#quiet.touch();
    else this.#quiet.cancel();
  }

  /** Saves now what was typed: the field was left, or the page. */
  flush(): Promise<void> {
    this.#quiet.cancel();
    return this.state === 'typed' ? this.save() : (this.#saving ?? Promise.resolve());
  }

  /** `over`: also over what someone else wrote meanwhile. */
  async save(over = false): Promise<void> {
    await this.#saving;
    const key = this.#key;
    if (!key || !this.dirty || !this.#base) return;
    const [sent, before] = [this.#texts, this.#base];
    this.#saving = this.#send(key, sent, before, over).finally(() => {
      this.#saving = null;
    });
    await this.#saving;
    if (this.#key === key && this.state === 'typed') this.#quiet.touch();
  }

  async #send(key: SkillKey, sent: Partial<Texts>, before: Texts, over: boolean): Promise<void> {
    this.state = 'saving';
    this.failure = null;
    const was = this.#revision;
    try {
      const { skill } = await this.#client.call('skill/describe', {
        skill: key.id,
        scope: key.scope,
        expected: over ? null : this.#typedOn,
        values: valuesOf(sent),
      });
      this.#forget(key);
      this.#took(skill);
      if (this.#key !== key) return;
      this.follow(skill);
      const old = Object.fromEntries(FIELD_IDS.filter((id) => sent[id] !== undefined).map((id) => [id, before[id]])) as Partial<Texts>;
      if (skill.revision !== was) this.undoable = [...this.undoable.slice(-49), { texts: old, revision: skill.revision }];
      // What was typed meanwhile is typed on the new revision.
      for (const id of FIELD_IDS) if (this.#texts[id] === sent[id]) this.#drop(id);
      this.#typedOn = skill.revision;
      this.state = this.dirty ? 'typed' : 'saved';
      if (this.dirty) this.#remember();
    } catch (cause) {
      if (this.#key !== key) return;
      this.failure = asFailure(cause);
      this.state = this.failure.code === 'revisionConflict' ? 'conflict' : 'failed';
    }
  }

  /** Gives up what was typed: what is stored is shown again. */
  discard(): void {
    this.#quiet.cancel();
    [this.#texts, this.#held] = [{}, null];
    [this.state, this.failure] = ['same', null];
    if (this.#key) this.#forget(this.#key);
  }

  /** Takes the last saved change back. */
  async undo(): Promise<void> {
    await this.flush();
    const last = this.undoable.at(-1);
    if (!last || this.state === 'failed' || this.state === 'conflict') return;
    const rest = this.undoable.slice(0, -1);
    [this.#texts, this.#held] = [last.texts, null];
    this.#typedOn = last.revision;
    await this.save();
    if (this.#saved()) this.undoable = rest;
  }

  /** Asked anew: saving changed it. */
  #saved(): boolean {
    return this.state === 'saved';
  }

  #drop(id: FieldId): void {
    this.#texts = Object.fromEntries(Object.entries(this.#texts).filter(([one]) => one !== id));
  }

  #remember(): void {
    const key = this.#key;
    if (!key) return;
    if (!this.dirty) {
      this.#forget(key);
      return;
    }
    const all = Object.entries(readTyped(this.#settings.get(KEY))).filter(([one]) => one !== skillKey(key));
    const mine: Typed = { revision: this.#typedOn, texts: this.#texts };
    this.#settings.set(KEY, Object.fromEntries([...all.slice(1 - KEPT), [skillKey(key), mine]]));
  }

  #forget(key: SkillKey): void {
    this.#keep.cancel();
    const all = readTyped(this.#settings.get(KEY));
    if (!(skillKey(key) in all)) return;
    this.#settings.set(KEY, Object.fromEntries(Object.entries(all).filter(([one]) => one !== skillKey(key))));
  }
}

function readTyped(value: unknown): Record<string, Typed> {
  if (typeof value !== 'object' || value === null) return {};
  const all: Record<string, Typed> = {};
  for (const [key, one] of Object.entries(value)) {
    const { revision, texts } = (typeof one === 'object' && one !== null ? one : {}) as Record<string, unknown>;
    if (typeof revision !== 'number' || typeof texts !== 'object' || texts === null) continue;
    const known = Object.entries(texts).filter(([id, text]) => FIELD_IDS.some((field) => field === id) && typeof text === 'string');
    if (known.length > 0) all[key] = { revision, texts: Object.fromEntries(known) };
  }
  return all;
}
