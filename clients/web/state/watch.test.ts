import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { troublesOf, watchHub, type HubState, type Seen } from './watch.ts';

const WELL: HubState = {
  startedAt: '2026-11-29T10:00:00.000Z',
  writes: { state: 'accepted' },
  money: { state: 'moves' },
  time: { state: 'live' },
};
const SINCE = '2026-11-29T12:00:00.000Z';
const FROZEN = { state: 'frozen', since: SINCE, reason: 'A rail is being repaired.' };
/** A banner has to come within so long, whatever happens right after an answer. */
const BANNER_MS_MAX = 4_000;

type Answer = (signal: AbortSignal) => Promise<Response>;
const json = (state: unknown): Answer => {
  return () => Promise.resolve(Response.json(state));
};
const silent: Answer = (signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('late'))));
const refused: Answer = () => Promise.reject(new TypeError('refused'));

describe('the watch of the hub on a page', () => {
  let seen: Seen;
  let asked: number;
  let answer: Answer;
  let isShown: boolean;
  let isOld: boolean;
  let looksForNewer: number;
  let watch: ReturnType<typeof watchHub>;

  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 100) {
      mock.timers.tick(100);
      for (let turn = 0; turn < 6; turn += 1) await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const kinds = (): readonly string[] => troublesOf(seen).map(({ kind }) => kind);

  beforeEach(async () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse(SINCE) });
    [seen, asked, answer, isShown] = [{}, 0, json(WELL), true];
    [isOld, looksForNewer] = [false, 0];
    watch = watchHub({
      ask: (signal) => ((asked += 1), answer(signal)),
      isOld: async () => ((looksForNewer += 1), isOld),
      isSeen: () => isShown,
      changed: (next) => (seen = next),
    });
    await pass(100);
  });
  afterEach(() => {
    watch.end();
    mock.timers.reset();
  });

  it('shows nothing while all is well, and asks every two seconds', async () => {
    await pass(60_000);
    assert.deepEqual(kinds(), []);
    assert.ok(asked >= 25 && asked <= 31, `${asked} calls in a minute`);
  });

  for (const [what, how] of [
    ['refuses connections', refused],
    ['keeps connections open without an answer', silent],
    ['is away behind a proxy', () => Promise.resolve(new Response('', { status: 502 }))],
  ] as const) {
    it(`shows within 4 s that the hub ${what}, since when, and when it is back`, async () => {
      answer = how;
      await pass(BANNER_MS_MAX);
      assert.deepEqual(kinds(), ['silent']);
      const [first] = troublesOf(seen);
      await pass(20_000);
      assert.deepEqual(troublesOf(seen), [first], 'the time stays that of the first failure');
      answer = json(WELL);
      await pass(BANNER_MS_MAX);
      assert.deepEqual(kinds(), []);
    });
  }

  it('does not call one lost connection an outage', async () => {
    let isFirst = true;
    answer = (signal) => {
      const how = isFirst ? refused : json(WELL);
      isFirst = false;
      return how(signal);
    };
    const shown: string[] = [];
    for (let tenth = 0; tenth < 40; tenth += 1) {
      await pass(100);
      shown.push(...kinds());
    }
    assert.deepEqual(shown, []);
  });

  it('shows frozen money, refused writes and a clock that stands still, the worst first', async () => {
    const time = { state: 'stalled', since: SINCE };
    const writes = { state: 'refused', since: SINCE, reason: 'The disk takes no files.' };
    answer = json({ ...WELL, time, writes, money: FROZEN });
    await pass(BANNER_MS_MAX);
    assert.deepEqual(troublesOf(seen), [
      { kind: 'writes', since: SINCE, reason: 'The disk takes no files.' },
      { kind: 'money', since: SINCE, reason: 'A rail is being repaired.' },
      { kind: 'time', since: SINCE },
    ]);
  });

  it('asks nothing while the page is hidden, and at once when it is seen again', async () => {
    isShown = false;
    await pass(3_000);
    const before = asked;
    answer = json({ ...WELL, money: FROZEN });
    await pass(60_000);
    assert.equal(asked, before);
    isShown = true;
    watch.askNow();
    watch.askNow();
    await pass(100);
    assert.equal(asked, before + 1);
    assert.deepEqual(kinds(), ['money']);
  });

  it('finds newer pages after a restart alone, and looks for them once a minute', async () => {
    isOld = true;
    await pass(10_000);
    assert.equal(looksForNewer, 0);
    answer = json({ ...WELL, startedAt: SINCE });
    await pass(BANNER_MS_MAX);
    assert.deepEqual(kinds(), ['old']);
    await pass(10_000);
    assert.deepEqual([kinds(), looksForNewer], [['old'], 1]);
  });

  it('does not look for newer pages each time when several processes answer', async () => {
    let turn = 0;
    answer = (signal) => json({ ...WELL, startedAt: `process ${(turn += 1) % 2}` })(signal);
    await pass(30_000);
    assert.equal(looksForNewer, 1);
  });

  for (const body of ['ok', '{}', 'null', '[]', '{"startedAt":1}', JSON.stringify('x')]) {
    it(`takes ${body} for an answer without a state`, async () => {
      answer = () => Promise.resolve(new Response(body));
      await pass(BANNER_MS_MAX);
      assert.deepEqual(kinds(), []);
    });
  }

  it('stops at an address that has no such path', async () => {
    answer = () => Promise.resolve(new Response('', { status: 404 }));
    await pass(BANNER_MS_MAX);
    const before = asked;
    await pass(30_000);
    assert.equal(asked, before);
  });
});
