import type { TraceStatus } from '$lib/wire';
import { formatNumber } from './format';

export interface Spending {
  input_tokens: number | null;
  output_tokens: number | null;
}

/** A cost as it is said: unknown isn't nothing. Small ones keep two digits that say something. */
export function formatUsd(cost: number | null): string {
  if (cost === null) return 'cost unknown';
  if (cost === 0) return 'free';
  if (cost < 0.0001) return '< $0.0001';
  return cost < 0.1 ? `$${cost.toFixed(4)}` : `$${cost.toFixed(2)}`;
}

/** "12.3k" where there is little room. */
export function formatTokens(count: number | null): string {
  if (count === null) return 'unknown';
  return count < 10_000 ? formatNumber(count) : `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k`;
}

/** "412 in, 96 out"; nothing where no model was asked. */
export function tokensOf({ input_tokens, output_tokens }: Spending): string {
  if (input_tokens === null && output_tokens === null) return '';
  return `${formatTokens(input_tokens)} in, ${formatTokens(output_tokens)} out`;
}

/** "640 ms", "2.4 s", "3 min 5 s". */
export function formatMs(ms: number | null): string {
  if (ms === null) return '';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export const STATUS_WORDS: Record<TraceStatus, string> = {
  running: 'Running',
  ok: 'Done',
  error: 'Failed',
  cancelled: 'Stopped',
  interrupted: 'Interrupted',
  fallback: 'Fell back',
};

/** The text as a value, where it is an object or a list. */
export function asJson(text: string): unknown {
  const inner = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
  if (!/^\s*[[{]/.test(inner)) return undefined;
  try {
    return JSON.parse(inner) as unknown;
  } catch {
    return undefined;
  }
}
