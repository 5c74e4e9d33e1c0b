// Three lint rules about who may import whom. They read import statements only, so `.svelte` files count like `.ts` files.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const ENDINGS = ['', '.ts', '.svelte.ts', '.svelte', '.js', '/index.ts'];
// Static imports and re-exports that exist at run time; type-only imports can't form a cycle in the bundle.
const IMPORT = /^\s*(?:import|export)\s+(?!type\b)(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;

function target(from, specifier) {
  let base;
  if (specifier.startsWith('$lib/')) base = join(ROOT, 'src/lib', specifier.slice(5));
  else if (specifier.startsWith('.')) base = resolve(dirname(from), specifier);
  else return null;
  for (const ending of ENDINGS) {
    const path = base + ending;
    if (existsSync(path) && statSync(path).isFile()) return path;
  }
  return null;
}

const known = new Map();
function importsOf(file) {
  const stamp = statSync(file).mtimeMs;
  const hit = known.get(file);
  if (hit && hit.stamp === stamp) return hit.targets;
  const targets = [];
  for (const match of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const path = target(file, match[1]);
    if (path) targets.push(path);
  }
  known.set(file, { stamp, targets });
  return targets;
}

function pathBack(start, goal) {
  const seen = new Set();
  const stack = [[start]];
  while (stack.length > 0) {
    const trail = stack.pop();
    const last = trail[trail.length - 1];
    if (last === goal) return trail;
    if (seen.has(last)) continue;
    seen.add(last);
    for (const next of importsOf(last)) stack.push([...trail, next]);
  }
  return null;
}

const noCycle = {
  meta: { type: 'problem', schema: [], messages: { cycle: 'import cycle: {{trail}}' } },
  create(context) {
    const file = context.filename;
    const check = (node) => {
      const typeOnly = node.importKind === 'type' || node.exportKind === 'type';
      if (typeOnly || typeof node.source?.value !== 'string') return;
      const path = target(file, node.source.value);
      const trail = path && pathBack(path, file);
      if (trail) {
        const names = [file, ...trail].map((step) => relative(ROOT, step)).join(' -> ');
        context.report({ node, messageId: 'cycle', data: { trail: names } });
      }
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check };
  },
};

const noUpward = {
  meta: {
    type: 'problem',
    schema: [{ type: 'object', properties: { forbidden: { type: 'array' } }, additionalProperties: false }],
    messages: { upward: '{{from}} must not import {{to}}: give what it needs from above' },
  },
  create(context) {
    const { forbidden } = context.options[0];
    const file = context.filename;
    const check = (node) => {
      if (typeof node.source?.value !== 'string') return;
      const path = target(file, node.source.value);
      if (!path) return;
      const inside = relative(ROOT, path);
      if (forbidden.some((folder) => inside.startsWith(`${folder}/`))) {
        context.report({ node, messageId: 'upward', data: { from: relative(ROOT, file), to: inside } });
      }
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

const FEATURE = /^src\/lib\/features\/([^/]+)\//;

/**
 * A feature reaches another one through its `index.ts` only: the rest of its folder is its own. What is loaded when it is first shown is
 * named by its file: through the index it would be loaded with the window.
 */
const byIndex = {
  meta: { type: 'problem', schema: [], messages: { deep: '{{to}} is private to its feature: import $lib/features/{{feature}}' } },
  create(context) {
    const file = context.filename;
    const own = FEATURE.exec(relative(ROOT, file))?.[1];
    const check = (node) => {
      if (typeof node.source?.value !== 'string') return;
      const path = target(file, node.source.value);
      const to = path && relative(ROOT, path);
      const other = to && FEATURE.exec(to)?.[1];
      if (other && other !== own && to !== `src/lib/features/${other}/index.ts`) context.report({ node, messageId: 'deep', data: { to, feature: other } });
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check };
  },
};

export default { rules: { 'no-cycle': noCycle, 'no-upward': noUpward, 'by-index': byIndex } };
