import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { openDocument } from './fixture/dom.ts';

type Answer = { readonly count: number; readonly nextCursor: string } | 'lost';

const loadLive = () => import('./live.ts');

describe('following the events of an account', () => {
  let close: () => void;
  let followEvents: Awaited<ReturnType<typeof loadLive>>['followEvents'];
  before(async () => {
    close = openDocument();
    ({ followEvents } = await loadLive());
  });
  after(() => close());
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  /** Follows until the answers are used up; returns the queries and how often it notified. */
  const followed = async (answers: readonly Answer[]) => {
    const leaving = new AbortController();
    const queries: (readonly [string, number])[] = [];
    const pauses: number[] = [];
    let changes = 0;
    const GET = async (
      _: string,
      init: { params: { query: { cursor: string; wait: number } } },
    ) => {
      const { cursor, wait } = init.params.query;
      queries.push([cursor, wait]);
      const answer = answers[queries.length - 1];
      if (queries.length === answers.length) leaving.abort();
      if (answer === undefined || answer === 'lost') throw new TypeError('lost');
      return { data: answer, response: new Response() };
    };
    const end = followEvents({ GET } as never, leaving.signal, () => (changes += 1));
    let waited = 0;
    for (let turn = 0; turn < 4_000 && !leaving.signal.aborted; turn += 1) {
      const before = queries.length;
      await new Promise((resolve) => setImmediate(resolve));
      if (queries.length > before) {
        pauses.push(waited);
        waited = 0;
      } else {
        mock.timers.tick(500);
        waited += 500;
      }
    }
    await end;
    return { queries, changes, pauses };
  };

  it('begins behind all that has happened, then waits for what comes', async () => {
    const { queries, changes } = await followed([
      { count: 0, nextCursor: 'a' },
      { count: 0, nextCursor: 'b' },
      { count: 2, nextCursor: 'c' },
      { count: 0, nextCursor: 'd' },
    ]);
    assert.deepEqual(queries, [
      ['now', 0],
      ['a', 25],
      ['b', 25],
      ['c', 25],
    ]);
    assert.equal(changes, 1);
  });

  it('goes on from its cursor after a failure, and reports what it may have missed', async () => {
    const { queries, changes } = await followed([
      { count: 0, nextCursor: 'a' },
      'lost',
      { count: 0, nextCursor: 'b' },
      { count: 0, nextCursor: 'c' },
    ]);
    assert.deepEqual(
      queries.map(([cursor]) => cursor),
      ['now', 'a', 'a', 'b'],
    );
    assert.equal(changes, 1);
  });

  it('waits longer after each failure, a minute at most', async () => {
    const { pauses } = await followed(Array.from({ length: 9 }, () => 'lost' as const));
    const [first = 0, ...later] = pauses;
    assert.ok(first >= 2_000 && first <= 2_500, `${first} ms`);
    assert.ok((later.at(-1) ?? 0) >= 60_000 && Math.max(...later) <= 60_500, later.join());
  });
});
