import type { ArtifactKind } from '$lib/api/generated';

export type SkillTemplateId = 'empty' | 'instructions' | 'prompt' | 'script';

interface SkillTemplate {
  label: string;
  about: string;
  /** Instructions of a skill with this title. */
  content: (title: string) => string | null;
  file: { path: string; kind: ArtifactKind; name: string; text: string } | null;
}

const sections = (title: string, use: string): string => `# ${title}

${use}

## When to use it

- …

## Steps

1. …

## Result

…
`;

const PROMPT = `Summarize the text below in {{ sentences | default(3) }} sentences.

{{ text }}
`;

const SCRIPT = `import inklings

limit = int(params.get("limit") or 20)

pages = inklings.search(params["query"])[:limit]
inklings.submit({"pages": pages})
`;

export const SKILL_TEMPLATES: Readonly<Record<SkillTemplateId, SkillTemplate>> = {
  empty: { label: 'Empty', about: 'only the title and the description', content: () => null, file: null },
  instructions: { label: 'Instructions', about: 'sections for when to use it, steps and result', content: (title) => sections(title, 'What an agent with this skill does.'), file: null },
  prompt: {
    label: 'Prompt',
    about: 'instructions and a prompt template with a form',
    content: (title) => sections(title, 'Fill in and send the [prompt](prompts/main.j2).'),
    file: { path: 'prompts/main.j2', kind: 'prompt_template', name: 'Main', text: PROMPT },
  },
  script: {
    label: 'Python script',
    about: 'instructions and a script that searches the workspace',
    content: (title) => sections(title, 'Run the [script](scripts/main.py).'),
    file: { path: 'scripts/main.py', kind: 'code_template', name: 'Main', text: SCRIPT },
  },
};
