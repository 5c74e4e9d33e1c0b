import { Offer, Review } from '$lib/features/actions';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'client' | 'settings'>;

/** Imports skills of other agents. */
export class AgentsController {
  readonly offer: Offer;
  readonly review: Review;

  constructor(services: Needs) {
    this.offer = new Offer(services.client, services.settings);
    this.review = new Review(services.client, services.catalog, () => this.offer.dismiss());
  }

  show(): void {
    // An import dismisses the offer, which may not have been read yet.
    this.offer.refresh();
    void this.review.start();
  }

  close(): void {
    const imported = this.review.result !== null;
    this.review.close();
    if (imported) this.offer.refresh();
  }
}
