import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import {
  costOf,
  found,
  grantTo,
  makeSpace,
  MEMORY,
  searchNotes,
  vectors,
  writeNote,
  type MadeSpace,
} from './space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

hubsOnBothDatabases('memory.write', (open) => {
  const next = vectors(1);
  let world: Fixture;
  let space: MadeSpace;
  before(async () => {
    world = await open();
    await world.fund(world.alice, '90000000');
    await world.fund(world.bob, '90000000');
    space = await makeSpace(world.alice, 'shared');
  });

  it('stores a note for 200 units, in the statement as memory.write', async () => {
    const { alice } = world;
    let note: Record<string, unknown> = {};
    const cost = await costOf(alice, async () => {
      note = mustOk(await writeNote(alice, space, 'Grüße an Łódź', { key: 'greeting' }));
    });
    assert.equal(cost, 200n);
    assert.deepEqual(
      [
        note['embedded'],
        note['overwritten'],
        note['bytes'],
        note['author'],
        at(note, 'charge', 'amount'),
      ],
      [false, false, Buffer.byteLength('Grüße an Łódź') + 8, alice.account, '200'],
    );
    const page = mustOk(await alice.get(`/api/v1/wallet/${alice.account}/statement?limit=1`));
    const entry = at(page, 'entries', 0) as Record<string, unknown>;
    assert.deepEqual([entry['reason'], entry['amount']], ['memory.write', '200']);
    assert.deepEqual(entry['ref'], { kind: 'note', id: note['noteId'] });
  });

  it('weighs an embedding 4 bytes a component', async () => {
    const note = mustOk(await writeNote(world.alice, space, 'four', { embedding: next() }));
    assert.deepEqual([note['embedded'], note['bytes']], [true, 4 + 3072]);
  });

  it('takes 8192 bytes, and refuses one more, counted in UTF-8', async () => {
    const { alice } = world;
    mustOk(await writeNote(alice, space, 'ü'.repeat(4096)));
    const cost = await costOf(alice, async () => {
      const refused = mustRefuse(
        await writeNote(alice, space, `${'ü'.repeat(4096)}a`),
        400,
        'note-too-long',
      );
      assert.match(String(refused['error']), /8193 bytes/);
      mustRefuse(await writeNote(alice, space, 'a'.repeat(8193)), 400, 'note-too-long');
      mustRefuse(await writeNote(alice, space, ''), 400, 'bad-request');
    });
    assert.equal(cost, 0n);
  });

  it('overwrites a key for the same price, content and embedding and all', async () => {
    const { alice } = world;
    const mine = await makeSpace(alice);
    const first = mustOk(
      await writeNote(alice, mine, 'one apple', { key: 'k', embedding: next() }),
    );
    const cost = await costOf(alice, async () => {
      const second = mustOk(await writeNote(alice, mine, 'two pears', { key: 'k' }));
      assert.deepEqual(
        [second['noteId'], second['overwritten'], second['embedded']],
        [first['noteId'], true, false],
      );
    });
    assert.equal(cost, 200n);
    assert.deepEqual(await found(searchNotes(alice, mine, { text: 'apple' })), []);
    assert.deepEqual(await found(searchNotes(alice, mine, { text: 'pear' })), ['two pears']);
    assert.deepEqual(await found(searchNotes(alice, mine, { embedding: next() })), []);
    const contents = mustOk(await alice.get(mine.path));
    assert.deepEqual([at(contents, 'space', 'notes'), at(contents, 'space', 'bytes')], [1, 10]);
  });

  it('reports a duplicate and does not charge it', async () => {
    const { alice, bob } = world;
    mustOk(await grantTo(alice, space, bob.account, { canWrite: true }));
    const embedding = next();
    const first = mustOk(await writeNote(alice, space, 'said before', { embedding }));
    for (const who of [alice, bob]) {
      const cost = await costOf(who, async () => {
        const again = mustOk(await writeNote(who, space, 'said before', { embedding }));
        assert.deepEqual(
          [again['duplicate'], again['noteId'], again['charge'], again['author']],
          [true, first['noteId'], undefined, alice.account],
        );
      });
      assert.equal(cost, 0n);
    }
    for (const other of [{}, { embedding: next() }, { embedding, key: 'other' }]) {
      assert.equal(
        mustOk(await writeNote(alice, space, 'said before', other))['duplicate'],
        undefined,
      );
    }
  });

  it('is once for a key', async () => {
    const { alice } = world;
    const once = { idempotencyKey: 'note-once' };
    const first = mustOk(await writeNote(alice, space, 'once and for all', once));
    const cost = await costOf(alice, async () => {
      const again = mustOk(await writeNote(alice, space, 'once and for all', once));
      assert.deepEqual(again, { ...first, repeated: true });
      mustRefuse(
        await writeNote(alice, space, 'something else', once),
        400,
        'idempotency-mismatch',
      );
    });
    assert.equal(cost, 0n);
  });

  it('refuses embeddings that are none, each with its code, and charges nothing', async () => {
    const { alice } = world;
    const cost = await costOf(alice, async () => {
      for (const embedding of [
        next().slice(1),
        [...next(), 1],
        Array.from({ length: 768 }, () => 0),
        [],
        [...next().slice(1), 3.5e38],
      ]) {
        mustRefuse(await writeNote(alice, space, 'v', { embedding }), 400, 'bad-embedding');
      }
      // JSON has no NaN; what languages write for it is null or a word.
      mustRefuse(
        await writeNote(alice, space, 'v', { embedding: [...next().slice(1), null] }),
        400,
        'bad-embedding',
      );
      mustRefuse(await writeNote(alice, space, 'v', { embedding: 'NaN' }), 400, 'bad-embedding');
    });
    assert.equal(cost, 0n);
  });

  it('takes vectors of every length but none', async () => {
    const { alice } = world;
    const mine = await makeSpace(alice);
    const tiny = Array.from({ length: 768 }, (_, n) => (n === 3 ? 5e-324 : 0));
    const huge = Array.from({ length: 768 }, (_, n) => (n === 3 ? 3.4e38 : -3.4e38));
    mustOk(await writeNote(alice, mine, 'tiny', { embedding: tiny }));
    mustOk(await writeNote(alice, mine, 'huge', { embedding: huge }));
    const answer = mustOk(await searchNotes(alice, mine, { embedding: tiny }));
    assert.deepEqual(at(answer, 'results', 0, 'content'), 'tiny');
    assert.equal(at(answer, 'results', 0, 'distance'), 0);
  });

  it('refuses what is no key', async () => {
    const { alice } = world;
    for (const key of ['', 'k'.repeat(129), 'k'.repeat(1000)]) {
      mustRefuse(await writeNote(alice, space, 'x', { key }), 400, 'bad-request');
    }
    mustOk(await writeNote(alice, space, 'slashes and dots', { key: '../../etc/passwd' }));
  });

  it('refuses a space that is not there, not granted, or granted for reading alone', async () => {
    const { alice, bob } = world;
    const nowhere = { id: '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90', path: '' };
    mustRefuse(await writeNote(alice, nowhere, 'x'), 404, 'not-found');
    const own = await makeSpace(alice);
    mustRefuse(await writeNote(bob, own, 'x'), 400, 'not-granted');
    const shared = await makeSpace(alice, 'shared');
    mustRefuse(await writeNote(bob, shared, 'x'), 400, 'not-granted');
    mustOk(await grantTo(alice, shared, bob.account));
    const refused = mustRefuse(await writeNote(bob, shared, 'x'), 400, 'not-granted');
    assert.match(String(refused['hint']), /"canWrite": true/);
  });

  it('refuses an author other than the signer, play money and unknown networks', async () => {
    const { alice, bob } = world;
    const body = { author: bob.account, spaceId: space.id, content: 'forged' };
    mustRefuse(await alice.post(MEMORY, body), 401, 'wrong-owner');
    mustRefuse(await writeNote(alice, space, 'x', { network: 'play' }), 400, 'network-refused');
    mustRefuse(await writeNote(alice, space, 'x', { network: 'moon' }), 400, 'network-unknown');
  });

  it('stores nothing for who cannot pay', async () => {
    const poor = await world.agent();
    await world.fund(poor, '199');
    const own = await makeSpace(poor);
    const refused = mustRefuse(await writeNote(poor, own, 'unpaid'), 400, 'insufficient-funds');
    assert.match(String(refused['error']), /needs 200 .* 199 are spendable/);
    assert.deepEqual(at(mustOk(await poor.get(own.path)), 'space', 'notes'), 0);
    await world.fund(poor, '1');
    mustOk(await writeNote(poor, own, 'paid'));
  });

  it('counts the writer, charges the writer, and lets the owner store', async () => {
    const { alice } = world;
    const writer = await world.agent();
    await world.fund(writer, '1000');
    const shared = await makeSpace(alice, 'shared');
    mustOk(await grantTo(alice, shared, writer.account, { canWrite: true }));
    const usage = async (who: typeof alice) =>
      mustOk(await who.get(`${MEMORY}/usage/${who.account}`));
    const before = await usage(alice);
    const paid = await costOf(alice, async () => {
      mustOk(await writeNote(writer, shared, 'by the writer', { key: 'k' }));
    });
    assert.equal(paid, 0n);
    const [owns, wrote] = [await usage(alice), await usage(writer)];
    assert.equal(Number(owns['notes']) - Number(before['notes']), 1);
    assert.equal(Number(owns['noteBytes']) - Number(before['noteBytes']), 14);
    assert.deepEqual([wrote['notes'], at(wrote, 'quota', 'notesWritten')], [0, 1]);
    // The author of the note that is there now is counted for it.
    mustOk(await writeNote(alice, shared, 'by the owner', { key: 'k' }));
    assert.equal(at(await usage(writer), 'quota', 'notesWritten'), 0);
  });
});

describe('memory.write at its limit', () => {
  it('refuses the 10001st note and still takes an overwrite', async () => {
    const world = await openFixture();
    const { alice, hub } = world;
    await world.fund(alice, '10000000');
    const space = await makeSpace(alice);
    mustOk(await writeNote(alice, space, 'first', { key: 'first' }));
    // The test does not make 9,999 writes: it sets the count where the hub stores it.
    await hub.running.hub.store.write(async (tx) => {
      await tx
        .knex('memory_accounts')
        .where({ account: alice.account })
        .update({ notes_written: 10_000 });
    });
    const cost = await costOf(alice, async () => {
      mustRefuse(await writeNote(alice, space, 'one too many'), 400, 'notes-full');
    });
    assert.equal(cost, 0n);
    const note = mustOk(await writeNote(alice, space, 'first again', { key: 'first' }));
    assert.equal(note['notesLeft'], 0);
    await world.close();
  });
});
