import type { FileEntry, Kind } from '$lib/api/generated';

export interface KindFace {
  label: string;
  /** What one writes in it, for the choice of a new file. */
  about: string;
}

/** The words for each kind. Its icon is in KindIcon.svelte, its hue is `--kind-<kind>` in the tokens. */
export const KINDS: Record<Kind, KindFace> = {
  description: { label: 'Description', about: 'What the skill does and when to use it' },
  prompt_template: { label: 'Prompt', about: 'A message with variables, sent to a model' },
  code_template: { label: 'Script', about: 'A Python script that runs in the sandbox' },
  dspy_module: { label: 'DSPy module', about: 'A DSPy program with a fallback prompt' },
  approach: { label: 'Approach', about: 'Strategy text added to the system prompt' },
  example: { label: 'Example', about: 'Input and output pairs shown to the model' },
};

export const KIND_NAMES = Object.keys(KINDS) as Kind[];

export function kindOf(entry: FileEntry): Kind | null {
  return entry.artifact?.kind ?? (entry.role === 'main' ? 'description' : null);
}

/** True for a file whose rendered text can be previewed. */
export function isTemplate(entry: FileEntry | null, path: string): boolean {
  if (entry?.artifact) return entry.artifact.kind === 'prompt_template' || entry.artifact.kind === 'code_template';
  return /\.(j2|jinja2?)$/i.test(path);
}
