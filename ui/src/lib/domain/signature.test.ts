import { describe, expect, it } from 'vitest';
import { asName, nameProblem, readSignature, signatureProblem, typeProblem, writeSignature } from './signature';

const NONE = { inputs: [], outputs: [] };

describe('a signature', () => {
  it('reads and writes as it is', () => {
    const text = "claims: list[str], entity: str -> contradictions: list[dict[str, str]], kind: Literal['a, b', 'c']";
    const signature = readSignature(text);
    expect(signature?.inputs).toEqual([{ name: 'claims', type: 'list[str]' }, { name: 'entity', type: 'str' }]);
    expect(signature?.outputs.map((field) => field.type)).toEqual(['list[dict[str, str]]', "Literal['a, b', 'c']"]);
    expect(signature && writeSignature(signature)).toBe(text);
  });

  it('has text fields unless it says otherwise', () => {
    expect(readSignature('question -> answer')).toEqual({ inputs: [{ name: 'question', type: 'str' }], outputs: [{ name: 'answer', type: 'str' }] });
  });

  it('keeps a field that has no name yet', () => {
    const signature = { inputs: [{ name: 'a', type: 'str' }, { name: '', type: 'int' }], outputs: [{ name: 'b', type: 'str' }] };
    expect(readSignature(writeSignature(signature))).toEqual(signature);
  });

  it('says what is missing', () => {
    expect(signatureProblem('a -> b')).toBe('');
    expect(signatureProblem('a -> b -> c')).toMatch(/one ->/);
    expect(signatureProblem(' -> b')).toMatch(/input/);
    expect(signatureProblem('a')).toMatch(/output/);
    expect(readSignature('a -> b -> c')).toBeNull();
    expect(readSignature('')).toEqual(NONE);
  });
});

describe('names', () => {
  const signature = readSignature('a, a, class, 1x, größe -> b') ?? NONE;

  it.each([['a', /Another/], ['class', /Python/], ['1x', /letter/], ['', /field name/], ['größe', /^$/], ['b', /^$/]])('%s', (name, problem) => {
    expect(nameProblem(name, signature)).toMatch(problem);
  });

  it('lose what would end a field', () => expect(asName('my name: str, ->x')).toBe('my_name_str_x'));
});

describe('types', () => {
  it.each(['str', 'int | None', 'Optional[list[float]]', 'tuple[int, ...]', "Literal['a: b', 'c, d']", 'list[dict[str, str]]', 'Literal[1, -2]'])('%s', (type) => {
    expect(typeProblem(type)).toBe('');
  });

  it.each([['', /Enter a type/], ['strng', /“strng”/], ['list[str', /Unclosed/], ['list]', /Unclosed/], ['Image', /“Image”/], ["eval('x')", /“\(”/], ['str, int', /Commas/], ['a -> b', /->/]])('%s', (type, problem) => {
    expect(typeProblem(type)).toMatch(problem);
  });
});
