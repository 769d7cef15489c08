import assert from 'node:assert/strict';
import { at, mustOk } from '../harness/must.ts';
import { openFixture } from '../harness/fixture.ts';

describe('memory.prices', () => {
  it('lists every price and limit, without a key', async () => {
    const world = await openFixture();
    const prices = mustOk(await world.anyone.get('/api/v1/memory/prices'));
    assert.deepEqual(
      [
        at(prices, 'note', 'write'),
        at(prices, 'search', 'each'),
        at(prices, 'rent', 'perMegabyteDay'),
        at(prices, 'rent', 'chargedAt'),
        prices['space'],
        prices['network'],
      ],
      ['200', '500', '50', '00:05 UTC', '0', 'sandbox'],
    );
    assert.deepEqual(prices['file'], {
      writeBase: '100',
      writePerMegabyte: '20',
      readBase: '10',
      readPerMegabyte: '10',
    });
    assert.deepEqual(prices['limits'], {
      noteBytes: 8192,
      notesPerAccount: 10_000,
      keyChars: 128,
      embeddingDimensions: 768,
      embeddingDimensionsMax: 4096,
      searchResultsDefault: 10,
      searchResults: 20,
      searchTextChars: 512,
      spacesPerAccount: 100,
      grantsPerSpace: 200,
      fileBytes: 33_554_432,
      filesBytesPerAccount: 209_715_200,
    });
    await world.close();
  });
});
