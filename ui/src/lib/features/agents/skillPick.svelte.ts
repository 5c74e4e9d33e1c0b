import type { Catalog } from '$lib/api';
import { matchText } from '$lib/domain';
import type { AgentList } from './agentList.svelte';

const SHOWN = 50;

interface Choice {
  slug: string;
  name: string;
}

/** Chooses a skill to assign to the selected agent. */
export class SkillPick {
  query = $state('');
  readonly choices = $derived.by(() => this.#find());
  readonly #catalog: Catalog;
  readonly #agents: AgentList;

  constructor(catalog: Catalog, agents: AgentList) {
    this.#catalog = catalog;
    this.#agents = agents;
  }

  start(): void {
    this.query = '';
  }

  async choose({ slug }: Choice): Promise<void> {
    const { current } = this.#agents;
    if (current) await this.#agents.order(current.name, [...current.skills.map((one) => one.slug), slug]);
  }

  /** Skills that aren’t assigned. A workspace’s skill stands for the account’s of the same slug. */
  #find(): Choice[] {
    const known = new Set(this.#agents.current?.skills.map((one) => one.slug));
    const query = this.query.trim();
    const found = this.#catalog.skills.flatMap(({ slug, name }) => {
      if (known.has(slug)) return [];
      known.add(slug);
      const match = matchText(query, name) ?? matchText(query, slug);
      return match ? [{ slug, name, score: match.score }] : [];
    });
    if (query !== '') found.sort((a, b) => b.score - a.score);
    return found.slice(0, SHOWN);
  }
}
