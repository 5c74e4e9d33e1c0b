/** How an optimization ended that found nothing but what is there. */
export const NOTHING_BETTER = 'No better state found';
