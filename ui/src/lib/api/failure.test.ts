import { describe, expect, it } from 'vitest';
import { asFailure, sentence } from './failure';

describe('a message as a sentence', () => {
  it.each([
    ['folder /missing not found', 'Folder /missing not found.'],
    ['references/style.md is there already', 'references/style.md is there already.'],
    ['skill.json is not valid JSON', 'skill.json is not valid JSON.'],
    ['stopped. It can go on', 'Stopped. It can go on.'],
    ['what now?', 'What now?'],
  ])('%s', (message, said) => {
    expect(sentence(message)).toBe(said);
  });
});

describe('a hint', () => {
  const failure = { code: 'noModel', message: 'no model is set up', hint: 'add a model provider' };

  it('is in the words of the window if the failure names a step', () => {
    expect(asFailure({ ...failure, nextStep: 'addModel' }).hint).toBe('Add a provider in Settings > Models.');
  });

  it('is the core’s if the window has no words of its own', () => {
    expect(asFailure({ ...failure, hint: 'check the files of the skill', nextStep: 'findFile' }).hint).toBe('check the files of the skill');
    expect(asFailure(failure).hint).toBe('add a model provider');
  });
});
