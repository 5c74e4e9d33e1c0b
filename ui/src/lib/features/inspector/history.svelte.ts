import { type ChangeFeed, type Client, Deadline } from '$lib/api';
import { MarkedRevisions } from './markedRevisions.svelte';
import { type Subject, Timeline } from './timeline.svelte';
import { TimelineCursor } from './timelineCursor.svelte';

/** New runs come in bursts: the newest entries are reloaded at most this often. */
const RUNS_INTERVAL_MS = 300;

/** The history of the skill or file in front. */
export class SkillHistory {
  subject = $state.raw<Subject | null>(null);
  readonly timeline: Timeline;
  readonly cursor: TimelineCursor;
  readonly marked = new MarkedRevisions();
  readonly #runsChanged = new Deadline(RUNS_INTERVAL_MS, () => this.timeline.refresh());
  #shown = false;

  constructor(client: Client, feed: ChangeFeed) {
    this.timeline = new Timeline(client, () => (this.cursor.id ??= this.timeline.items[0]?.id ?? null));
    this.cursor = new TimelineCursor(this.timeline);
    feed.on('run', () => {
      if (this.#shown) this.#runsChanged.touch();
    });
  }

  /** Shows the history of another subject, or reloads it after a change. */
  follow(subject: Subject | null): void {
    this.#shown = true;
    const { key, path } = this.subject ?? {};
    const sameSkill = key?.id === subject?.key.id && key?.scope === subject?.key.scope;
    if (!subject || !sameSkill || path !== subject.path) {
      this.timeline.reset();
      this.cursor.id = null;
      // The marks are of revisions of the skill, whichever file is shown.
      if (!sameSkill) this.marked.clear();
    }
    this.subject = subject;
    this.timeline.load(subject);
  }

  /** Changes are loaded when the history is shown again. */
  hide(): void {
    this.#shown = false;
  }
}
