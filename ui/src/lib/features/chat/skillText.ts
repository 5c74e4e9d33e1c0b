import type { ImportedText } from '$lib/api/generated';

/** Whether skills can be imported from an attachment, by its name. */
export const mayBeSkill = (name: string): boolean => /\.(md|markdown)$/i.test(name);

const FENCE = /^(`{3,}|~{3,})[ \t]*(?:md|markdown)[ \t]*\n([\s\S]*?)\n\1[ \t]*$/gim;

/** The Markdown file of an answer: its last code block of that language. Null if there is none. */
export function markdownFileOf(answer: string): ImportedText | null {
  const text = [...answer.matchAll(FENCE)].at(-1)?.[2];
  return text === undefined ? null : { name: `${nameOf(text)}.md`, text: `${text}\n` };
}

/** An attachment with the name that its frontmatter declares, as the folder of a skill has it. */
export function skillFileOf({ name, text }: ImportedText): ImportedText {
  const declared = declaredName(text);
  return { name: declared === undefined ? name : `${declared}.md`, text };
}

const declaredName = (markdown: string): string | undefined => /^---\n[\s\S]*?^name:[ \t]*["']?([a-z0-9-]+)/m.exec(markdown)?.[1];

/** From the frontmatter, else from the first heading. */
function nameOf(markdown: string): string {
  const name = declaredName(markdown) ?? /^#[ \t]+(.+)$/m.exec(markdown)?.[1] ?? '';
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return slug === '' ? 'skill' : slug;
}
