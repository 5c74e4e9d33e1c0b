import { mount } from 'svelte';
import '$lib/styles/index.css';
import { reportErrors } from '$lib/api';
import type { Platform } from '$lib/platform';
import Shell from './views/Shell.svelte';
import { Studio } from './views/studio.svelte';

/** Starts the window on the given host. */
export function start(platform: Platform): Studio {
  try {
    const last = localStorage.getItem('theme');
    if (last === 'light' || last === 'dark') document.documentElement.dataset['theme'] = last;
  } catch {
    // The theme is set once the settings are read.
  }
  const studio = new Studio(platform);
  reportErrors(studio.client, window);
  const target = document.getElementById('app');
  if (!target) throw new Error('the page has no #app');
  mount(Shell, { target, props: { studio } });
  return studio;
}
