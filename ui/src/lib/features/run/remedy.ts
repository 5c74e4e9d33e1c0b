import type { Failure } from '$lib/api/generated';

/** The action that a failed run offers. */
export type Remedy = 'model' | 'trust' | 'process' | 'sandbox' | 'limits' | 'retry';

/** Outcomes of a script that reached a limit. */
const LIMIT_OUTCOMES: readonly unknown[] = ['out-of-cpu', 'out-of-time', 'out-of-memory', 'result-too-large'];

/** Null if only a change of the skill or its inputs helps. */
export function remedyOf({ code, fields }: Failure): Remedy | null {
  switch (code) {
    case 'noModel':
      return 'model';
    case 'notTrusted':
      return 'trust';
    case 'notInstalled':
      return fields?.['kind'] === 'dspy_module' ? 'process' : fields?.['kind'] === 'code_template' ? 'sandbox' : null;
    case 'script':
      return LIMIT_OUTCOMES.includes(fields?.['outcome']) ? 'limits' : null;
    case 'approvalRequired':
    case 'model':
    case 'io':
    case 'busy':
      return 'retry';
    default:
      return null;
  }
}
