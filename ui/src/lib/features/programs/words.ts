/** How an optimization ended that found nothing but what is there. */
export const NOTHING_BETTER = 'Nothing better than the current state was found';
