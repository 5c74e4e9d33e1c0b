// DSPy programs in memory: the process, optimizations and their proposals. An optimization ends when its call is answered: hold it to see it go on.
import type { Failure, Optimize, ParamsOf, Program, Proposal, RunEvent } from '$lib/api/generated';
import type { FakeRuns } from './runs';
import { fail, type FakeStore } from './store';

const ALL = ['labeled_few_shot', 'bootstrap_few_shot', 'gepa'];
export const MANIFEST: Program.ProgramManifest = {
  dspy: '3.4.1',
  templates: [
    { id: 'predict', title: 'Predict', description: 'Asks the model once.', signature_rules: '', parameters: { type: 'object', properties: {} }, optimizers: ALL },
    { id: 'chain_of_thought', title: 'Chain of thought', description: 'Has the model reason first.', signature_rules: 'No field may be called reasoning.', parameters: { type: 'object', properties: {} }, optimizers: ALL },
    {
      id: 'best_of_n', title: 'Best of N', description: 'Makes several attempts.', signature_rules: '', optimizers: ['gepa'],
      parameters: {
        type: 'object',
        properties: {
          n: { type: 'integer', default: 3, minimum: 1, maximum: 16, description: 'Most attempts.' },
          reasoning: { type: 'boolean', default: true, description: 'Whether each attempt reasons.' },
        },
      },
    },
  ],
  optimizers: [
    { id: 'labeled_few_shot', title: 'Labeled few-shot', description: 'Puts examples into the prompt.', options: { type: 'object', properties: { k: { type: 'integer', default: 8, minimum: 1, maximum: 32 } } }, least_examples: 1, needs_outputs: true },
    { id: 'bootstrap_few_shot', title: 'Bootstrap few-shot', description: 'Puts good runs into the prompt.', options: { type: 'object', properties: {} }, least_examples: 1, needs_outputs: false },
    { id: 'gepa', title: 'GEPA', description: 'Evolves the instructions.', options: { type: 'object', properties: {} }, least_examples: 2, needs_outputs: false },
  ],
};

const uuid = (number: number): string => `10000000-0000-7000-8000-${number.toString().padStart(12, '0')}`;

export class FakePrograms {
  status: Program.ProgramStatus = { state: 'idle', reason: null, pid: null, dspy: null, jobs: 0, failures: 0, log: [] };
  /** Why the process can't run. */
  unavailable: string | null = null;
  proposals: Proposal[] = [];
  outdated: Optimize.OutdatedList['artifacts'] = [];
  found: Optimize.ExampleSummary = { count: 3, with_outputs: 2, first: [], diagnostics: [] };
  /** What an optimization ends with. */
  failure: Failure | null = null;
  /** Whether it finds something else than what is there. */
  finds = true;
  #count = 0;
  readonly #store: FakeStore;
  readonly #runs: FakeRuns;

  constructor(store: FakeStore, runs: FakeRuns) {
    this.#store = store;
    this.#runs = runs;
  }

  manifest(): Program.ProgramManifest {
    if (this.unavailable !== null) {
      this.status = { ...this.status, state: 'unavailable', reason: this.unavailable, failures: 1 };
      throw fail('notInstalled', `DSPy is unavailable: ${this.unavailable}`, { hint: 'check the DSPy process', nextStep: 'checkDspy' });
    }
    this.status = { ...this.status, state: 'ready', reason: null, pid: 4321, dspy: MANIFEST.dspy };
    return MANIFEST;
  }

  retry(): Program.ProgramStatus {
    try {
      this.manifest();
    } catch {
      // The status says so.
    }
    return this.status;
  }

  proposal(more: Partial<Proposal> = {}): Proposal {
    const number = ++this.#count;
    const predictor = { name: 'predict', instructions: 'Answer.', demos: [] as Record<string, unknown>[] };
    const proposal: Proposal = {
      id: uuid(number), proposal_kind: 'optimisation', workspace: '', skill_scope: 'account', skill_id: 'skill-1', skill_slug: 'consistency-checker', skill_revision: 1,
      artifact_path: 'dspy/checker.json', title: 'Checker by gepa: 0.50 to 0.75', status: 'open', revision: null,
      created_at: new Date(Date.UTC(2026, 2, 14, 9) + number * 60_000).toISOString(), decided_at: null,
      body: {
        run: uuid(900 + number), artifact: 'Checker', content_sha256: '', state_sha256: null, optimizer: 'gepa', options: {}, metric: { type: 'assertions' }, seed: 1,
        dspy: '3.4.1', model: 'claude-sonnet', train: { before: 0.5, after: 0.75 }, validation: { before: 0.5, after: 0.6 }, stopped: null,
        before: [predictor], after: [{ ...predictor, instructions: 'Answer with care.', demos: [{ claims: 'a', contradictions: 'b' }] }],
        state_blob: {}, trainset: [{}, {}], valset: [{}], calls: null, limits: { tokens: null, cost: null, seconds: null }, input_tokens: 100, output_tokens: 20, estimated_cost: 0.01,
      },
      ...more,
    };
    this.proposals.unshift(proposal);
    this.#store.emit('proposal', [proposal.id]);
    return proposal;
  }

  get(id: string): Proposal {
    const found = this.proposals.find((one) => one.id === id);
    if (!found) throw fail('notFound', `proposal ${id} not found`);
    return found;
  }

  decide(id: string, status: 'accepted' | 'rejected', revision: number | null): Proposal {
    const found = this.get(id);
    if (found.status !== 'open') throw fail('revisionConflict', `the proposal was already ${found.status}`, { hint: 'reload the proposals' });
    const decided = { ...found, status, revision, decided_at: new Date(this.#store.now).toISOString() };
    this.proposals = this.proposals.map((one) => (one.id === id ? decided : one));
    this.#store.emit('proposal', [id]);
    return decided;
  }

  /** An event of an optimization that goes on. */
  tell(event: RunEvent): void {
    this.#runs.tell(event);
  }

  optimize({ run, skill }: Pick<ParamsOf<'optimize/start'>, 'run' | 'skill'>): Optimize.OptimizeOutcome {
    const id = run ?? uuid(800 + ++this.#count);
    const error = this.#runs.cancelled.has(id) ? fail('cancelled', 'stopped') : this.failure;
    const proposal = error || !this.finds ? null : this.proposal({ skill_id: skill });
    return {
      run: { run: id, session: uuid(1), status: error ? (error.code === 'cancelled' ? 'cancelled' : 'error') : 'ok', text: null, value: null, error, traces: [], gates: [], input_tokens: 100, output_tokens: 20, estimated_cost: 0.01 },
      proposal,
      diagnostics: [],
    };
  }
}
