import { asFailure, type Client, Latest, type SkillKey } from '$lib/api';
import type { Failure, Kind, RecentFile } from '$lib/api/generated';

export interface Goal {
  id: string;
  key: SkillKey;
  /** The skill's title. */
  name: string;
  /** Null: the skill itself. */
  path: string | null;
  kind: Kind | null;
  /** What is shown, and where in it the query was found. */
  text: string;
  at: number[];
}

/** A place in the text that is opened: "check:12" and "check:12:5". */
export interface Spot {
  line: number;
  column: number;
}

const SHOWN = 60;

/** Finds skills by name and files by path, wherever they are: the core has the names of all. */
export class QuickOpen {
  query = $state('');
  reading = $state(false);
  failure = $state.raw<Failure | null>(null);
  goals = $state.raw<readonly Goal[]>([]);
  /** Where in the file that is opened to go, when the query says it. */
  readonly spot = $derived(spotOf(this.query));
  readonly #client: Client;
  readonly #recent: () => readonly string[];
  readonly #latest = new Latest(() => this.#find());

  constructor(client: Client, recent: () => readonly string[]) {
    this.#client = client;
    this.#recent = recent;
  }

  start(): void {
    this.goals = [];
    this.type('');
  }

  type(query: string): void {
    this.query = query;
    this.reading = true;
    this.#latest.ask();
  }

  async #find(): Promise<void> {
    const typed = this.query;
    // Only a line: of the file in front.
    const query = typed.replace(SPOT, '');
    if (query === '' && typed.startsWith(':')) {
      this.failure = null;
      [this.goals, this.reading] = [[], false];
      return;
    }
    try {
      const { found } = await this.#client.call('file/find', { query, limit: SHOWN, recent: this.#recent().flatMap(recentFile) });
      this.failure = null;
      this.goals = found.map(({ id, scope, name, path, kind, text, at }) => ({
        id: `${scope}:${id}/${path ?? ''}`,
        key: { scope, id },
        name,
        path,
        kind,
        text,
        at,
      }));
    } catch (cause) {
      this.failure = asFailure(cause);
    }
    if (this.query === typed) this.reading = false;
  }
}

const SPOT = /:(\d*)(?::(\d*))?$/;

function spotOf(query: string): Spot | null {
  const [, line = '', column = ''] = SPOT.exec(query) ?? [];
  return line === '' ? null : { line: Math.max(1, Number(line)), column: Math.max(1, Number(column || '1')) };
}

/** "account:7f…/prompts/check.j2" as it is kept of what was opened. */
function recentFile(text: string): RecentFile[] {
  const [, scope, skill, path] = /^(account|workspace):([^/]+)\/(.+)$/.exec(text) ?? [];
  return scope === undefined || skill === undefined || path === undefined ? [] : [{ scope: scope as RecentFile['scope'], skill, path }];
}
