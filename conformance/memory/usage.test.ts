import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture } from '../harness/fixture.ts';
import { costOf, makeSpace, MEMORY, vectors, writeNote } from './space.ts';

describe('memory.usage', () => {
  it('is nothing before anything was stored', async () => {
    const world = await openFixture();
    const { alice } = world;
    const usage = mustOk(await alice.get(`${MEMORY}/usage/${alice.account}`));
    assert.deepEqual(usage, {
      owner: alice.account,
      spaces: 0,
      notes: 0,
      noteBytes: 0,
      files: 0,
      fileBytes: 0,
      perDay: { amount: '0', display: '0', asset: 'USDC', network: 'sandbox' },
      readOnly: false,
      quota: { notesWritten: 0, notesLeft: 10_000, spacesLeft: 100, fileBytesLeft: 209_715_200 },
    });
    await world.close();
  });

  it('adds up notes and files, by the started megabyte, free of charge, for the owner alone', async () => {
    const world = await openFixture();
    const { alice, bob } = world;
    await world.fund(alice, '1000000');
    const space = await makeSpace(alice);
    mustOk(await writeNote(alice, space, 'abc', { key: 'k', embedding: vectors(3)() }));
    const content = Buffer.alloc(1_048_576).toString('base64');
    const file = { owner: alice.account, key: 'a', contentBase64: content };
    mustOk(await alice.post('/api/v1/files', file));
    const cost = await costOf(alice, async () => {
      const usage = mustOk(await alice.get(`${MEMORY}/usage/${alice.keyId}`));
      const { spaces, notes, noteBytes, files, fileBytes } = usage;
      assert.deepEqual([spaces, notes, noteBytes, files, fileBytes], [1, 1, 3076, 1, 1_048_576]);
      assert.equal(at(usage, 'perDay', 'amount'), '100');
      assert.equal(usage['paidThrough'], undefined);
      assert.deepEqual(usage['quota'], {
        notesWritten: 1,
        notesLeft: 9999,
        spacesLeft: 99,
        fileBytesLeft: 208_666_624,
      });
    });
    assert.equal(cost, 0n);
    mustRefuse(await bob.get(`${MEMORY}/usage/${alice.account}`), 401, 'wrong-owner');
    mustRefuse(await world.anyone.get(`${MEMORY}/usage/${alice.account}`), 401, 'unsigned');
    await world.close();
  });
});
