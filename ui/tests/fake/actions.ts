// Saved actions in memory.
import type { Action, OutputOf, ParamsOf } from '$lib/api/generated';
import { fail, type FakeStore, type Handlers } from './store';

type ActionOperations = Pick<Handlers, Extract<keyof Handlers, `action/${string}`>>;

const BUILT_IN: Action.ActionEntry = {
  slug: 'optimize-skill', skill: null, scope: null, artifact: null, params: {}, model: null, mode: 'manual', enabled: true, built_in: true, warnings: [],
};

export class FakeActions {
  list: Action.ActionEntry[] = [BUILT_IN];
  /** What the built-in action ends with. */
  rewrite: Partial<Extract<Action.ActionOutcome, { kind: 'rewrite' }>['outcome']> = {};
  /** What is missing in the output of a run. */
  gates: Extract<Action.ActionOutcome, { kind: 'run' }>['outcome']['gates'] = [];
  readonly #store: FakeStore;
  readonly #run: (params: ParamsOf<'run/start'>) => OutputOf<'run/start'>;

  constructor(store: FakeStore, run: (params: ParamsOf<'run/start'>) => OutputOf<'run/start'>) {
    this.#store = store;
    this.#run = run;
  }

  readonly handlers: ActionOperations = {
    'action/list': () => ({ actions: this.list.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)) }),
    'action/save': ({ slug, skill = null, scope = null, artifact = null, params = {}, model = null, mode, enabled }) => {
      if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) throw fail('invalid', `"${slug}" can't be the name of an action`, { hint: 'use a name such as weekly-report' });
      const isKnown = skill === null || this.#store.skills.some((one) => !one.deleted && one.summary.slug === skill);
      const warnings = isKnown ? [] : [`skill "${skill}" not found`];
      return this.#put({ slug, skill, scope, artifact, params, model, mode: mode ?? 'manual', enabled: enabled ?? true, built_in: slug === BUILT_IN.slug, warnings });
    },
    'action/delete': ({ slug }) => {
      const found = this.get(slug);
      this.list = this.list.filter((one) => one !== found);
      this.#changed(slug);
      return {};
    },
    'action/run': ({ slug, run, params, limits, approve }) => {
      const action = this.get(slug);
      if (!action.enabled) throw fail('invalid', `the action ${slug} is disabled`, { hint: 'enable it first' });
      if (action.skill === null) {
        const scores = { before: 0.5, after: 0.5 };
        return {
          kind: 'rewrite',
          outcome: { attempts: [], train: scores, validation: null, validation_run: null, proposal: null, promoted: null, over_budget: false, input_tokens: null, output_tokens: null, estimated_cost: 0.02, ...this.rewrite },
        };
      }
      const { skill, scope, artifact, model } = action;
      const outcome = this.#run({ skill, scope, artifact, model, params: { ...action.params, ...params }, ...(run != null && { run }), ...(limits && { limits }), ...(approve && { approve }) });
      return { kind: 'run', outcome: { ...outcome, gates: this.gates } };
    },
  };

  get(slug: string): Action.ActionEntry {
    const found = this.list.find((one) => one.slug === slug);
    if (!found) throw fail('notFound', `action "${slug}" not found`);
    return found;
  }

  #put(action: Action.ActionEntry): Action.ActionEntry {
    this.list = [...this.list.filter((one) => one.slug !== action.slug), action];
    this.#changed(action.slug);
    return action;
  }

  #changed(slug: string): void {
    queueMicrotask(() => this.#store.emit('action', [slug], 'account', 'window'));
  }
}
