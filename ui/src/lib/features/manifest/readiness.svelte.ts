import { asFailure, type ChangeFeed, type Client, isSettingsChange, Latest, type SkillKey } from '$lib/api';
import type { Failure, Manifest } from '$lib/api/generated';

/** Whether what a skill requires is there, as of its saved manifest. */
export class Readiness {
  value = $state.raw<Manifest.Readiness | null>(null);
  failure = $state.raw<Failure | null>(null);
  busy = $state(false);
  /** Missing requirements first, then those that couldn’t be checked. */
  readonly requirements = $derived([...(this.value?.requirements ?? [])].sort((one, other) => RANK[one.status] - RANK[other.status]));
  readonly #client: Client;
  readonly #feed: ChangeFeed;
  readonly #skill: SkillKey;
  readonly #latest = new Latest(() => this.#check());

  constructor(client: Client, feed: ChangeFeed, skill: SkillKey) {
    this.#client = client;
    this.#feed = feed;
    this.#skill = skill;
  }

  /** Checks again when the settings or the actions change, until the returned function is called. */
  open(): () => void {
    const stops = [
      this.#feed.on('action', () => this.refresh()),
      this.#feed.on('setting', (event) => {
        if (isSettingsChange(event)) this.refresh();
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }

  refresh(): void {
    this.busy = true;
    this.#latest.ask();
  }

  async #check(): Promise<void> {
    try {
      const { readiness } = await this.#client.call('manifest/readiness', { skill: this.#skill.id, scope: this.#skill.scope });
      [this.value, this.failure] = [readiness, null];
    } catch (cause) {
      this.failure = asFailure(cause);
    }
    this.busy = false;
  }
}

const RANK: Record<Manifest.RequirementStatus, number> = { missing: 0, unknown: 1, ok: 2 };

export const KIND_LABELS: Record<Manifest.RequirementKind, string> = {
  tool: 'Tool', tool_group: 'Tool group', integration: 'Integration', action: 'Action', human_gate: 'Gate',
};

export const STATUS_LABELS: Record<Manifest.RequirementStatus, string> = { ok: 'OK', missing: 'Missing', unknown: 'Unknown' };

/** "2 missing, 1 unknown" */
export function readinessLabel({ ready, ok, missing, unknown, requirements }: Manifest.Readiness): string {
  if (requirements.length === 0) return 'Ready. Nothing is required.';
  const counts = [[missing, 'missing'], [unknown, 'unknown'], [ok, 'OK']].flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`])).join(', ');
  return `${ready ? 'Ready' : 'Not ready'}: ${counts}.`;
}

/** Where a requirement that isn’t met can be set up. */
export type Remedy = 'folder' | 'models' | 'dspy';

export function remedyOf({ kind, name, status }: Manifest.Requirement, hasWorkspace: boolean): Remedy | null {
  if (status === 'ok') return null;
  if (kind === 'integration') return name === 'dspy' || name === 'sidecar' ? 'dspy' : name.includes(':') || name === 'sandbox' ? null : 'models';
  const needsFolder = (kind === 'tool' && WORKSPACE_TOOLS.includes(name)) || (kind === 'tool_group' && name === 'workspace');
  return needsFolder && !hasWorkspace ? 'folder' : null;
}

const WORKSPACE_TOOLS = ['workspace_search', 'get_page'];
