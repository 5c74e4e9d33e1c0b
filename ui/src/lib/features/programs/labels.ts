export const NOTHING_BETTER = 'No better state found';
