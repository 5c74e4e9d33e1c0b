import { createSubscriber } from 'svelte/reactivity';

const EVERY_MS = 15_000;

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, EVERY_MS);
  return () => clearInterval(timer);
});

/** The current time. Reactive: readers update as time passes. */
export function now(): number {
  subscribe();
  return Date.now();
}
