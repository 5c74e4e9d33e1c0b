// The shapes of the operations. `types.ts` is generated from `schema.json`; below are types that the schema doesn't name.
import type { ChangeEvent } from './types';

export type * from './types';

export type ChangeKind = ChangeEvent['kind'];
/** Values by variable. */
export type Params = Record<string, unknown>;
