import type { Client, ChangeFeed } from '$lib/api';
import { Again, Optimize, type OptimizePorts } from '$lib/features/programs';

interface Ports extends OptimizePorts {
  /** Everything was optimized again, with these proposals. */
  repeated: (proposals: readonly string[]) => void;
}

/** Optimizations of this window: of the program in front, and of all that another version of DSPy optimized. */
export class Optimizations {
  readonly optimize: Optimize;
  readonly again: Again;

  constructor(client: Client, feed: ChangeFeed, ports: Ports) {
    this.optimize = new Optimize(client, feed, ports);
    this.again = new Again(client, feed, ports.repeated);
  }
}
