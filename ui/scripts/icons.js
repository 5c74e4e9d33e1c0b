/**
 * Draws icons by markup of their own. The library's components walk over the shapes of an icon each time one is drawn, which
 * was a good part of what the window took to start; they give the shapes, and the names.
 * @returns {import('svelte/compiler').PreprocessorGroup}
 */
export function drawnIcons() {
  return {
    name: 'drawn-icons',
    markup({ content, filename }) {
      if (!filename || !/@lucide\/svelte\/dist\/icons\/[\w-]+\.svelte$/.test(filename)) return undefined;
      const data = /const iconData = (\{.*\});/.exec(content)?.[1];
      if (data === undefined) throw new Error(`${filename} has no shapes where they were`);
      /** @type {{ size: number, node: [string, Record<string, string>][] }} */
      const { size, node } = JSON.parse(data);
      const shapes = node.map(([tag, attributes]) => `<${tag}${Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`).join('')} />`);
      return { code: component(size, shapes.join('')) };
    },
  };
}

/** What the Studio asks of an icon, and no more: tests/icons.test.ts sees that nothing else is asked. */
export const ASKED = ['size', 'strokeWidth', 'aria-hidden', 'aria-label'];

/** @param {number} size @param {string} shapes */
function component(size, shapes) {
  return `<script>
  let { size = ${size}, strokeWidth = 2, 'aria-label': label } = $props();
</script>

<svg viewBox="0 0 ${size} ${size}" width={size} height={size} fill="none" stroke="currentColor" stroke-width={strokeWidth} stroke-linecap="round" stroke-linejoin="round" aria-hidden={label === undefined ? 'true' : undefined} aria-label={label} role={label === undefined ? undefined : 'img'}>${shapes}</svg>
`;
}
