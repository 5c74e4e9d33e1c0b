import type { Log } from '$lib/api/generated';

/** The app's log of the in-memory core. */
export class FakeLog {
  lines: Log.LogLine[] = [];
  /** Number of discarded lines. */
  dropped = 0;

  add(level: Log.LogLevel, message: string, target = 'inklings_store::store'): void {
    const seq = this.dropped + this.lines.length + 1;
    this.lines.push({ seq, time: '2026-03-13T10:00:00.000Z', level, target, message });
  }

  after(seq: number): Log.LogPage {
    const newest = this.dropped + this.lines.length;
    return { lines: this.lines.filter((line) => line.seq > seq), newest, missed: Math.max(0, this.dropped - seq), file: '/home/ada/.inklings/logs/studio.log' };
  }
}
