import { Offer, Review } from '$lib/features/actions';
import type { Studio } from '$lib/app/studio.svelte';

/** The skills that other agents have: offered at the beginning, reviewed when someone wants to. */
export class AgentsController {
  readonly offer: Offer;
  readonly review: Review;

  constructor(studio: Studio) {
    this.offer = new Offer(studio.client, studio.settings);
    this.review = new Review(studio.client, studio.catalog, () => this.offer.putOff());
  }

  show(): void {
    // What is reviewed is what the offer is about, also when it was never shown.
    this.offer.look();
    void this.review.start();
  }

  close(): void {
    const imported = this.review.result !== null;
    this.review.close();
    if (imported) this.offer.look();
  }
}
