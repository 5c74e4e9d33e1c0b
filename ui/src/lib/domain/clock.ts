import { createSubscriber } from 'svelte/reactivity';

const EVERY_MS = 15_000;

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, EVERY_MS);
  return () => clearInterval(timer);
});

/** The time now. What reads it in a component or a `$derived` is read again as time passes. */
export function now(): number {
  subscribe();
  return Date.now();
}
