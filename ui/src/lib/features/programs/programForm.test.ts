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
    expect([form.template, form.instructions, form.adapter, form.parameters, form.signature.problem]).toEqual(['best_of_n', '', 'chat', { n: 5 }, '']);
    held.set('text', '{"adapter": "json", "signature": 3}');
    expect([form.template, form.adapter, form.signature.text]).toEqual(['', 'json', '']);
    expect(form.signature.problem).not.toBe('');
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
    expect(form.signature.add('inputs')).toBe(1);
    form.signature.rename('inputs', 1, 'context');
    form.signature.retype('inputs', 1, 'list[str]');
    expect(form.signature.text).toBe('question: str, context: list[str] -> answer: str');
    form.signature.move('inputs', 1, 0);
    form.signature.add('outputs');
    expect(form.signature.text).toBe('context: list[str], question: str -> answer: str, output: str');
    form.signature.remove('outputs', 0);
    form.signature.remove('outputs', 0);
    expect(form.signature.text).toBe('context: list[str], question: str ->');
    expect(form.signature.problem).toMatch(/output/);
    form.signature.add('outputs');
    expect(form.signature.value?.outputs).toEqual([{ name: 'output', type: 'str' }]);
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
