import { type Client, LongCall } from '$lib/api';
import type { Publish } from '$lib/api/generated';
import type { RecentRegistries } from './recentRegistries';

const DAYS = /^\d{1,3}$/;
const MAX_DAYS = 365;

/** Replaces `~` by the user’s home folder. */
export type ExpandPath = (path: string) => string;

/** The registry to publish to, and how its changes are signed. */
export class TargetRegistry {
  folder = $state('');
  /** Folder of its keys; empty for the account’s. */
  keys = $state('');
  /** Days until it expires; empty for the default. */
  days = $state('');
  /** Null until the folder was read. */
  status = $state.raw<Publish.PublishStatus | null>(null);
  readonly call: LongCall<'reading' | 'renewing'>;
  readonly recent: RecentRegistries;
  readonly areDaysValid = $derived(this.days.trim() === '' || (DAYS.test(this.days.trim()) && Number(this.days) >= 1 && Number(this.days) <= MAX_DAYS));
  readonly #expand: ExpandPath;

  constructor(client: Client, recent: RecentRegistries, expand: ExpandPath) {
    this.recent = recent;
    this.#expand = expand;
    this.call = new LongCall(client);
  }

  get params(): Publish.PublishTarget {
    const [keys, days] = [this.#expand(this.keys.trim()), this.days.trim()];
    return { folder: this.status?.folder ?? this.#expand(this.folder.trim()), keys: keys === '' ? null : keys, days: days === '' ? null : Number(days) };
  }

  /** Another folder is typed: what was read, and the keys, are of the one before. */
  type(folder: string): void {
    this.call.abandon();
    [this.folder, this.keys, this.status] = [folder, '', null];
  }

  async choose(folder: string): Promise<void> {
    this.type(folder);
    await this.read();
  }

  async read(): Promise<void> {
    const folder = this.#expand(this.folder.trim());
    if (folder === '') return;
    const status = await this.call.run('reading', 'publish/status', { folder });
    if (!status) return;
    if (this.status === null) this.keys = this.recent.list.find((one) => one.folder === status.folder)?.keys ?? '';
    this.status = status;
    this.recent.add({ folder: status.folder, title: status.title, keys: this.keys.trim() });
  }

  /** Signs the state of the registry again. */
  async renew(): Promise<void> {
    const { status } = this;
    if (!status || this.call.busy || !this.areDaysValid) return;
    const renewed = await this.call.run('renewing', 'publish/refresh', { target: this.params });
    if (renewed) await this.read();
  }
}
