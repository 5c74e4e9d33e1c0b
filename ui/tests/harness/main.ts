// The window over the in-memory core, for looking at it without the program. Options are in the address:
// ?theme=dark&workspace=1&many=10000&latency=50&runs=200&pages=10000&model=1&registry=200&view=runs
import { start } from '../../src/app';
import { FakeCore, WORKSPACE } from '../fake/core';

declare global {
  interface Window {
    core: FakeCore;
    app: ReturnType<typeof start>;
  }
}

// As the desktop window does.
Object.freeze(Object.prototype);

const options = new URLSearchParams(location.search);
const core = new FakeCore();
core.settings['ui.theme'] = options.get('theme') ?? 'system';
if (options.has('workspace')) core.window.place = { workspace: WORKSPACE, number: 0 };
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
if (options.has('model')) core.runs.addProvider();
core.runs.verdicts = [
  { description: 'the answer is JSON', assertion: 'is-json', severity: 'hard', weight: 1, outcome: 'passed', score: null, explanation: '' },
  { description: 'it names no one', assertion: 'not-contains', severity: 'soft', weight: 1, outcome: 'failed', score: null, explanation: 'the output contains "Aria"' },
];
for (let count = Number(options.get('runs') ?? 0); count > 0; count -= 1) {
  const started = Date.now() - count * 3 * 3_600_000;
  const [status, kind] = [count % 7 === 0 ? ('error' as const) : ('ok' as const), 'prompt_template' as const];
  const run_id = crypto.randomUUID();
  const base = { run_id, started_at: new Date(started).toISOString(), input_tokens: 200 + ((count * 37) % 900), output_tokens: 20 + ((count * 13) % 400), estimated_cost: ((count * 7) % 40) / 10_000 };
  core.runs.trace({ ...base, artifact_kind: 'description', artifact_name: 'Overview', artifact_path: 'SKILL.md', duration_ms: 0, raw_output: null, model_id: null, input_tokens: 90, output_tokens: null, estimated_cost: null });
  core.runs.trace({ ...base, artifact_kind: kind, status, error: status === 'error' ? 'claude is overloaded' : null, raw_output: '{"contradictions": [{"pages": ["aria", "war"], "explanation": "She is 30 and was born 40 years ago."}]}', verdicts: core.runs.verdicts, assertions_run: 2, assertions_passed: 1, model_id: count % 3 === 0 ? 'claude-haiku' : 'claude-sonnet' });
}
for (let count = 0; count < Number(options.get('pages') ?? 0); count += 1) {
  const [type, next] = [['character', 'place', 'event'][count % 3] ?? '', `Page ${String((count * 7 + 1) % 10_000).padStart(5, '0')}`];
  const title = `Page ${String(count).padStart(5, '0')}`;
  core.pages.put(`${type}s/page-${count}`, title, `# ${title}\n\nIt follows [[${next}]] and [[Nowhere ${count % 5}|nothing]].\n\n- one\n- two\n`, {
    type, tags: count % 2 === 0 ? ['even', 'harbour'] : ['odd'], frontmatter: { title, type, born: 187, aliases: ['One', 'Other'] },
    history: [{ id: 'abcdef1234', time: new Date(Date.now() - count * 60_000).toISOString(), author: 'Ada', summary: 'Say who was there' }],
  });
}
const offered = Number(options.get('registry') ?? 0);
if (offered > 0) {
  core.marketplace.addRegistry('skills.example.org', { synced_at: new Date(Date.now() - 300_000).toISOString() });
  for (let count = 0; count < offered; count += 1) {
    const permissions = [['code', 'llm'], [], ['llm', 'network', 'native-scripts', 'tools:search', 'integrations:mail']][count % 3] ?? [];
    const files = { 'SKILL.md': `# Offered skill ${count}\n\nDo it.\n`, 'README.md': `# Offered skill ${count}\n\nSee [the script](scripts/check.sh).\n`, 'scripts/check.sh': '#!/bin/sh\necho ok\n' };
    core.marketplace.publish('skills.example.org', `offered-skill-${count}`, '1.0.0', files, { permissions, category: ['writing', 'quality', 'general'][count % 3] ?? '', description: `Does what skill ${count} does, and says so in a sentence that may be too long for a row.`, dependsOn: count % 3 === 0 ? ['offered-skill-1', 'missing-skill'] : [] });
  }
}
window.core = core;
window.app = start(core);
if (options.has('view')) setTimeout(show, 300);

const SCRIPT = 'scripts/cross-reference.py';

function show(): void {
  const view = options.get('view');
  if (view === 'runs') window.app.runs.show(core.runs.traces.at(-1)?.run_id);
  if (view === 'pages') void window.app.pages.open(core.pages.all[0]?.slug);
  if (view === 'usage') window.app.runs.showUsage();
  if (view === 'compare') {
    window.app.runs.show();
    window.app.runsView.compareRuns(core.runs.traces[1]?.run_id ?? '', core.runs.traces.at(-1)?.run_id ?? '');
  }
  if (view === 'models') window.app.settingsPage.open('models');
  if (view === 'picker') window.app.modelChooser.ask();
  if (view === 'run') {
    window.app.files.open({ scope: 'account', id: 'skill-1' }, 'prompts/check-prompt.j2');
    setTimeout(() => {
      const { form } = window.app.runView;
      for (const one of form.fields.variables) form.fields.set(one, one.shape === 'text' ? 'Aria' : '[{"page_name": "aria", "text": "She is 30"}]');
      core.runs.answer = '{"contradictions": [{"pages": ["aria"], "explanation": "She is 30 and 40."}]}';
      window.app.runs.start();
    }, 900);
  }
  if (view === 'script' || view === 'failed') {
    window.app.files.open({ scope: 'account', id: 'skill-1' }, SCRIPT);
    setTimeout(() => script(view === 'failed'), 900);
  }
}

/** A script that is under way, or that failed. */
function script(failed: boolean): void {
  core.hold('run/start');
  window.app.runs.start();
  setTimeout(() => {
    const run = window.app.runView.run.live?.id ?? '';
    const trace = 'trace-1';
    let seq = 0;
    core.runs.tell({ run, seq: seq++, kind: 'began', trace, name: 'Cross Reference', path: SCRIPT, artifact_kind: 'code_template', context: false, fallback_of: null });
    for (let line = 1; line <= 40; line += 1) core.runs.tell({ run, seq: seq++, kind: 'log', trace, text: `read characters/page-${line}.md, ${line * 3} claims\n` });
    core.runs.tell({ run, seq: seq++, kind: 'progress', trace, fraction: 0.42, text: 'Comparing the claims of Mara Venn' });
    if (!failed) return;
    const traceback = `Traceback (most recent call last):\n  File "${SCRIPT}", line 4, in main\n    claims = collect(page)\n  File "/usr/lib/json/decoder.py", line 337, in decode\nValueError: a claim has no page`;
    const log = 'read characters/page-1.md, 3 claims\n'.repeat(30);
    core.runs.traces.push(core.runs.trace({ id: trace, run_id: run, artifact_path: SCRIPT, artifact_name: 'Cross Reference', artifact_kind: 'code_template', status: 'error', error: 'ValueError: a claim has no page', raw_output: null, log, detail: { outcome: 'exception', traceback, line: 4 } }));
    core.runs.tell({ run, seq, kind: 'ended', trace: core.runs.get(trace) });
  }, 400);
}
