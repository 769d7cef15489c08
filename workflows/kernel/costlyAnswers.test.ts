import { strict as assert } from 'node:assert';
import type { Reply } from './call.ts';
import { openCostlyAnswers } from './costlyAnswers.ts';

type Answer = Reply<'discovery.economy'>;

/** Readings that end when the test says so, each with its number as the time of the answer. */
function opened() {
  const world = { ms: 0, readings: 0 };
  const ends: (() => void)[] = [];
  const answers = openCostlyAnswers({ elapsedMs: () => world.ms });
  const ask = async (network = 'sandbox'): Promise<number> => {
    const call = { operation: 'discovery.economy' as const, query: { network, window: '24h' } };
    const reply = await answers.costly<'discovery.economy'>(call, () => {
      world.readings += 1;
      const [status, number] = [200, world.readings] as const;
      return new Promise((resolve, reject) => {
        ends.push(() =>
          number === 13 ? reject(new Error('no')) : resolve({ status, number } as never),
        );
      });
    });
    return (reply as Answer & { readonly number: number }).number;
  };
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { world, ask, end };
}

describe('an answer that is worked out of everything', () => {
  it('is read for every request while that is fast', async () => {
    const { world, ask, end } = opened();
    const both = [ask(), ask()];
    world.ms = 250;
    await end();
    await end();
    assert.deepEqual(await Promise.all(both), [1, 2]);
    const third = ask();
    await end();
    assert.equal(await third, 3);
  });

  it('is given again for ten times as long as it took, once that is long', async () => {
    const { world, ask, end } = opened();
    const first = ask();
    world.ms = 300;
    const meanwhile = ask();
    await end();
    assert.deepEqual(await Promise.all([first, meanwhile]), [1, 1]);
    world.ms = 300 + 2_999;
    assert.equal(await ask(), 1);
    const other = ask('base');
    await end();
    assert.equal(await other, 2);
    world.ms = 300 + 3_000;
    const later = ask();
    await end();
    assert.equal(await later, 3);
  });

  it('is given for a minute at most', async () => {
    const { world, ask, end } = opened();
    const first = ask();
    world.ms = 10_000;
    await end();
    assert.equal(await first, 1);
    world.ms = 69_999;
    assert.equal(await ask(), 1);
    world.ms = 70_000;
    const second = ask();
    await end();
    assert.equal(await second, 2);
  });

  it('is read again after a reading that failed', async () => {
    const { world, ask, end } = opened();
    world.readings = 12;
    const failing = assert.rejects(ask(), /no/);
    world.ms = 1_000;
    await end();
    await failing;
    const next = ask();
    await end();
    assert.equal(await next, 14);
  });
});
