import { asFailure, type Client, Latest, type SkillKey } from '$lib/api';
import type { ArtifactKind, Failure, Files } from '$lib/api/generated';

export interface QuickOpenItem {
  id: string;
  key: SkillKey;
  /** The skill's title. */
  name: string;
  /** Null: the skill itself. */
  path: string | null;
  kind: ArtifactKind | null;
  /** The label, and the matches of the query in it. */
  text: string;
  at: number[];
}

/** A line and column after the name, as in `check:12` and `check:12:5`. */
export interface TextPosition {
  line: number;
  column: number;
}

const SHOWN = 60;

/** Finds skills by name and files by path. */
export class QuickOpen {
  query = $state('');
  reading = $state(false);
  failure = $state.raw<Failure | null>(null);
  items = $state.raw<readonly QuickOpenItem[]>([]);
  /** The typed line and column; null without them. */
  readonly position = $derived(positionOf(this.query));
  readonly #client: Client;
  readonly #recent: () => readonly string[];
  readonly #latest = new Latest(() => this.#find());

  constructor(client: Client, recent: () => readonly string[]) {
    this.#client = client;
    this.#recent = recent;
  }

  start(): void {
    this.items = [];
    this.type('');
  }

  type(query: string): void {
    this.query = query;
    this.reading = true;
    this.#latest.ask();
  }

  async #find(): Promise<void> {
    const typed = this.query;
    // Without a name, the line is of the active file.
    const query = typed.replace(POSITION, '');
    if (query === '' && typed.startsWith(':')) {
      this.failure = null;
      [this.items, this.reading] = [[], false];
      return;
    }
    try {
      const { found } = await this.#client.call('file/find', { query, limit: SHOWN, recent: this.#recent().flatMap(recentFile) });
      this.failure = null;
      this.items = found.map(({ id, scope, name, path, kind, text, at }) => ({
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

const POSITION = /:(\d*)(?::(\d*))?$/;

function positionOf(query: string): TextPosition | null {
  const [, line = '', column = ''] = POSITION.exec(query) ?? [];
  return line === '' ? null : { line: Math.max(1, Number(line)), column: Math.max(1, Number(column || '1')) };
}

/** Parses an entry of the recent files, such as `account:7f…/prompts/check.j2`. */
function recentFile(text: string): Files.RecentFile[] {
  const [, scope, skill, path] = /^(account|workspace):([^/]+)\/(.+)$/.exec(text) ?? [];
  return scope === undefined || skill === undefined || path === undefined ? [] : [{ scope: scope as Files.RecentFile['scope'], skill, path }];
}
