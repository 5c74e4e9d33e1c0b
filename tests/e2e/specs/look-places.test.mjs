import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { enter, leave, PLACES_BY_KIND, ready } from '../tours/places.mjs';

/** The place of each picture, by the picture's digest. @type {Map<string, string>} */
const seen = new Map();

for (const [kind, places] of Object.entries(PLACES_BY_KIND)) {
  test(`pictures of every ${kind}`, onMachine(async (machine) => {
    const studio = await ready(machine);
    /** @type {string[]} */
    const same = [];
    for (const place of places) {
      await enter(studio, place);
      const pictures = await studio.pictures(place.name);
      for (const [theme, picture] of pictures) {
        const digest = createHash('sha256').update(picture.rgb).digest('hex');
        // A test that is repeated meets its own pictures again.
        const name = seen.get(digest) ?? place.name;
        if (name !== place.name) same.push(`${place.name} looks like ${name} in the ${theme} theme`);
        seen.set(digest, name);
      }
      await leave(studio, place);
    }
    assert.deepEqual(same, [], 'each place looks like itself');
  }));
}
