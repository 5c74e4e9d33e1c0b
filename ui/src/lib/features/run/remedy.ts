import type { Failure } from '$lib/api/generated';

/** What a person can do at once about a run that failed. */
export type Remedy = 'model' | 'trust' | 'process' | 'sandbox' | 'limits' | 'retry';

/** Ends of a script that its limits cause. */
const AT_A_LIMIT: readonly unknown[] = ['out-of-cpu', 'out-of-time', 'out-of-memory', 'result-too-large'];

/** Null when only a change of the skill or of its values helps. */
export function remedyOf({ code, fields }: Failure): Remedy | null {
  switch (code) {
    case 'noModel':
      return 'model';
    case 'notTrusted':
      return 'trust';
    case 'notInstalled':
      return fields?.['kind'] === 'dspy_module' ? 'process' : fields?.['kind'] === 'code_template' ? 'sandbox' : null;
    case 'script':
      return AT_A_LIMIT.includes(fields?.['outcome']) ? 'limits' : null;
    case 'model':
    case 'io':
    case 'busy':
      return 'retry';
    default:
      return null;
  }
}
