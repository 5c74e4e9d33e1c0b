import { SvelteMap } from 'svelte/reactivity';
import { beforeEach, describe, expect, it } from 'vitest';
import { ProgramForm } from './programForm.svelte';

const MODULE = '{\n  "template_id": "best_of_n",\n  "signature": "question -> answer",\n  "parameters": { "n": 5 },\n  "own": 1.0\n}\n';

const held = new SvelteMap<'text', string>();
const text = (): string => held.get('text') ?? '';
const source = { get edition() { return text().length; }, replacement: 0, text, replace: (next: string) => held.set('text', next) };
let form: ProgramForm;

beforeEach(() => {
  held.set('text', MODULE);
  form = new ProgramForm(source);
});

describe('a program’s form', () => {
  it('shows what the text says', () => {
    expect([form.template, form.instructions, form.adapter, form.parameters, form.problem]).toEqual(['best_of_n', '', 'chat', { n: 5 }, '']);
    held.set('text', '{"adapter": "json", "signature": 3}');
    expect([form.template, form.adapter, form.signatureText]).toEqual(['', 'json', '']);
    expect(form.problem).not.toBe('');
    held.set('text', '{');
    expect(form.readable).toBe(false);
  });

  it('writes into the text, and leaves the rest as it is', () => {
    form.setInstructions('Answer briefly.');
    form.setAdapter('json');
    expect(text()).toBe(MODULE.replace('"own": 1.0', '"own": 1.0,\n  "instructions": "Answer briefly.",\n  "adapter": "json"'));
    form.setInstructions('');
    form.setAdapter('chat');
    expect(text()).toBe(MODULE);
  });

  it('changes fields of the signature', () => {
    expect(form.add('inputs')).toBe(1);
    form.rename('inputs', 1, 'context');
    form.retype('inputs', 1, 'list[str]');
    expect(form.signatureText).toBe('question: str, context: list[str] -> answer: str');
    form.move('inputs', 1, 0);
    form.add('outputs');
    expect(form.signatureText).toBe('context: list[str], question: str -> answer: str, output: str');
    form.remove('outputs', 0);
    form.remove('outputs', 0);
    expect(form.signatureText).toBe('context: list[str], question: str ->');
    expect(form.problem).toMatch(/output/);
    form.add('outputs');
    expect(form.signature?.outputs).toEqual([{ name: 'output', type: 'str' }]);
  });

  it('drops parameters that another template doesn’t have', () => {
    form.setParameter('m', 2);
    form.chooseTemplate('multi_chain_comparison', new Set(['m']));
    expect([form.template, form.parameters]).toEqual(['multi_chain_comparison', { m: 2 }]);
    form.chooseTemplate('predict', new Set());
    expect(text()).not.toContain('parameters');
    form.setParameter('n', 1);
    form.chooseTemplate('best_of_n', null);
    expect(form.parameters).toEqual({ n: 1 });
  });
});
