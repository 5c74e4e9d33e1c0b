import { formatDay } from '$lib/domain';
import type { Publish } from '$lib/api/generated';

interface Renewal {
  tone: 'warn' | 'error';
  text: string;
}

/** Null while no signature needs to be renewed. */
export function renewalOf({ expired, expires, refresh_due, root_expired, root_expires, root_refresh_due }: Publish.PublishStatus): Renewal | null {
  if (root_expired) return { tone: 'error', text: `The list of keys expired on ${formatDay(root_expires)}. Apps refuse the registry until it is renewed, which needs root.key.` };
  if (expired) return { tone: 'error', text: `The signatures expired on ${formatDay(expires)}. Apps refuse the registry until they are renewed.` };
  if (root_refresh_due) return { tone: 'warn', text: `The list of keys expires on ${formatDay(root_expires)}. Renewing it needs root.key.` };
  return refresh_due ? { tone: 'warn', text: `The signatures expire on ${formatDay(expires)}. Apps refuse the registry after that.` } : null;
}
