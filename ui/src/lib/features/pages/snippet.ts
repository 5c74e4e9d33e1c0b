/** A snippet without Markdown syntax, which may be cut at its ends. */
export const readable = (snippet: string): string =>
  snippet
    .replace(/\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1')
    .replace(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/\[\[|\]\]|\*\*|`/g, '')
    .replace(/(^|[\s…])#{1,6} /g, '$1');
