import type { CheckedFile, Diagnostic, Fix, OfferedFix } from '$lib/api/generated';

/** The quick fixes for a text, which hold for as long as that is the same. */
export class OfferedFixes {
  #list = $state.raw<readonly OfferedFix[]>([]);
  #found = $state.raw<readonly Diagnostic[]>([]);
  #edition = -1;

  put({ diagnostics, fixes }: CheckedFile, edition: number): void {
    this.#edition = edition;
    this.#found = diagnostics;
    this.#list = fixes;
  }

  /** For a finding of that check, best first; none once the text was typed on. */
  for(diagnostic: Diagnostic, edition: number): readonly OfferedFix[] {
    const at = this.#found.indexOf(diagnostic);
    return at < 0 || edition !== this.#edition ? [] : this.#list.filter((fix) => fix.finding === at);
  }

  /** Whether a fix is one for the text as it is now. */
  has(fix: Fix, edition: number): boolean {
    return edition === this.#edition && this.#list.some((one) => one === fix);
  }
}
