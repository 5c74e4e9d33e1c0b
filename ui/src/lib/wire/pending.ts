// What scripts bring to runs. To be dropped for the generated types once the schema has them.
import type { RunEvent as Known, Trace as KnownTrace } from './types';

interface LogEvent {
  run: string;
  seq: number;
  kind: 'log';
  trace: string;
  text: string;
}

interface ProgressEvent {
  run: string;
  seq: number;
  kind: 'progress';
  trace: string;
  fraction: number;
  text: string;
}

export type RunEvent = Known | LogEvent | ProgressEvent;

/** Where a script failed. */
export interface TraceDetail {
  /** With lines as in the artifact's file. */
  traceback: string | null;
  /** The line of the artifact's file, from 1. */
  line: number | null;
}

/** What a trace of a script has besides. */
export type Trace = KnownTrace & { log?: string | null; detail?: TraceDetail | null };

/** A member of the module that scripts import. */
export interface ScriptFunction {
  /** Below the module, e.g. `search` or `skills.list`. */
  name: string;
  kind: 'function' | 'class' | 'exception';
  /** As Python writes it, without the module. */
  signature: string;
  /** What it gives; empty for what isn't called. */
  returns: string;
  doc: string;
}
