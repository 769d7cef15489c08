import { strict as assert } from 'node:assert';
import type { Reply } from './call.ts';
import { openResponseCache } from './responseCache.ts';

/** Answers whose `count` is the number of the reading that they came from. */
function opened(dialect: 'sqlite' | 'postgres') {
  const world = { commits: 0, elapsedMs: 0, reads: 0 };
  const clock = { elapsedMs: () => world.elapsedMs };
  const recent = openResponseCache({ dialect, commits: () => world.commits }, clock);
  const reply = (q: string): Reply<'discovery.search'> => {
    world.reads += 1;
    const [count, contentNote] = [world.reads, 'Untrusted.'];
    const body = { query: { q }, count, results: [], limit: 20, hasMore: false, contentNote };
    return { status: 200, body: { ...body, contentIsUntrusted: true } };
  };
  const answer = (q: string): Promise<Reply<'discovery.search'>> => {
    const call = { operation: 'discovery.search' as const, query: { q, fold: true, limit: 20 } };
    return recent.answer<'discovery.search'>(call, { most: 2 }, () =>
      q === 'fails' ? Promise.reject(new Error('no')) : Promise.resolve(reply(q)),
    );
  };
  const ask = async (q: string): Promise<number> => (await answer(q)).body.count;
  return { world, ask, answer };
}

describe('an answer that was given before', () => {
  it('is given again until something is committed', async () => {
    const { world, ask } = opened('sqlite');
    assert.deepEqual(await Promise.all([ask('a'), ask('a')]), [1, 1]);
    world.elapsedMs = 59_999;
    assert.deepEqual([await ask('a'), await ask('b')], [1, 2]);
    world.commits += 1;
    assert.deepEqual([await ask('a'), await ask('b')], [3, 4]);
  });

  it('is given for a minute where one process writes, for a second where others do', async () => {
    const bounds = [
      ['sqlite', 60_000],
      ['postgres', 1_000],
    ] as const;
    for (const [dialect, ms] of bounds) {
      const { world, ask } = opened(dialect);
      await ask('a');
      world.elapsedMs = ms - 1;
      assert.equal(await ask('a'), 1);
      world.elapsedMs = ms;
      assert.equal(await ask('a'), 2);
    }
  });

  it('has one place for its text, which the next answer does not share', async () => {
    const { world, answer } = opened('sqlite');
    const first = await answer('a');
    assert.ok(first.encoded);
    assert.equal((await answer('a')).encoded, first.encoded);
    assert.notEqual((await answer('b')).encoded, first.encoded);
    world.commits += 1;
    assert.notEqual((await answer('a')).encoded, first.encoded);
  });

  it('makes room when it was asked for longest ago, and is none when the reading failed', async () => {
    const { world, ask } = opened('sqlite');
    for (const q of ['a', 'b', 'a', 'c', 'a']) await ask(q);
    assert.equal(world.reads, 3);
    assert.equal(await ask('b'), 4);
    await assert.rejects(ask('fails'));
    await assert.rejects(ask('fails'));
  });
});
