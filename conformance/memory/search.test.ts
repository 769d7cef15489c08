import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import {
  cosineDistance,
  costOf,
  found,
  grantTo,
  makeSpace,
  searchNotes,
  vectors,
  writeNote,
  type MadeSpace,
} from './space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

hubsOnBothDatabases('memory.search', (open) => {
  const next = vectors(2);
  let world: Fixture;
  let space: MadeSpace;
  before(async () => {
    world = await open();
    await world.fund(world.alice, '90000000');
    await world.fund(world.bob, '90000000');
    space = await makeSpace(world.alice, 'shared');
    for (const content of [
      'The pricing page lists five plans; the second is billed yearly.',
      'Plans change on Friday. Planning is done by the planner.',
      'createIssue opens an issue on the board',
      'Crème brûlée costs 7 euros',
      'yearly',
    ]) {
      mustOk(await writeNote(world.alice, space, content));
    }
  });

  describe('by text', () => {
    const byText = (text: string, more: Record<string, unknown> = {}) =>
      found(searchNotes(world.alice, space, { text, ...more }));

    it('costs the reader 500 units, nothing where it finds nothing, and shows no distance', async () => {
      const { alice } = world;
      for (const [text, price] of [
        ['plans', '500'],
        ['zebra', undefined],
      ] as const) {
        const cost = await costOf(alice, async () => {
          const answer = mustOk(await searchNotes(alice, space, { text }));
          assert.deepEqual([answer['by'], at(answer, 'charge', 'amount')], ['text', price]);
          assert.equal(at(answer, 'results', 0, 'distance'), undefined);
          assert.equal(answer['contentIsUntrusted'], undefined, 'all of it is her own');
        });
        assert.equal(cost, BigInt(price ?? 0));
      }
    });

    it('finds notes with any of the words, in any form and any order', async () => {
      const [pricing, plans] = [
        'The pricing page lists five plans; the second is billed yearly.',
        'Plans change on Friday. Planning is done by the planner.',
      ];
      assert.deepEqual(await byText('yearly plan pricing'), [pricing, 'yearly', plans]);
      assert.deepEqual(await byText('Friday pricing lists'), [pricing, plans]);
      assert.deepEqual(await byText('What does the creme brulee cost us?'), [
        'Crème brûlée costs 7 euros',
      ]);
      assert.deepEqual(await byText('create issue'), ['createIssue opens an issue on the board']);
      assert.deepEqual(await byText('createIssue board'), [
        'createIssue opens an issue on the board',
      ]);
    });

    it('reads stop words only where a text has no other words', async () => {
      const own = await makeSpace(world.alice);
      mustOk(await writeNote(world.alice, own, 'What it is, and for whom'));
      mustOk(await writeNote(world.alice, own, 'Invoices go to Helga'));
      const inOwn = (text: string) => found(searchNotes(world.alice, own, { text }));
      assert.deepEqual(await inOwn('what is the name for invoices'), ['Invoices go to Helga']);
      assert.deepEqual(await inOwn('what is it'), ['What it is, and for whom']);
    });

    it('takes a word that no note has as a beginning, one of two letters only at the end', async () => {
      assert.deepEqual(await byText('billed yea'), [
        'The pricing page lists five plans; the second is billed yearly.',
        'yearly',
      ]);
      assert.deepEqual(await byText('yea billed'), await byText('billed yea'));
      assert.deepEqual(await byText('pl crème'), ['Crème brûlée costs 7 euros']);
      assert.deepEqual(await byText('plann'), [
        'Plans change on Friday. Planning is done by the planner.',
      ]);
      assert.deepEqual(await byText('plannin friday'), [
        'Plans change on Friday. Planning is done by the planner.',
      ]);
      assert.deepEqual((await byText('pl')).length, 2);
      assert.deepEqual(await byText('brul'), ['Crème brûlée costs 7 euros']);
    });

    it('puts the exact word before its extensions and before its other forms', async () => {
      const own = await makeSpace(world.alice);
      const inOwn = (text: string) => found(searchNotes(world.alice, own, { text, limit: 20 }));
      for (const n of [17, 170, 171, 172, 173, 174, 175, 176]) {
        mustOk(await writeNote(world.alice, own, `number ${n}`));
      }
      assert.equal((await inOwn('number 17'))[0], 'number 17');
      assert.deepEqual(await inOwn('17'), ['number 17']);
      assert.equal((await inOwn('the number of 176'))[0], 'number 176');
      mustOk(await writeNote(world.alice, own, 'an organ'));
      mustOk(await writeNote(world.alice, own, 'an organization'));
      assert.deepEqual(await inOwn('organ'), ['an organ', 'an organization']);
      assert.deepEqual(await inOwn('organization'), ['an organization', 'an organ']);
    });

    it('puts first what says it more often and in fewer words', async () => {
      assert.deepEqual(await byText('yearly'), [
        'yearly',
        'The pricing page lists five plans; the second is billed yearly.',
      ]);
      assert.equal(
        (await byText('plan'))[0],
        'Plans change on Friday. Planning is done by the planner.',
      );
    });

    it('puts the newer first among equals, and lowers a limit above 20', async () => {
      const many = await makeSpace(world.alice);
      for (let n = 0; n < 23; n += 1) mustOk(await writeNote(world.alice, many, `same words ${n}`));
      const ten = await found(searchNotes(world.alice, many, { text: 'same words' }));
      assert.deepEqual(
        ten,
        Array.from({ length: 10 }, (_, n) => `same words ${22 - n}`),
      );
      const answer = mustOk(await searchNotes(world.alice, many, { text: 'same', limit: 1000 }));
      assert.deepEqual([answer['limit'], answer['count']], [20, 20]);
    });

    it('agrees with BM25 as it is written in books', async () => {
      const own = await makeSpace(world.alice);
      const words = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox'];
      const notes = Array.from({ length: 40 }, (_, n) =>
        Array.from({ length: 3 + ((n * 7) % 11) }, (__, m) => words[(n * m + n + m * m) % 6]).join(
          ' ',
        ),
      ).map((text, n) => `${text} n${n}`);
      for (const note of notes) mustOk(await writeNote(world.alice, own, note));
      const lists = notes.map((note) => note.split(' '));
      const usual = lists.reduce((sum, list) => sum + list.length, 0) / lists.length;
      const score = (list: readonly string[], asked: readonly string[]): number =>
        asked.reduce((sum, word) => {
          const having = lists.filter((each) => each.includes(word)).length;
          const tf = list.filter((each) => each === word).length;
          const idf = Math.log(1 + (lists.length - having + 0.5) / (having + 0.5));
          return sum + (idf * tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * list.length) / usual));
        }, 0);
      for (const asked of [['cat'], ['ant', 'fox'], ['bee', 'dog', 'elk', 'n7']]) {
        const scores = new Map(lists.map((list, n) => [notes[n], score(list, asked)]));
        const best = notes
          .filter((note) => asked.some((word) => note.split(' ').includes(word)))
          .map((note) => scores.get(note) ?? 0)
          .sort((a, b) => b - a)
          .slice(0, 20);
        const got = await found(
          searchNotes(world.alice, own, { text: asked.join(' '), limit: 20 }),
        );
        assert.equal(got.length, best.length);
        for (const [n, note] of got.entries()) {
          // The hub's lengths are rounded to words, so near ties may stand the other way round.
          assert.ok(
            Math.abs((scores.get(note) ?? 0) - (best[n] ?? 0)) < 0.05,
            `${asked.join(' ')} ${n}`,
          );
        }
      }
    });
  });

  describe('by embedding', () => {
    it('finds exactly what brute force finds, with the cosine distance', async () => {
      const { alice } = world;
      const own = await makeSpace(alice);
      const stored = new Map<string, number[]>();
      for (let n = 0; n < 45; n += 1) {
        const vector = next();
        stored.set(`note ${n}`, vector);
        mustOk(await writeNote(alice, own, `note ${n}`, { embedding: vector }));
      }
      mustOk(await writeNote(alice, own, 'without one'));
      for (const limit of [1, 7, 20]) {
        const query = next();
        const judge = [...stored]
          .map(([content, vector]) => ({ content, distance: cosineDistance(vector, query) }))
          .sort((a, b) => a.distance - b.distance)
          .slice(0, limit);
        const answer = mustOk(await searchNotes(alice, own, { embedding: query, limit }));
        const results = answer['results'] as readonly { content: string; distance: number }[];
        assert.deepEqual(
          results.map(({ content }) => content),
          judge.map(({ content }) => content),
        );
        for (const [n, { distance }] of results.entries()) {
          assert.ok(Math.abs(distance - (judge[n]?.distance ?? 9)) < 1e-6);
        }
      }
    });

    it('has distance 0 for the same direction and 2 for the opposite', async () => {
      const own = await makeSpace(world.alice);
      const vector = next();
      mustOk(await writeNote(world.alice, own, 'there', { embedding: vector.map((x) => x * 9) }));
      mustOk(await writeNote(world.alice, own, 'back', { embedding: vector.map((x) => -x) }));
      const answer = mustOk(await searchNotes(world.alice, own, { embedding: vector }));
      const [near, far] = answer['results'] as readonly { distance: number }[];
      assert.ok((near?.distance ?? 9) < 1e-6 && (far?.distance ?? 0) > 2 - 1e-6);
    });

    it('wins over a text that is sent as well, and says so', async () => {
      const own = await makeSpace(world.alice);
      mustOk(await writeNote(world.alice, own, 'apples', { embedding: next() }));
      const both = { embedding: next(), text: 'zebra' };
      const answer = mustOk(await searchNotes(world.alice, own, both));
      assert.deepEqual(
        [answer['by'], answer['textIgnored'], answer['count']],
        ['embedding', true, 1],
      );
    });
  });

  it('marks what others wrote', async () => {
    const { alice, bob } = world;
    mustOk(await grantTo(alice, space, bob.account));
    const answer = mustOk(await searchNotes(bob, space, { text: 'yearly' }));
    assert.equal(answer['contentIsUntrusted'], true);
    assert.ok(String(answer['contentNote']).length > 0);
  });

  it('is charged to the reader and not to the owner; a revoked reader sees nothing, not even again', async () => {
    const { alice, bob } = world;
    mustOk(await grantTo(alice, space, bob.account));
    const query = { text: 'yearly', idempotencyKey: 'bob-yearly' };
    const first = mustOk(await searchNotes(bob, space, query));
    assert.equal(await costOf(alice, () => searchNotes(bob, space, { text: 'plan' })), 0n);
    assert.equal(await costOf(bob, () => searchNotes(bob, space, { text: 'plan' })), 500n);
    const again = mustOk(await searchNotes(bob, space, query));
    assert.deepEqual(again, { ...first, repeated: true });
    mustOk(await grantTo(alice, space, bob.account, { revoke: true }));
    const cost = await costOf(bob, async () => {
      mustRefuse(await searchNotes(bob, space, query), 400, 'not-granted');
      mustRefuse(await searchNotes(bob, space, { text: 'plan' }), 400, 'not-granted');
      mustRefuse(await searchNotes(bob, space, { embedding: next() }), 400, 'not-granted');
      mustRefuse(await bob.get(space.path), 400, 'not-granted');
      mustRefuse(await bob.get(`${space.path}/export`), 400, 'not-granted');
    });
    assert.equal(cost, 0n);
  });

  it('refuses a search for nothing, wrong vectors, long texts, and readers without grant or money', async () => {
    const { alice, bob } = world;
    const cost = await costOf(alice, async () => {
      mustRefuse(await searchNotes(alice, space, {}), 400, 'missing-field');
      mustRefuse(
        await searchNotes(alice, space, { embedding: next().slice(1) }),
        400,
        'bad-embedding',
      );
      mustRefuse(
        await searchNotes(alice, space, { embedding: next().map(() => 0) }),
        400,
        'bad-embedding',
      );
      mustRefuse(await searchNotes(alice, space, { text: 'x'.repeat(513) }), 400, 'bad-request');
      mustRefuse(await searchNotes(alice, space, { text: '' }), 400, 'bad-request');
      for (const text of ['!!!', ' ', '🚀 ?', '\u0301\u0640']) {
        const refused = mustRefuse(await searchNotes(alice, space, { text }), 400, 'bad-request');
        assert.match(String(refused['hint']), /at least one word.*memory\.readSpace/);
      }
      const nowhere = { id: '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90', path: '' };
      mustRefuse(await searchNotes(alice, nowhere, { text: 'x' }), 404, 'not-found');
      mustRefuse(
        await searchNotes(alice, space, { text: 'x', network: 'play' }),
        400,
        'network-refused',
      );
      mustRefuse(
        await searchNotes(alice, space, { text: 'x', network: 'moon' }),
        400,
        'network-unknown',
      );
      const forged = { reader: bob.account, spaceId: space.id, text: 'x' };
      mustRefuse(await alice.post('/api/v1/memory/search', forged), 401, 'wrong-owner');
    });
    assert.equal(cost, 0n);
    const poor = await world.agent();
    await world.fund(poor, '499');
    mustOk(await grantTo(alice, space, poor.account));
    mustRefuse(await searchNotes(poor, space, { text: 'plan' }), 400, 'insufficient-funds');
    mustRefuse(await searchNotes(poor, space, { embedding: next() }), 400, 'insufficient-funds');
  });

  it('is once for a key', async () => {
    const { alice } = world;
    const query = { text: 'plans', idempotencyKey: 'plans-once' };
    const first = mustOk(await searchNotes(alice, space, query));
    const cost = await costOf(alice, async () => {
      assert.deepEqual(mustOk(await searchNotes(alice, space, query)), {
        ...first,
        repeated: true,
      });
      const other = { ...query, text: 'page' };
      mustRefuse(await searchNotes(alice, space, other), 400, 'idempotency-mismatch');
    });
    assert.equal(cost, 0n);
  });

  it("finds one's own write at once, in every process", async () => {
    const { alice } = world;
    const other = await open({ clock: world.hub.clock });
    const own = await makeSpace(alice, 'shared');
    const reader = await other.agent();
    await other.fund(reader, '1000000');
    mustOk(await grantTo(alice, own, reader.account, { canWrite: true }));
    for (let n = 0; n < 12; n += 1) {
      const embedding = next();
      const [author, hubReader] = n % 2 === 0 ? [alice, reader] : [reader, alice];
      mustOk(await writeNote(author, own, `turn ${n}`, { embedding, key: `k${n % 5}` }));
      for (const who of [author, hubReader]) {
        const byVector = mustOk(await searchNotes(who, own, { embedding, limit: 1 }));
        assert.equal(at(byVector, 'results', 0, 'content'), `turn ${n}`);
        const byText = await found(searchNotes(who, own, { text: `turn ${n}`, limit: 20 }));
        assert.ok(byText.includes(`turn ${n}`));
      }
    }
  });

  it('answers with what is there, also while it is overwritten', async () => {
    const { alice } = world;
    const own = await makeSpace(alice);
    const directions = [next(), next()] as const;
    const contents = ['first direction', 'second direction'] as const;
    mustOk(await writeNote(alice, own, contents[0], { key: 'k', embedding: directions[0] }));
    let writing = true;
    const writer = (async () => {
      for (let n = 1; n <= 30; n += 1) {
        const embedding = directions[n % 2] ?? directions[0];
        mustOk(await writeNote(alice, own, contents[n % 2] ?? '', { key: 'k', embedding }));
      }
      writing = false;
    })();
    while (writing) {
      const answer = mustOk(await searchNotes(alice, own, { embedding: directions[0] }));
      const results = answer['results'] as readonly { content: string; distance: number }[];
      for (const { content, distance } of results) {
        assert.equal(
          distance < 1e-6,
          content === contents[0],
          'distance and content belong together',
        );
      }
    }
    await writer;
  });
});
