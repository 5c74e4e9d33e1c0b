import type { Page } from '$lib/api/generated';

/** A value of the frontmatter on one line. */
export function fieldText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null)) return value.map(fieldText).join(', ');
  return JSON.stringify(value);
}

/** The fields of the frontmatter besides those that the page's head shows. */
export function fieldsOf({ frontmatter }: Page.Page): [name: string, text: string][] {
  return Object.entries(frontmatter)
    .filter(([name]) => !['title', 'type', 'tags', 'tag'].includes(name.toLowerCase()))
    .map(([name, value]) => [name, fieldText(value)]);
}
