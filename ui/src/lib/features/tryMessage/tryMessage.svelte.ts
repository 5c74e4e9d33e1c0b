import { type Client, Debounce, LongCall } from '$lib/api';
import type { Search } from '$lib/api/generated';

const TYPED_MS = 200;
const LIMIT = 8;

/** Shows which skills fit a message. */
export class TryMessage {
  open = $state(false);
  message = $state('');
  /** Of the last message; null before the first one. */
  result = $state.raw<Search.SkillSearchResult | null>(null);
  readonly call: LongCall<'searching'>;
  readonly #soon = new Debounce(TYPED_MS, () => void this.search());

  constructor(client: Client) {
    this.call = new LongCall(client);
  }

  type(message: string): void {
    this.message = message;
    this.#soon.touch();
  }

  async search(): Promise<void> {
    const message = this.message.trim();
    if (message === '') {
      this.call.abandon();
      this.result = null;
      return;
    }
    const result = await this.call.run('searching', 'search/skills', { message, limit: LIMIT });
    // The message may have been cleared meanwhile.
    if (result && this.message.trim() === message) this.result = result;
  }

  /** The message and its result stay for the next time. */
  close(): void {
    this.call.abandon();
    this.open = false;
  }
}

/** The words of the message that a skill doesn’t have. */
export const missingWords = ({ words }: Search.SkillSearchResult, { terms }: Search.SkillMatch): string[] => words.filter((word) => !terms.includes(word));

const REASONS: Record<Search.LeftOutReason, string> = {
  disabled: 'Disabled',
  deprecated: 'Deprecated',
  archived: 'Archived',
  unproven: 'Written by a model and not proven yet',
  conflict: 'Conflicts with a better one',
  avoided: 'Not for this, by “When not to use”',
  weak: 'Doesn’t fit',
  rank: 'Others fit better',
};

export const reasonOf = ({ reason }: Search.LeftOutSkill): string => REASONS[reason];

/** "meaning 0.47, words 40%" */
export function partsOf({ exact, similarity, coverage, avoided, quality }: Search.SkillMatch): string {
  return [
    exact === null ? '' : `says “${exact}”`,
    similarity === null ? '' : `meaning ${similarity.toFixed(2)}`,
    `words ${Math.round(coverage * 100)}%`,
    avoided > 0.005 ? `“When not to use it” −${avoided.toFixed(2)}` : '',
    quality < 1 ? `lifecycle ×${quality.toFixed(2)}` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}
