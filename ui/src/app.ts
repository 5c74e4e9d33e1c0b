import { mount } from 'svelte';
import '$lib/styles/index.css';
import { reportErrors } from '$lib/api';
import type { Platform } from '$lib/platform';
import Shell from '$lib/app/Shell.svelte';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';

/** How long the window may wait for its skills until it is drawn without them. */
const SOON_MS = 100;

/** Starts the window on the given host. */
export function start(platform: Platform): Services {
  try {
    const last = localStorage.getItem('theme');
    if (last === 'light' || last === 'dark') document.documentElement.dataset['theme'] = last;
  } catch {
    // The theme is set once the settings are read.
  }
  const services = createApp(platform);
  reportErrors(services.client, window);
  const target = document.getElementById('app');
  if (!target) throw new Error('the page has no #app');
  // The window is drawn once, with what is in it and in its own letters, unless that takes long.
  const started = services.lifecycle.start();
  const font = document.fonts.load("13px 'Inter Variable'").catch(() => []);
  void Promise.race([Promise.all([started, font]), new Promise((resolve) => setTimeout(resolve, SOON_MS))]).then(() => {
    mount(Shell, { target, props: { services, started } });
  });
  return services;
}
