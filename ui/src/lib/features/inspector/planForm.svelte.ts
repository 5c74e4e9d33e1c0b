import { asFailure, type Client, type ChangeFeed, diagnosticsOf, Latest } from '$lib/api';
import { readObject, readSignature } from '$lib/domain';
import type { Failure, Prompt, Run, Scope } from '$lib/api/generated';
import { Form } from './form.svelte';

interface Target {
  scope: Scope;
  skillId: string;
  /** One artifact; null for the whole skill. */
  artifact: string | null;
}

/** The form of a run plan: of a whole skill, or of an artifact that isn’t a template. */
export class PlanForm {
  readonly form: Form;
  failure = $state.raw<Failure | null>(null);
  loaded = $state(false);
  /** The line of the template that the failure is about. */
  readonly failureLine = $derived(this.failure ? (diagnosticsOf(this.failure).find((one) => one.line !== null)?.line ?? undefined) : undefined);
  #target: Target | null = null;
  readonly #client: Client;
  readonly #latest: Latest;

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.form = new Form(client, feed);
    this.#latest = new Latest(() => this.#read());
  }

  async follow(target: Target | null): Promise<void> {
    this.#target = target;
    this.loaded = false;
    this.failure = null;
    const key = target && { scope: target.scope, skillId: target.skillId, path: target.artifact ?? 'SKILL.md' };
    if ((await this.form.follow(key)) && target && this.#target === target) this.#latest.ask();
  }

  /** Reads the variables again after a change of the skill. */
  refresh(): void {
    if (this.#target) this.#latest.ask();
  }

  async #read(): Promise<void> {
    const target = this.#target;
    if (!target) return;
    const skill = { skill: target.skillId, scope: target.scope };
    try {
      const plan = await this.#client.call('run/plan', { ...skill, artifact: target.artifact, params: {} });
      const templates = plan.steps.flatMap((step) => {
        if (step.context || step.kind === 'description') return [];
        const path = step.kind === 'dspy_module' ? step.fallback : step.path;
        return path === null ? [] : [path];
      });
      const programs = plan.steps.filter((step) => step.kind === 'dspy_module');
      const inputs = await Promise.all(programs.map(async ({ path }) => inputsOf((await this.#client.call('file/read', { ...skill, path })).text ?? '')));
      const read = await Promise.all(templates.map((path) => this.#client.call('prompt/render', { ...skill, path, params: {} })));
      if (this.#target !== target) return;
      this.form.fields.variables = variablesOf(plan, [...inputs.flat(), ...read.flatMap((one) => one.variables)]);
      this.failure = null;
    } catch (cause) {
      if (this.#target === target) this.failure = asFailure(cause);
    }
    this.loaded = true;
  }
}

/** The inputs of a program’s signature as variables. */
export function inputsOf(program: string): Prompt.Variable[] {
  const signature = readObject(program)?.['signature'];
  const fields = typeof signature === 'string' ? readSignature(signature)?.inputs : undefined;
  return (fields ?? []).map(({ name, type }) => ({ name, shape: shapeOf(type), fields: [], optional: false, ...(type === 'str' ? {} : { description: type }) }));
}

function shapeOf(type: string): Prompt.Variable['shape'] {
  const inner = type.replace(/^Optional\[\s*/, '');
  if (/^(list|tuple|set)\b/i.test(inner)) return 'list';
  return /^dict\b/i.test(inner) ? 'object' : 'text';
}

const MESSAGE = 'What you would ask an agent that has this skill. Its files are read when they are needed; nothing is executed.';

const answersMessage = (plan: Run.RunPlan, name: string): boolean => plan.steps.some((step) => step.kind === 'description' && step.needs.includes(name));

/** The distinct variables of all steps. Values that an earlier step provides are optional. */
export function variablesOf(plan: Run.RunPlan, known: readonly Prompt.Variable[]): Prompt.Variable[] {
  const required = new Set(plan.missing.map((gap) => gap.variable));
  const all = new Map<string, Prompt.Variable>();
  for (const name of [...required, ...plan.steps.flatMap((step) => step.needs), ...known.map((one) => one.name)]) {
    if (name === 'outputs' || all.has(name)) continue;
    const variable = known.find((one) => one.name === name) ?? { name, shape: 'text', fields: [], optional: false, ...(answersMessage(plan, name) ? { description: MESSAGE } : {}) };
    all.set(name, { ...variable, optional: !required.has(name) });
  }
  return [...all.values()];
}
