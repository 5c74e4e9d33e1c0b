import { asFailure, type Client, type ChangeFeed, Latest } from '$lib/api';
import { readObject, readSignature } from '$lib/domain';
import type { Failure, RunPlan, Scope, Variable } from '$lib/api/generated';
import { Form } from './form.svelte';

interface Wanted {
  scope: Scope;
  skillId: string;
  /** One artifact; null for the whole skill. */
  artifact: string | null;
}

/** The values that a plan needs: of a whole skill, or of an artifact that is no template. */
export class PlanForm {
  readonly form: Form;
  failure = $state.raw<Failure | null>(null);
  loaded = $state(false);
  #wanted: Wanted | null = null;
  readonly #client: Client;
  readonly #latest: Latest;

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.form = new Form(client, feed);
    this.#latest = new Latest(() => this.#read());
  }

  async follow(wanted: Wanted | null): Promise<void> {
    this.#wanted = wanted;
    this.loaded = false;
    this.failure = null;
    const key = wanted && { scope: wanted.scope, skillId: wanted.skillId, path: wanted.artifact ?? 'SKILL.md' };
    if ((await this.form.follow(key)) && wanted && this.#wanted === wanted) this.#latest.ask();
  }

  /** The skill was changed: what it needs may be something else now. */
  refresh(): void {
    if (this.#wanted) this.#latest.ask();
  }

  async #read(): Promise<void> {
    const wanted = this.#wanted;
    if (!wanted) return;
    const skill = { skill: wanted.skillId, scope: wanted.scope };
    try {
      const plan = await this.#client.call('run/plan', { ...skill, artifact: wanted.artifact, params: {} });
      const templates = plan.steps.flatMap((step) => {
        if (step.context) return [];
        const path = step.kind === 'dspy_module' ? step.fallback : step.path;
        return path === null ? [] : [path];
      });
      const programs = plan.steps.filter((step) => step.kind === 'dspy_module');
      const inputs = await Promise.all(programs.map(async ({ path }) => inputsOf((await this.#client.call('file/read', { ...skill, path })).text ?? '')));
      const read = await Promise.all(templates.map((path) => this.#client.call('prompt/render', { ...skill, path, params: {} })));
      if (this.#wanted !== wanted) return;
      this.form.variables = variablesOf(plan, [...inputs.flat(), ...read.flatMap((one) => one.variables)]);
      this.failure = null;
    } catch (cause) {
      if (this.#wanted === wanted) this.failure = asFailure(cause);
    }
    this.loaded = true;
  }
}

/** What a program takes, by the types of its signature. */
export function inputsOf(program: string): Variable[] {
  const signature = readObject(program)?.['signature'];
  const fields = typeof signature === 'string' ? readSignature(signature)?.inputs : undefined;
  return (fields ?? []).map(({ name, type }) => ({ name, shape: shapeOf(type), fields: [], optional: false, ...(type === 'str' ? {} : { description: type }) }));
}

function shapeOf(type: string): Variable['shape'] {
  const inner = type.replace(/^Optional\[\s*/, '');
  if (/^(list|tuple|set)\b/i.test(inner)) return 'list';
  return /^dict\b/i.test(inner) ? 'object' : 'text';
}

/** What the steps need, each once. What an earlier step gives can be given all the same, but needn't. */
export function variablesOf(plan: RunPlan, known: readonly Variable[]): Variable[] {
  const required = new Set(plan.missing.map((gap) => gap.variable));
  const all = new Map<string, Variable>();
  for (const name of [...required, ...plan.steps.flatMap((step) => step.needs), ...known.map((one) => one.name)]) {
    if (name === 'outputs' || all.has(name)) continue;
    const variable = known.find((one) => one.name === name) ?? { name, shape: 'text', fields: [], optional: false };
    all.set(name, { ...variable, optional: !required.has(name) });
  }
  return [...all.values()];
}
