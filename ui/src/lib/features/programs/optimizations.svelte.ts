import type { Client, ChangeFeed } from '$lib/api';
import { Reoptimization, OptimizeState, type OptimizePorts } from '$lib/features/programs';

interface Ports extends OptimizePorts {
  /** Called when all outdated programs were re-optimized. */
  reoptimized: (proposals: readonly string[]) => void;
}

/** The optimization of the active program, and of programs that another version of DSPy compiled. */
export class Optimizations {
  readonly optimize: OptimizeState;
  readonly reoptimization: Reoptimization;

  constructor(client: Client, feed: ChangeFeed, ports: Ports) {
    this.optimize = new OptimizeState(client, feed, ports);
    this.reoptimization = new Reoptimization(client, feed, ports.reoptimized);
  }
}
