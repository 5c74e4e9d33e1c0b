import { type Client, Debounce } from '$lib/api';
import type { Check, Diagnostic } from '$lib/api/generated';
import type { DocumentContent } from './content.svelte';
import type { StoredFile } from './storedFile.svelte';

const DELAY_MS = 150;

/** The diagnostics and quick fixes of a text, which is checked while it is typed. */
export class DocumentDiagnostics {
  list = $state.raw<readonly Diagnostic[]>([]);
  #checked = $state.raw<Check.CheckedFile | null>(null);
  /** The edition that was checked. */
  #edition = -1;
  #requests = 0;
  readonly #client: Client;
  readonly #file: StoredFile;
  readonly #content: DocumentContent;
  readonly #timer = new Debounce(DELAY_MS, () => void this.check());

  constructor(client: Client, file: StoredFile, content: DocumentContent) {
    this.#client = client;
    this.#file = file;
    this.#content = content;
  }

  /** The fixes of a diagnostic, best first; none if the text changed since the check. */
  fixesFor(diagnostic: Diagnostic): readonly Check.OfferedFix[] {
    const at = this.#checked?.diagnostics.indexOf(diagnostic) ?? -1;
    return at < 0 ? [] : this.#fixes().filter((fix) => fix.finding === at);
  }

  /** Whether a fix was offered for the current text. */
  offers(fix: Check.Fix): boolean {
    return this.#fixes().some((one) => one === fix);
  }

  /** Checks the text once typing pauses. */
  schedule(): void {
    this.#timer.touch();
  }

  stop(): void {
    this.#timer.cancel();
    this.#requests += 1;
  }

  async check(): Promise<void> {
    const { skill, path } = this.#file;
    const { edition } = this.#content;
    const request = ++this.#requests;
    try {
      const checked = await this.#client.call('check/file', { skill: skill.id, scope: skill.scope, path, text: this.#content.text() });
      // A reply for an older text is dropped.
      if (request !== this.#requests || edition !== this.#content.edition) return;
      [this.#checked, this.#edition, this.list] = [checked, edition, checked.diagnostics];
    } catch {
      // The diagnostics stay until the next check.
    }
  }

  #fixes(): readonly Check.OfferedFix[] {
    const fixes = this.#checked?.fixes ?? [];
    return this.#edition === this.#content.edition ? fixes : [];
  }
}
