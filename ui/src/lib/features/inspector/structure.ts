import { isRecord } from '$lib/domain';
import type { Page, Prompt } from '$lib/api/generated';

type Variable = Pick<Prompt.Variable, 'name' | 'shape' | 'fields'>;
export type Structure = Record<string, unknown>;

/** At most as many items are taken from a page. */
const MAX_ITEMS = 20;

const parsed = (text: string): { value: unknown } | null => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
};

/** The text of a value in a form: a string as it is, unless it would be read as something else; anything else as JSON. */
export function asValueText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' && parsed(value) === null ? value : JSON.stringify(value);
}

/** Reads what {@link asValueText} wrote: numbers, true, false, null and whatever else is JSON; otherwise a string. */
export function parseValueText(text: string): unknown {
  const found = parsed(text);
  return found === null ? text : found.value;
}

/** The items of a list; an object is its only item. */
export function itemsOf(value: unknown, shape: Variable['shape']): unknown[] {
  if (shape === 'object') return [isRecord(value) ? value : {}];
  return Array.isArray(value) ? value : [];
}

/** The names of an item's fields: those that the template reads, and others that it has. Null if it has none, such as a text. */
export function fieldsOf(item: unknown, { fields }: Variable): string[] | null {
  if (isRecord(item)) return [...new Set([...fields, ...Object.keys(item)])];
  return null;
}

/** A line that tells an item from others. */
export const summaryOf = (item: unknown): string =>
  Object.values(isRecord(item) ? item : {}).map(asValueText).filter((text) => text !== '').join(' · ').slice(0, 200);

export const newItem = ({ fields }: Variable): unknown => (fields.length > 0 ? Object.fromEntries(fields.map((field) => [field, ''])) : '');

export const withField = (item: unknown, field: string, value: unknown): Structure => ({ ...(isRecord(item) ? item : {}), [field]: value });

export const withoutField = (item: unknown, field: string): Structure =>
  Object.fromEntries(Object.entries(isRecord(item) ? item : {}).filter(([other]) => other !== field));

const has = (name: string, ...words: string[]): boolean => words.some((word) => name.toLowerCase().split(/[^a-z]+/).includes(word));

/** What a page has for a name: a field of its frontmatter, its path, title, type or tags. */
function factOf({ page }: Page.PageDetail, name: string): unknown {
  if (name in page.frontmatter) return page.frontmatter[name];
  if (has(name, 'path', 'file', 'filename')) return page.path;
  if (has(name, 'slug', 'id')) return page.slug;
  if (has(name, 'tags')) return page.tags;
  if (has(name, 'type', 'kind')) return page.type ?? '';
  if (has(name, 'date', 'modified', 'updated')) return page.modified;
  if (has(name, 'title', 'name')) return page.title;
  return undefined;
}

/** The fields of an item: what the page has for their names, and the text for the one that it is meant for. */
function recordOf(page: Page.PageDetail, fields: readonly string[], text: string): Structure {
  const facts = fields.map((field) => [field, has(field, 'page', 'source') ? page.page.title : factOf(page, field)] as const);
  const open = facts.filter(([, fact]) => fact === undefined).map(([field]) => field);
  const texts = open.find((field) => has(field, 'text', 'body', 'content', 'claim', 'quote', 'sentence', 'note')) ?? open[0];
  return Object.fromEntries(facts.map(([field, fact]) => [field, fact ?? (field === texts ? text : '')]));
}

const paragraphsOf = ({ page }: Page.PageDetail): string[] =>
  page.body.split(/\n\s*\n/).map((paragraph) => paragraph.trim()).filter((paragraph) => paragraph !== '' && !paragraph.startsWith('#')).slice(0, MAX_ITEMS);

/** A value for a variable: what the page has for its name, otherwise its text; a list has an item for each paragraph. */
export function fromPage({ name, shape, fields }: Variable, page: Page.PageDetail): unknown {
  const text = page.page.body.trim();
  if (shape === 'text') return asText(factOf(page, name)) ?? text;
  if (shape === 'object') return recordOf(page, fields.length > 0 ? fields : ['title', 'path', 'text'], text);
  return fields.length > 0 ? paragraphsOf(page).map((paragraph) => recordOf(page, fields, paragraph)) : paragraphsOf(page);
}

const asText = (value: unknown): string | null => (value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value));
