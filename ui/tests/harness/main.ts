// The window over the in-memory core, for looking at it without the program. Options are in the address:
// ?theme=dark&workspace=1&many=10000&latency=50
import { start } from '../../src/app';
import { FakeCore, WORKSPACE } from '../fake/core';

declare global {
  interface Window {
    core: FakeCore;
    studio: ReturnType<typeof start>;
  }
}

// As the desktop window does.
Object.freeze(Object.prototype);

const options = new URLSearchParams(location.search);
const core = new FakeCore();
core.settings['ui.theme'] = options.get('theme') ?? 'system';
if (options.has('workspace')) core.settings['last_workspace'] = WORKSPACE;
core.latency = Number(options.get('latency') ?? 0);
for (let count = 0; count < Number(options.get('many') ?? 0); count += 1) {
  const name = `Generated skill ${String(count).padStart(5, '0')}`;
  core.add({
    scope: 'account',
    slug: `generated-${count}`,
    name,
    description: 'One of many.',
    files: { 'SKILL.md': { role: 'main', kind: 'description', text: `---\nname: generated-${count}\ndescription: One of many skills, made for measuring.\n---\n` } },
  });
}
window.core = core;
window.studio = start(core);
