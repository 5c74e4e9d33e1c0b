import type { TraceStatus } from '$lib/api/generated';
import { formatNumber } from './format';

export interface TokenUsage {
  input_tokens: number | null;
  output_tokens: number | null;
}

/** Small amounts keep two significant digits. */
export function formatUsd(cost: number | null): string {
  if (cost === null) return 'cost unknown';
  if (cost === 0) return 'free';
  if (cost < 0.0001) return '< $0.0001';
  return cost < 0.1 ? `$${cost.toFixed(4)}` : `$${cost.toFixed(2)}`;
}

/** Null where no item has a known value. */
export interface UsageTotal {
  input_tokens: number | null;
  output_tokens: number | null;
  estimated_cost: number | null;
  /** Number of items with an unknown price; if there are any, the cost is a lower bound. */
  unpriced: number;
}

interface UsageItem extends TokenUsage {
  estimated_cost: number | null;
  model_id?: string | null;
  /** Of an item that is a total itself. */
  unpriced?: number;
}

export function sumOf(all: readonly UsageItem[]): UsageTotal {
  const add = (one: number | null, other: number | null): number | null => (one === null && other === null ? null : (one ?? 0) + (other ?? 0));
  const asked = (one: UsageItem): boolean => one.model_id != null || (one.input_tokens ?? 0) + (one.output_tokens ?? 0) > 0;
  return all.reduce<UsageTotal>(
    (sum, one) => ({
      input_tokens: add(sum.input_tokens, one.input_tokens),
      output_tokens: add(sum.output_tokens, one.output_tokens),
      estimated_cost: add(sum.estimated_cost, one.estimated_cost),
      unpriced: sum.unpriced + (one.unpriced ?? (one.estimated_cost === null && asked(one) ? 1 : 0)),
    }),
    { input_tokens: null, output_tokens: null, estimated_cost: null, unpriced: 0 },
  );
}

/** "at least $0.12" if a price is unknown, "unknown" if all are; empty if no model was called. */
export function costOf({ estimated_cost: cost, unpriced }: Pick<UsageTotal, 'estimated_cost' | 'unpriced'>): string {
  if (unpriced > 0) return cost ? `at least ${formatUsd(cost)}` : 'unknown';
  return cost === null ? '' : formatUsd(cost);
}

/** "412 tokens in, 96 out · at least $0.12"; empty if no model was called. */
export function useOf(sum: UsageTotal): string {
  const cost = costOf(sum);
  return [tokensOf(sum), cost === 'unknown' ? formatUsd(null) : cost].filter(Boolean).join(' · ');
}

/** "9,876", "12.3k" */
export function formatTokens(count: number | null): string {
  if (count === null) return 'unknown';
  return count < 10_000 ? formatNumber(count) : thousands(count);
}

const thousands = (count: number): string => `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k`;

/** "412 tokens in, 96 out"; empty if no model was called. Both numbers have one format: "27.5k tokens in, 1.9k out". */
export function tokensOf({ input_tokens, output_tokens }: TokenUsage): string {
  if (input_tokens === null && output_tokens === null) return '';
  const short = Math.max(input_tokens ?? 0, output_tokens ?? 0) >= 10_000;
  const format = (count: number | null): string => (short && count !== null && count >= 1000 ? thousands(count) : formatTokens(count));
  return `${format(input_tokens)} tokens in, ${format(output_tokens)} out`;
}

/** "640 ms", "2.4 s", "3 min 5 s". */
export function formatMs(ms: number | null): string {
  if (ms === null) return '';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export const STATUS_LABELS: Record<TraceStatus, string> = {
  running: 'Running',
  ok: 'Succeeded',
  error: 'Failed',
  cancelled: 'Canceled',
  interrupted: 'Interrupted',
  fallback: 'Used fallback',
};

/** Undefined unless the text is a JSON object or array, which may be in a code fence. */
export function asJson(text: string): unknown {
  const inner = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
  if (!/^\s*[[{]/.test(inner)) return undefined;
  try {
    return JSON.parse(inner) as unknown;
  } catch {
    return undefined;
  }
}
