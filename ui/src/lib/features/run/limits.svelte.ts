import { SvelteMap } from 'svelte/reactivity';
import type { Settings } from '$lib/api';
import { formatNumber, formatUsd, typedNumber } from '$lib/domain';
import type { Limits, Scope } from '$lib/api/generated';

export type LimitName = 'tokens' | 'cost' | 'seconds';
export const LIMIT_NAMES: readonly LimitName[] = ['tokens', 'cost', 'seconds'];
/** The name of a limit's field, distinct from those of inputs. */
export const limitField = (name: LimitName): string => `limits.${name}`;

type StoredLimits = Partial<Record<LimitName, number>>;

const KEY = 'run.limits';
const WRITE_MS = 500;
const MAX_SKILLS = 200;

/** Limits of runs, stored for each skill. */
export class RunLimits {
  readonly #typed = new SvelteMap<string, string>();
  readonly #settings: Settings;
  readonly #settingKey: string;
  readonly #skill: () => { scope: Scope; skillId: string } | null;
  readonly #key = $derived.by(() => {
    const skill = this.#skill();
    return skill && `${skill.scope}:${skill.skillId}`;
  });
  readonly #all = $derived.by(() => read(this.#settings.get(this.#settingKey)));
  readonly #stored = $derived.by<StoredLimits>(() => (this.#key === null ? {} : (this.#all[this.#key] ?? {})));
  readonly invalid = $derived(LIMIT_NAMES.filter((name) => this.problem(name) !== ''));
  readonly summary = $derived(
    [
      this.#stored.tokens === undefined ? '' : `${formatNumber(this.#stored.tokens)} tokens`,
      this.#stored.cost === undefined ? '' : formatUsd(this.#stored.cost),
      this.#stored.seconds === undefined ? '' : `${formatNumber(this.#stored.seconds)} s`,
    ].filter(Boolean).join(', ') || '600 s',
  );

  constructor(settings: Settings, skill: () => { scope: Scope; skillId: string } | null, settingKey = KEY) {
    this.#settings = settings;
    this.#skill = skill;
    this.#settingKey = settingKey;
  }

  text(name: LimitName): string {
    return this.#typed.get(`${this.#key}/${name}`) ?? this.#stored[name]?.toString() ?? '';
  }

  /** Empty if the text is valid. */
  problem(name: LimitName): string {
    const text = this.text(name).trim();
    if (text === '' || parse(name, text) !== null) return '';
    return name === 'cost' ? 'Enter an amount above 0, such as 0.50.' : 'Enter a whole number above 0.';
  }

  set(name: LimitName, text: string): void {
    const key = this.#key;
    if (key === null) return;
    this.#typed.set(`${key}/${name}`, text);
    const value = text.trim() === '' ? undefined : parse(name, text.trim());
    if (value === null) return;
    const mine: StoredLimits = {};
    for (const one of LIMIT_NAMES) {
      const limit = one === name ? value : this.#stored[one];
      if (limit !== undefined) mine[one] = limit;
    }
    const rest = Object.entries(this.#all).filter(([other]) => other !== key).slice(1 - MAX_SKILLS);
    this.#settings.set(this.#settingKey, Object.fromEntries(Object.keys(mine).length === 0 ? rest : [...rest, [key, mine]]), WRITE_MS);
  }

  wire(): Limits {
    return this.#stored;
  }
}

/** Null if the text isn't a valid limit. */
function parse(name: LimitName, text: string): number | null {
  const value = typedNumber(name === 'cost' ? text.replace(/^\$/, '') : text);
  if (value === null || value <= 0) return null;
  return name === 'cost' || (Number.isInteger(value) && value <= 4_000_000_000) ? value : null;
}

function read(value: unknown): Record<string, StoredLimits> {
  if (typeof value !== 'object' || value === null) return {};
  const known: Record<string, StoredLimits> = {};
  for (const [key, one] of Object.entries(value)) {
    if (typeof one !== 'object' || one === null) continue;
    const limits: StoredLimits = {};
    for (const name of LIMIT_NAMES) {
      const limit: unknown = (one as Record<string, unknown>)[name];
      if (typeof limit === 'number' && limit > 0) limits[name] = limit;
    }
    known[key] = limits;
  }
  return known;
}
