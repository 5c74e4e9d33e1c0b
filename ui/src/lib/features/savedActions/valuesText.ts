import { isRecord } from '$lib/domain';
import type { Params } from '$lib/api/generated';

export const valuesText = (params: Params): string => JSON.stringify(params, null, 2);

/** The values that a text has, or what is wrong with it. An empty text has none. */
export function parseValues(text: string): { params: Params } | { problem: string } {
  if (text.trim() === '') return { params: {} };
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { params: value } : { problem: 'Enter a JSON object, such as {"topic": "bees"}.' };
  } catch (cause) {
    return { problem: `Invalid JSON: ${cause instanceof Error ? cause.message : String(cause)}` };
  }
}
