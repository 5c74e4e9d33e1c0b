import type { ArtifactKind, FileEntry } from '$lib/api/generated';

export interface KindPresentation {
  label: string;
  /** Shown when a new file is created. */
  about: string;
}

/** The icon of a kind is in KindIcon.svelte, its color is `--kind-<kind>` in the tokens. */
export const KINDS: Record<ArtifactKind, KindPresentation> = {
  description: { label: 'Description', about: 'What the skill does and when to use it' },
  prompt_template: { label: 'Prompt', about: 'A message with variables, sent to a model' },
  code_template: { label: 'Script', about: 'A Python script that runs in the sandbox' },
  dspy_module: { label: 'DSPy module', about: 'A DSPy program with a fallback prompt' },
  approach: { label: 'Approach', about: 'Strategy text added to the system prompt' },
  example: { label: 'Example', about: 'Input and output pairs shown to the model' },
};

export const KIND_NAMES = Object.keys(KINDS) as ArtifactKind[];

export function kindOf(entry: FileEntry): ArtifactKind | null {
  return entry.artifact?.kind ?? (entry.role === 'main' ? 'description' : null);
}

/** Whether artifacts of a kind run; the others accompany prompts. */
export const isExecutable = (kind: ArtifactKind): boolean => kind === 'prompt_template' || kind === 'code_template' || kind === 'dspy_module';

/** True for a file whose rendered text can be previewed. */
export function isTemplate(entry: FileEntry | null, path: string): boolean {
  if (entry?.artifact) return entry.artifact.kind === 'prompt_template' || entry.artifact.kind === 'code_template';
  return /\.(j2|jinja2?)$/i.test(path);
}
