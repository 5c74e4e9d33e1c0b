import type { Contributed, Contribution } from './contribution';

/** The contribution points that have items, each with an id. */
type Point = { [Key in keyof Contribution]-?: NonNullable<Contribution[Key]> extends readonly Contributed[] ? Key : never }[keyof Contribution];
type ItemOf<P extends Point> = NonNullable<Contribution[P]>[number];

interface Known {
  hasCommand: (id: string) => boolean;
  hasGuidePage: (id: string) => boolean;
}

/** Everything that the features contribute, by point. */
export class Contributions {
  readonly #features: readonly Contribution[];
  readonly #points = new Map<string, readonly Contributed[]>();

  /** Throws if two items of a point have the same id. */
  constructor(features: readonly Contribution[]) {
    this.#features = features;
    for (const feature of features) {
      for (const [point, value] of Object.entries(feature) as [string, unknown][]) {
        if (Array.isArray(value)) this.#points.set(point, [...(this.#points.get(point) ?? []), ...(value as Contributed[])]);
      }
    }
    for (const [point, items] of this.#points) {
      const ids = items.map(({ id }) => id);
      const duplicate = ids.find((id, index) => ids.indexOf(id) !== index);
      if (duplicate !== undefined) throw new Error(`${point} has ${duplicate} twice`);
      this.#points.set(point, items.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)));
    }
  }

  /** The items of a point, sorted. */
  of<P extends Point>(point: P): readonly ItemOf<P>[] {
    return (this.#points.get(point) ?? []) as readonly ItemOf<P>[];
  }

  /** The values of a point that has no items, in the order of the features. */
  all<Key extends keyof Contribution>(key: Key): NonNullable<Contribution[Key]>[] {
    return this.#features.flatMap((feature) => {
      const value = feature[key];
      return value === undefined ? [] : [value];
    });
  }

  get editorArea(): NonNullable<Contribution['editorArea']> {
    const [area, ...more] = this.all('editorArea');
    if (!area || more.length > 0) throw new Error(`${more.length + (area ? 1 : 0)} features have an editor area`);
    return area;
  }

  /** Throws if an item refers to a command, a page of the guide or an item that nobody contributes. */
  check({ hasCommand, hasGuidePage }: Known): void {
    for (const [point, items] of this.#points) {
      for (const item of items) {
        const fallback = 'fallback' in item && typeof item.fallback === 'string' ? item.fallback : undefined;
        const missing = [
          item.command === undefined || hasCommand(item.command) ? [] : [`command ${item.command}`],
          item.guide === undefined || hasGuidePage(item.guide) ? [] : [`guide page ${item.guide}`],
          fallback === undefined || items.some(({ id }) => id === fallback) ? [] : [`fallback ${fallback}`],
        ].flat();
        if (missing.length > 0) throw new Error(`${point} ${item.id} refers to unknown ${missing.join(' and ')}`);
      }
    }
  }
}
