import { matchText } from '$lib/domain';
import type { AgentList } from '$lib/features/agents';

export interface AgentChoice {
  /** Null for no agent. */
  agent: string | null;
  label: string;
  about: string;
  isCurrent: boolean;
}

/** Chooses the agent of a chat. */
export class AgentPick {
  query = $state('');
  readonly choices = $derived.by(() => this.#find());
  readonly agents: AgentList;
  #current = $state<string | null>(null);

  constructor(agents: AgentList) {
    this.agents = agents;
  }

  start(current: string | null): void {
    this.query = '';
    this.#current = current;
    void this.agents.load();
  }

  #find(): AgentChoice[] {
    const query = this.query.trim();
    const all: AgentChoice[] = [
      { agent: null, label: 'No agent', about: '', isCurrent: this.#current === null },
      ...(this.agents.list ?? []).map(({ name, notes }) => ({ agent: name, label: name, about: notes.split('\n', 1)[0] ?? '', isCurrent: name === this.#current })),
    ];
    // Enter changes nothing.
    if (query === '') return [...all.filter((one) => one.isCurrent), ...all.filter((one) => !one.isCurrent)];
    return all.flatMap((one) => ({ one, score: matchText(query, one.label)?.score ?? -1 })).filter(({ score }) => score >= 0).sort((a, b) => b.score - a.score).map(({ one }) => one);
  }
}
