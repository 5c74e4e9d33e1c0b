import { asFailure, type Client, type SkillKey } from '$lib/api';
import type { Failure, Skill } from '$lib/api/generated';

/** The files of a deleted skill and the text of one of them. */
export class DeletedPreview {
  /** Null while it is read. */
  content = $state.raw<Skill.DeletedContent | null>(null);
  failure = $state.raw<Failure | null>(null);
  path = $state.raw<string | null>(null);
  /** The text of the file at `path`: undefined while it is read, null if it isn't text. */
  text = $state.raw<string | null | undefined>(undefined);
  textFailure = $state.raw<Failure | null>(null);
  readonly #client: Client;
  #request = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Reads a skill and shows its main file. */
  async show(skill: SkillKey | null): Promise<void> {
    const request = ++this.#request;
    [this.content, this.failure, this.path, this.text, this.textFailure] = [null, null, null, undefined, null];
    if (skill === null) return;
    try {
      const content = await this.#client.call('skill/deleted_files', { id: skill.id, scope: skill.scope });
      if (request !== this.#request) return;
      this.content = content;
      const first = content.entries.find(({ role }) => role === 'main') ?? content.entries.find(({ text }) => text);
      if (first) await this.showFile(first.path);
    } catch (cause) {
      if (request === this.#request) this.failure = asFailure(cause);
    }
  }

  async showFile(path: string): Promise<void> {
    const { content } = this;
    if (!content) return;
    [this.path, this.text, this.textFailure] = [path, undefined, null];
    const isCurrent = (): boolean => this.content === content && this.path === path;
    try {
      const { text } = await this.#client.call('skill/deleted_file', { id: content.id, scope: content.scope, path });
      if (isCurrent()) this.text = text;
    } catch (cause) {
      if (isCurrent()) this.textFailure = asFailure(cause);
    }
  }
}
