import type { Client, Feed } from '$lib/api';
import { Again, Optimise, type OptimisePorts } from '$lib/features/programs';

interface Ports extends OptimisePorts {
  /** Everything was optimised again, with these proposals. */
  repeated: (proposals: readonly string[]) => void;
}

/** Optimisations of this window: of the program in front, and of all that another version of DSPy optimised. */
export class DspyPlace {
  readonly optimise: Optimise;
  readonly again: Again;

  constructor(client: Client, feed: Feed, ports: Ports) {
    this.optimise = new Optimise(client, feed, ports);
    this.again = new Again(client, feed, ports.repeated);
  }
}
