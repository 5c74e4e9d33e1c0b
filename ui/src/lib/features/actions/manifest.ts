import type { ArtifactInfo, Kind } from '$lib/wire';

export interface Declaration {
  path: string;
  kind: Kind;
  name: string;
  ordinal: number;
}

/** What a new artifact of each kind starts with. */
export const STARTERS: Record<Kind, string> = {
  description: 'What this part of the skill is about.\n',
  prompt_template: 'Read the following text and say what matters most in it:\n\n{{ text }}\n',
  code_template:
    'import inklings\n\npages = inklings.workspace_search("{{ query }}")\ninklings.submit({"pages": [page["slug"] for page in pages]})\n',
  dspy_module: '{\n  "template_id": "chain_of_thought",\n  "signature": "text -> summary"\n}\n',
  approach: 'Work in small steps. Say what you checked and what you could not check.\n',
  example: '[\n  {\n    "input": "",\n    "output": ""\n  }\n]\n',
};

export const nextOrdinal = (artifacts: readonly (ArtifactInfo | null)[]): number =>
  Math.max(-1, ...artifacts.map((artifact) => artifact?.ordinal ?? -1)) + 1;

/**
 * Declares an artifact in the text of skill.json, touching nothing else in it. Without a skill.json the text of a new
 * one is returned. Throws when the text isn't JSON.
 */
export async function declare(manifest: string | null, entry: Declaration): Promise<string> {
  if (manifest === null || manifest.trim() === '') return `${JSON.stringify({ artifacts: [entry] }, null, 2)}\n`;
  const { applyEdits, findNodeAtLocation, modify, parseTree } = await import('jsonc-parser');
  const tree = parseTree(manifest);
  if (tree?.type !== 'object') throw new Error('skill.json is not a JSON object');
  const list = findNodeAtLocation(tree, ['artifacts']);
  const indent = /\n([ \t]+)\S/.exec(manifest)?.[1] ?? '  ';
  const options = {
    formattingOptions: {
      insertSpaces: !indent.startsWith('\t'),
      tabSize: indent.startsWith('\t') ? 1 : indent.length,
      eol: manifest.includes('\r\n') ? '\r\n' : '\n',
    },
    isArrayInsertion: list !== undefined,
  };
  const [path, value] = list ? [['artifacts', -1], entry] : [['artifacts'], [entry]];
  return applyEdits(manifest, modify(manifest, path as (string | number)[], value, options));
}
