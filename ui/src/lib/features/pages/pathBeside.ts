/** "The River" and "the-river" are one name. */
const plain = (name: string): string => name.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim();

/** What the path tells beside the title: its folder if the file is named like the page, else the path. Empty if it tells nothing. */
export function pathBeside(path: string, title: string): string {
  const slash = path.lastIndexOf('/');
  const file = path.slice(slash + 1).replace(/\.(md|markdown)$/i, '');
  return plain(file) === plain(title) ? path.slice(0, Math.max(0, slash)) : path;
}
