import { tick } from 'svelte';
import { expect, it } from 'vitest';
import { ViewRequest } from './viewRequest';

it('is answered by the part that is there, and waits for one that comes later', async () => {
  const request = new ViewRequest<string>();
  const received: string[] = [];
  request.send('early');
  await tick();
  const detach = request.attach((value) => received.push(`first ${value}`));
  expect(received).toEqual(['first early']);
  request.send('now');
  await tick();
  expect(received.at(-1)).toBe('first now');
  detach();
  request.send('later');
  await tick();
  expect(received).toHaveLength(2);
  request.attach((value) => received.push(`second ${value}`));
  expect(received.at(-1)).toBe('second later');
});

it('isn’t ended by a part that another one has replaced', async () => {
  const request = new ViewRequest();
  let answers = 0;
  const detach = request.attach(() => undefined);
  request.attach(() => (answers += 1));
  detach();
  request.send();
  await tick();
  expect(answers).toBe(1);
});
