/** The revisions that are selected for a comparison: at most two, in the order of selection. */
export class MarkedRevisions {
  numbers = $state.raw<readonly number[]>([]);

  /** A third one replaces the first. */
  toggle(number: number): void {
    this.numbers = this.numbers.includes(number) ? this.numbers.filter((one) => one !== number) : [...this.numbers, number].slice(-2);
  }

  clear(): void {
    this.numbers = [];
  }
}
