import { Offer, Review } from '$lib/features/actions';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'client' | 'settings'>;

/** The skills that other agents have: offered at the beginning, reviewed when someone wants to. */
export class AgentsController {
  readonly offer: Offer;
  readonly review: Review;

  constructor(services: Needs) {
    this.offer = new Offer(services.client, services.settings);
    this.review = new Review(services.client, services.catalog, () => this.offer.putOff());
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
