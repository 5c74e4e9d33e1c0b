// Agents of chats in memory.
import type { Agent } from '$lib/api/generated';
import { fail, type Handlers } from './store';

type AgentOperations = Pick<Handlers, Extract<keyof Handlers, `agent/${string}`>>;
type Profile = Pick<Agent.Agent, 'notes' | 'model' | 'tools' | 'only'>;

const NO_PROFILE: Profile = { notes: '', model: null, tools: null, only: false };
const AT = '2026-03-14T09:30:00.000Z';

export class FakeAgents {
  list: Agent.Agent[] = [];
  readonly #changed: (kind: 'agent', name: string) => void;

  constructor(changed: (kind: 'agent', name: string) => void) {
    this.#changed = changed;
  }

  readonly handlers: AgentOperations = {
    'agent/list': () => ({ agents: this.list.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }),
    'agent/create': ({ name, profile = {}, skills = [] }) => {
      if (this.list.some((one) => one.name === name)) throw fail('exists', `agent "${name}" already exists`);
      return this.#put({ ...NO_PROFILE, ...profile, name, skills: [...skills], created_at: AT, updated_at: AT });
    },
    'agent/update': ({ name, rename, profile, skills }) => {
      const found = this.#get(name);
      if (rename != null && this.list.some((one) => one.name === rename)) throw fail('exists', `agent "${rename}" already exists`);
      this.list = this.list.filter((one) => one !== found);
      return this.#put({ ...found, ...profile, name: rename ?? name, skills: skills ?? found.skills });
    },
    'agent/delete': ({ name }) => {
      const found = this.#get(name);
      this.list = this.list.filter((one) => one !== found);
      this.#changed('agent', name);
      return {};
    },
    'agent/skills': ({ name }) => ({ skills: this.#get(name).skills }),
    'agent/assign': ({ agent, skill, priority = 0 }) => {
      const found = this.#get(agent);
      found.skills = [...found.skills.filter((one) => one.slug !== skill), { slug: skill, priority }].sort((a, b) => b.priority - a.priority);
      return found;
    },
    'agent/unassign': ({ agent, skill }) => {
      const found = this.#get(agent);
      found.skills = found.skills.filter((one) => one.slug !== skill);
      return found;
    },
  };

  #get(name: string): Agent.Agent {
    const found = this.list.find((one) => one.name === name);
    if (!found) throw fail('notFound', `agent "${name}" not found`);
    return found;
  }

  #put(agent: Agent.Agent): Agent.Agent {
    this.list.push(agent);
    this.#changed('agent', agent.name);
    return agent;
  }
}
