import { SvelteMap } from 'svelte/reactivity';
import { asFailure, LongCall } from '$lib/api';
import type { Failure, Marketplace } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'client' | 'files' | 'toasts'>;

/** A version whose permissions the user hasn't agreed to. */
export interface Consent {
  detail: Marketplace.MarketplaceDetail;
  /** The permissions to agree to. */
  permissions: readonly string[];
  /** The version that it replaces. Null for a new skill. */
  replaces: string | null;
}

/** A download that runs or has failed. */
type Download = LongCall<'install'>;

/** Installs and updates skills, each with the user's consent to new permissions. */
export class Installation {
  /** The dialog that asks for consent. */
  consent = $state.raw<Consent | null>(null);
  /** By `<registry>/<name>`. */
  readonly #downloads = new SvelteMap<string, Download>();
  /** Why a skill couldn't be read before its installation. */
  readonly #failures = new SvelteMap<string, Failure>();
  readonly #services: Needs;
  readonly #changed: () => void;

  constructor(services: Needs, changed: () => void) {
    this.#services = services;
    this.#changed = changed;
  }

  /** Null while nothing is downloaded. */
  downloadOf(id: string): Download | null {
    const download = this.#downloads.get(id);
    return download?.busy ? download : null;
  }

  failureOf(id: string): Failure | null {
    const failure = this.#downloads.get(id)?.failure ?? this.#failures.get(id) ?? null;
    return failure?.code === 'cancelled' ? null : failure;
  }

  dismissFailure(id: string): void {
    this.#failures.delete(id);
    if (!this.#downloads.get(id)?.busy) this.#downloads.delete(id);
  }

  /** Installs or updates at once if that needs no new permissions; else the dialog asks. */
  async start(id: string, version: string | null = null): Promise<void> {
    if (this.downloadOf(id)) return;
    this.dismissFailure(id);
    try {
      const detail = await this.#services.client.call('marketplace/get', { id, version });
      if (detail.new_permissions.length === 0) await this.#install(detail, []);
      else this.#ask(detail, detail.new_permissions);
    } catch (cause) {
      this.#failures.set(id, asFailure(cause));
    }
  }

  /** The user agrees. */
  async agree(): Promise<void> {
    const { consent } = this;
    if (!consent) return;
    this.consent = null;
    await this.#install(consent.detail, consent.permissions);
  }

  open(skill: string): Promise<void> {
    return this.#services.files.openSkill({ scope: 'account', id: skill });
  }

  #ask(detail: Marketplace.MarketplaceDetail, permissions: readonly string[]): void {
    this.consent = { detail, permissions, replaces: detail.installed?.version ?? null };
  }

  async #install(detail: Marketplace.MarketplaceDetail, accept: readonly string[]): Promise<void> {
    const { id, version, title } = detail;
    const download: Download = new LongCall(this.#services.client);
    this.#downloads.set(id, download);
    const done = await download.run('install', 'marketplace/install', { id, version, accept: [...accept] });
    const { failure } = download;
    if (failure?.code === 'approvalRequired') {
      // The package needs more than its line in the index says.
      this.#downloads.delete(id);
      const missing = failure.fields?.['permissions'];
      this.#ask(detail, Array.isArray(missing) ? [...accept, ...missing.map(String)] : accept);
      return;
    }
    if (!done) return;
    this.#downloads.delete(id);
    this.#services.catalog.refresh();
    this.#changed();
    this.#services.toasts.show(done.replaced === null ? `Installed ${title} ${done.version}` : `Updated ${title} to ${done.version}`, {
      tone: 'ok',
      hint: missingHint(done.missing),
      actions: [{ label: 'Open', run: () => this.open(done.skill) }],
    });
  }
}

/** Null if nothing is missing. */
export const missingHint = (missing: readonly string[]): string | null => (missing.length === 0 ? null : `It depends on ${missing.join(', ')}. Install ${missing.length === 1 ? 'it' : 'them'}, too.`);
