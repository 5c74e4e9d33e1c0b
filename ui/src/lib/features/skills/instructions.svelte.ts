import { asFailure, type Client, type SkillKey } from '$lib/api';
import type { Failure, Skill } from '$lib/api/generated';

/** The text of a `SKILL.md`, without its frontmatter. */
export class Instructions {
  /** Undefined while it is loaded, null if the skill has none. */
  text = $state.raw<string | null | undefined>(undefined);
  failure = $state.raw<Failure | null>(null);
  #shown: Skill.SkillSummary | null = null;
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async show(skill: Skill.SkillSummary | null): Promise<void> {
    this.#shown = skill;
    [this.text, this.failure] = [undefined, null];
    if (!skill) return;
    try {
      const { entries } = await this.#client.call('skill/get', refOf(skill));
      const main = entries.find(({ role }) => role === 'main');
      const text = main ? (await this.#client.call('file/read', { ...refOf(skill), path: main.path })).text : null;
      if (this.#shown === skill) this.text = text === null ? null : bodyOf(text, skill.name);
    } catch (cause) {
      if (this.#shown === skill) this.failure = asFailure(cause);
    }
  }
}

const refOf = ({ scope, id }: SkillKey): { skill: string; scope: SkillKey['scope'] } => ({ skill: id, scope });

/** Without the frontmatter, whose values the list shows, and without a first heading that repeats the name above the preview. */
function bodyOf(text: string, name: string): string {
  const body = text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '').trimStart();
  const [first = '', ...rest] = body.split('\n');
  return first.trim() === `# ${name}` ? rest.join('\n').trimStart() : body;
}
