import { expect, it, vi } from 'vitest';
import { External } from './external.svelte';

const report = vi.fn();
const openAddress = vi.fn(() => Promise.resolve());
const openFolder = vi.fn(() => Promise.reject(new Error('folder /missing not found')));
const external = new External({ notifications: { report }, platform: { openAddress, openFolder } } as unknown as ConstructorParameters<typeof External>[0]);

it('opens an address only after a yes, once', async () => {
  external.ask('https://example.org/a?b');
  expect(openAddress).not.toHaveBeenCalled();
  await external.open();
  await external.open();
  expect(openAddress.mock.calls).toEqual([['https://example.org/a?b']]);
  external.ask('https://example.org');
  external.asked = null;
  await external.open();
  expect(openAddress).toHaveBeenCalledTimes(1);
});

it('says why a folder isn’t shown', async () => {
  await external.showFolder('/missing');
  expect(report).toHaveBeenCalledWith('Couldn’t open the folder', expect.objectContaining({ message: 'folder /missing not found' }));
});
