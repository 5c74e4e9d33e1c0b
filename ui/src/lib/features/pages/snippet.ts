/** A piece of a page on one line, without the marks of markdown; the piece may begin and end within one. */
export const readable = (snippet: string): string =>
  snippet
    .replace(/\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1')
    .replace(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/\[\[|\]\]|\*\*|`/g, '')
    .replace(/(^|[\s…])#{1,6} /g, '$1');
