import type { Services } from '$lib/workbench/services';

const SHOWN_INTERVAL_MS = 5_000;
const HIDDEN_INTERVAL_MS = 60_000;

type Needs = Pick<Services, 'layout' | 'marketplace'>;

/**
 * Looks from time to time whether registries were synced in the background, until the returned function is called. Nothing is asked while the
 * window isn't visible.
 */
export function followRegistries({ layout, marketplace }: Needs, isVisible = () => document.visibilityState === 'visible'): () => void {
  let since = 0;
  const timer = setInterval(() => {
    since += SHOWN_INTERVAL_MS;
    const isDue = layout.view === 'marketplace' || layout.view === 'settings' || since >= HIDDEN_INTERVAL_MS;
    if (!isDue || !isVisible()) return;
    since = 0;
    void marketplace.check();
  }, SHOWN_INTERVAL_MS);
  return () => clearInterval(timer);
}
