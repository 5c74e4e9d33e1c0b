import { asFailure, type ChangeFeed, type Client, Deadline } from '$lib/api';
import type { Agent, Failure } from '$lib/api/generated';
import type { Toasts } from '$lib/components';
import type { Notifications } from '$lib/workbench/notifications';

const SAVE_AFTER_MS = 350;

type Profile = Pick<Agent.Agent, 'notes' | 'model' | 'tools' | 'only'>;

/** Skills in the order in which they are listed, as priorities. */
const ranked = (slugs: readonly string[]): Agent.AssignedSkill[] => slugs.map((slug, index) => ({ slug, priority: slugs.length - index }));

/** The agents of the account, and what changes them. A change is shown at once and stored after those before it. */
export class AgentList {
  /** By name; null until they are read. */
  list = $state.raw<readonly Agent.Agent[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** Name of the agent that is edited; the first one if null. */
  selected = $state<string | null>(null);
  readonly current = $derived(this.list?.find(({ name }) => name === this.selected) ?? this.list?.[0] ?? null);
  readonly #client: Client;
  readonly #toasts: Toasts;
  readonly #notifications: Notifications;
  readonly #soon = new Deadline(SAVE_AFTER_MS, () => void this.save());
  /** Notes that aren’t stored yet, by agent. */
  readonly #typed = new Map<string, string>();
  #writes: Promise<unknown> = Promise.resolve();
  /** Writes that haven’t ended. */
  #pending = 0;
  #request = 0;

  constructor(client: Client, feed: ChangeFeed, toasts: Toasts, notifications: Notifications) {
    this.#client = client;
    this.#toasts = toasts;
    this.#notifications = notifications;
    feed.on('agent', () => {
      if (this.list !== null) void this.load();
    });
  }

  async load(): Promise<void> {
    const request = ++this.#request;
    // A list that was read before a write ends doesn’t have it.
    const isStale = (): boolean => request !== this.#request || this.#pending > 0;
    try {
      const { agents } = await this.#client.call('agent/list', {});
      if (isStale()) return;
      this.list = agents.map((one) => ({ ...one, notes: this.#typed.get(one.name) ?? one.notes }));
      this.failure = null;
    } catch (cause) {
      if (!isStale()) this.failure = asFailure(cause);
    }
  }

  /** Creates an agent with the first free name, and selects it. */
  async create(): Promise<void> {
    const isTaken = (name: string): boolean => this.list?.some((one) => one.name === name) ?? false;
    let name = 'New agent';
    for (let number = 2; isTaken(name); number += 1) name = `New agent ${number}`;
    this.selected = name;
    await this.#write('Couldn’t create an agent', () => this.#client.call('agent/create', { name }));
  }

  async rename({ name }: Agent.Agent, to: string): Promise<void> {
    const rename = to.trim();
    await this.save();
    if (rename !== '' && rename !== name) {
      this.#show(name, { name: rename });
      this.selected = rename;
      const typed = this.#typed.get(name);
      this.#typed.delete(name);
      const isStored = await this.#write(`Couldn’t rename ${name}`, () => this.#client.call('agent/update', { name, rename }));
      if (typed !== undefined) this.#typed.set(isStored ? rename : name, typed);
      if (isStored) return;
    }
    this.selected = name;
  }

  /** Shows the notes, and stores them soon. */
  type({ name }: Agent.Agent, notes: string): void {
    this.#typed.set(name, notes);
    this.#show(name, { notes });
    this.#soon.touch();
  }

  /** Stores notes that were typed. Those that can’t be stored stay. */
  async save(): Promise<void> {
    this.#soon.cancel();
    for (const [name, notes] of [...this.#typed]) {
      if ((await this.change(name, { notes })) && this.#typed.get(name) === notes) this.#typed.delete(name);
    }
  }

  /** Returns whether it was stored. */
  async change(name: string, profile: Partial<Profile>): Promise<boolean> {
    this.#show(name, profile);
    const found = this.list?.find((one) => one.name === name);
    if (!found) return false;
    const { notes, model, tools, only } = found;
    return this.#write(`Couldn’t change ${name}`, () => this.#client.call('agent/update', { name, profile: { notes, model, tools, only } }));
  }

  /** The assigned skills, first to last. */
  async order(name: string, slugs: readonly string[]): Promise<void> {
    const skills = ranked(slugs);
    this.#show(name, { skills });
    await this.#write(`Couldn’t change the skills of ${name}`, () => this.#client.call('agent/update', { name, skills }));
  }

  async remove(agent: Agent.Agent): Promise<void> {
    const { name } = agent;
    await this.save();
    let kept = agent;
    const remove = async (): Promise<void> => {
      const { agents } = await this.#client.call('agent/list', {});
      kept = agents.find((one) => one.name === name) ?? agent;
      await this.#client.call('agent/delete', { name });
    };
    if (!(await this.#write(`Couldn’t delete ${name}`, remove))) return;
    this.#typed.delete(name);
    this.#toasts.show(`Deleted ${name}`, { actions: [{ label: 'Undo', run: () => this.#restore(kept) }] });
  }

  async #restore({ name, notes, model, tools, only, skills }: Agent.Agent): Promise<void> {
    this.selected = name;
    await this.#write(`Couldn’t restore ${name}`, () => this.#client.call('agent/create', { name, profile: { notes, model, tools, only }, skills }));
  }

  #show(name: string, change: Partial<Agent.Agent>): void {
    this.list = this.list?.map((one) => (one.name === name ? { ...one, ...change } : one)) ?? null;
  }

  /** Returns whether it was stored. The list is read again after the last of several writes. */
  async #write(what: string, call: () => Promise<unknown>): Promise<boolean> {
    this.#pending += 1;
    const written = this.#writes.then(call).then(
      () => true,
      (cause: unknown) => {
        this.#notifications.report(what, cause);
        return false;
      },
    );
    this.#writes = written;
    const isStored = await written;
    this.#pending -= 1;
    await this.load();
    return isStored;
  }
}
