import { describe, expect, it } from 'vitest';
import { sentence } from './failure';

describe('a message as a sentence', () => {
  it.each([
    ['there is no folder /missing', 'There is no folder /missing.'],
    ['references/style.md is there already', 'references/style.md is there already.'],
    ['skill.json is not valid JSON', 'skill.json is not valid JSON.'],
    ['stopped. It can go on', 'Stopped. It can go on.'],
    ['what now?', 'What now?'],
  ])('%s', (message, said) => {
    expect(sentence(message)).toBe(said);
  });
});
