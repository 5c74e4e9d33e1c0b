import type { ArtifactKind, FileRole, Scope, Skill } from '$lib/api/generated';

export interface SeedFile {
  text: string | null;
  role?: FileRole;
  kind?: ArtifactKind;
  name?: string;
  variant?: string;
  bytes?: number;
}

export interface Seed {
  scope: Scope;
  slug: string;
  name: string;
  description: string;
  source?: Skill.SkillSummary['source'];
  lifecycle?: Skill.SkillSummary['lifecycle'];
  enabled?: boolean;
  tags?: string[];
  files: Record<string, SeedFile>;
}

const CHECK = `Given the following claims about "{{ entity_name }}":

{% for claim in claims %}Claim {{ loop.index }} (from [[{{ claim.page_name }}]]): {{ claim.text }}
{% endfor %}
Identify any contradictions between these claims. For each contradiction, cite the specific claims by number and explain the conflict.
`;

export const CONSISTENCY: Seed = {
  scope: 'account',
  slug: 'consistency-checker',
  name: 'Consistency Checker',
  description: 'Analyzes workspace content for contradictions and inconsistencies across pages.',
  source: 'system',
  tags: ['analysis', 'worldbuilding', 'quality'],
  files: {
    'SKILL.md': {
      role: 'main',
      kind: 'description',
      name: 'Overview',
      text: `---
name: consistency-checker
description: Analyzes workspace content for contradictions and inconsistencies across pages.
license: MIT
metadata:
  author: inklings
---

# Consistency Checker

Finds **contradictions** between the pages of a workspace: ages that don't add up, places that move, people in two
places at once.

## When to use it

- after a long editing session
- before publishing a page that cites others

## Steps

1. Collect the claims with [the script](scripts/cross-reference.py).
2. Render \`prompts/check-prompt.j2\` for each entity.
3. Report each conflict with the claims' numbers.
`,
    },
    'prompts/check-prompt.j2': { kind: 'prompt_template', name: 'Check Prompt', text: CHECK },
    'prompts/check-prompt.anthropic.j2': {
      kind: 'prompt_template',
      name: 'Check Prompt',
      variant: 'anthropic',
      text: `<claims entity="{{ entity_name }}">\n{% for claim in claims %}{{ loop.index }}. {{ claim.text }}\n{% endfor %}</claims>\n\nList every contradiction, citing claims by number.\n`,
    },
    'scripts/cross-reference.py': {
      kind: 'code_template',
      name: 'Cross-Reference Script',
      text: `import inklings

pages = inklings.search("{{ entity_type }}")
claims = []
for page in pages:
    content = inklings.get_page(page["slug"])
    # one call for each page: small answers are easier to check
    extracted = inklings.llm_query(f"Extract factual claims from: {content}")
    claims.extend(extracted)
inklings.submit({"entity_type": "{{ entity_type }}", "claims": claims})
`,
    },
    'dspy/dspy-checker.json': {
      kind: 'dspy_module',
      name: 'DSPy Checker',
      text: '{\n  "template_id": "chain_of_thought",\n  "signature": "claims -> contradictions"\n}\n',
    },
    'assets/diagram.png': { text: null, bytes: 48_213 },
    'skill.json': {
      role: 'manifest',
      text: '{\n  "artifacts": [\n    { "path": "prompts/check-prompt.j2", "kind": "prompt_template", "name": "Check Prompt", "ordinal": 1 }\n  ]\n}\n',
    },
  },
};

export const LINKS: Seed = {
  scope: 'account',
  slug: 'link-auditor',
  name: 'Link Auditor',
  description: 'Lists broken links between pages. Needs no model.',
  files: {
    'SKILL.md': {
      role: 'main',
      kind: 'description',
      name: 'Overview',
      text: '---\nname: link-auditor\ndescription: Lists broken links between pages. Needs no model.\n---\n\n# Link Auditor\n\nRun the script, then fix what it lists.\n',
    },
    'scripts/audit.sh': { text: '#!/bin/sh\nset -eu\n# every page that links to a missing page\ngrep -rno "\\[\\[.*\\]\\]" . | sort -u\n' },
    'references/rules.yaml': { text: 'rules:\n  - id: missing\n    severity: error\n  - id: orphan\n    severity: info\n' },
  },
};

export const TIMELINE: Seed = {
  scope: 'account',
  slug: 'timeline-builder',
  name: 'Timeline Builder',
  description: 'Puts the dated events of all pages in order.',
  lifecycle: 'candidate',
  files: {
    'SKILL.md': { role: 'main', kind: 'description', name: 'Overview', text: '---\nname: timeline-builder\ndescription: Puts events in order.\n---\n\nCollect dates first.\n' },
    'prompts/order.j2': { kind: 'prompt_template', name: 'Order', text: 'Order these events:\n{% for event in events %}- {{ event.date }}: {{ event.title }}\n{% endfor %}' },
  },
};

export const OVERRIDE: Seed = {
  scope: 'workspace',
  slug: 'link-auditor',
  name: 'Link Auditor',
  description: 'Lists broken links, also to pictures. Needs no model.',
  files: {
    'SKILL.md': {
      role: 'main',
      kind: 'description',
      name: 'Overview',
      text: '---\nname: link-auditor\ndescription: Lists broken links, also to pictures. Needs no model.\n---\n\n# Link Auditor\n\nThis workspace keeps its pictures in `img/`.\n',
    },
    'scripts/audit.sh': { text: '#!/bin/sh\nset -eu\ngrep -rno "\\[\\[.*\\]\\]" . | sort -u\n' },
  },
};

export const SEEDS: readonly Seed[] = [CONSISTENCY, LINKS, TIMELINE, OVERRIDE];
