import { formatAgo, formatTokens } from '$lib/domain';
import type { Marketplace, Registry } from '$lib/api/generated';

export type MarketplaceTab = 'browse' | 'installed';

/** Null for a skill that isn't installed. */
export function installedLabel({ installed }: Pick<Marketplace.MarketplaceSkill, 'installed'>): string | null {
  if (installed === null) return null;
  if (installed.update !== null) return `Update ${installed.update}`;
  return installed.pinned ? `Pinned at ${installed.version}` : 'Installed';
}

/** Why an update isn't installed by itself; null if the next sync installs it. */
export function waitLabel({ waits }: Pick<Marketplace.AvailableUpdate, 'waits'>): string | null {
  switch (waits) {
    case null:
      return null;
    case 'pinned':
      return 'Pinned';
    case 'permissions':
      return 'Needs new permissions';
    case 'publisher':
      return 'Signed by another publisher';
    case 'manual':
      return 'Automatic updates are off';
    case 'failed':
      return 'Couldn’t be installed';
  }
}

/** "Last synced 5 min ago" */
export const syncedLabel = ({ synced_at }: Pick<Registry.RegistryInfo, 'synced_at'>): string => (synced_at === null ? 'Never synced' : `Last synced ${formatAgo(synced_at)}`);

export const isExpired = ({ expires_at }: Pick<Registry.RegistryInfo, 'expires_at'>, now = Date.now()): boolean => expires_at !== null && Date.parse(expires_at) <= now;

/** The first and last digits of a key or hash. */
export function shortKey(key: string): string {
  const digits = key.slice(key.indexOf(':') + 1);
  return digits.length > 16 ? `${digits.slice(0, 8)}…${digits.slice(-4)}` : digits;
}

/** "1,234 tokens" */
export const tokenLabel = (count: number): string => `${formatTokens(count)} ${count === 1 ? 'token' : 'tokens'}`;

/** A fingerprint in groups of four digits, which are easier to compare. */
export const groupedFingerprint = (fingerprint: string): string => fingerprint.match(/.{1,4}/g)?.join(' ') ?? fingerprint;

/** Whether two fingerprints are the same, however they are written. */
export const isSameFingerprint = (one: string, other: string): boolean => digitsOf(one) === digitsOf(other);

const digitsOf = (text: string): string => text.replace(/^sha-?256:/i, '').replace(/[^0-9a-z]/gi, '').toLowerCase();
