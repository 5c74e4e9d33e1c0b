import type { Trace } from '$lib/api/generated';
import { isExecutable } from './kinds';

/** Whether a step ran itself. Context artifacts accompany prompts; a description that a model answered by is the run. */
export const isExecuted = ({ artifact_kind: kind, model_id: model, error }: Trace): boolean => isExecutable(kind) || model !== null || error !== null;
