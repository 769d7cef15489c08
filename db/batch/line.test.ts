import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { BATCH_MAX } from './batch.ts';
import { openBatchLine } from './line.ts';
import type { Ended, Transaction } from './transaction.ts';

type Take = () => readonly Transaction<unknown>[];

const unit = (name: string): Transaction<string> => ({ name, needs: [], decide: () => name });
const units = (count: number): readonly Transaction<string>[] =>
  Array.from({ length: count }, (_, nth) => unit(String(nth)));
const answer = ({ name }: Transaction<unknown>): Ended => ({ ok: true, answer: name });

describe('the line of transactions', () => {
  /** The names of the units of each batch that was taken. */
  let batches: string[][];
  beforeEach(() => {
    batches = [];
  });
  const taken = (take: Take): readonly Transaction<unknown>[] => {
    const batch = take();
    batches.push(batch.map(({ name = '' }) => name));
    return batch;
  };
  const answering = (take: Take): Promise<readonly Ended[]> =>
    Promise.resolve(taken(take).map(answer));
  /** Ends its batches when it is called. */
  const gate = (): { readonly run: typeof answering; open(): void } => {
    let open = (): void => assert.fail('not waited for yet');
    const opened = new Promise<void>((resolve) => (open = resolve));
    const run = async (take: Take): Promise<readonly Ended[]> => {
      const batch = taken(take);
      await opened;
      return batch.map(answer);
    };
    return { run, open: () => open() };
  };
  const sizes = (): readonly number[] => batches.map(({ length }) => length);

  it('makes one batch of what arrives in a turn, and answers each by its own', async () => {
    const line = openBatchLine(3, answering);
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => line.add(unit(name))));
    assert.deepEqual(answers, ['a', 'b', 'c']);
    assert.deepEqual(batches, [['a', 'b', 'c']]);
  });

  it('does not delay a single caller', async () => {
    const line = openBatchLine(1, answering);
    for (const name of ['a', 'b']) {
      const ended = line.add(unit(name));
      // The line asked for the end of this turn before the test does.
      await turn();
      assert.equal(batches.at(-1)?.[0], name);
      await ended;
    }
  });

  it('waits for as many as the batches before it had, and not for one more', async () => {
    const line = openBatchLine(1, answering);
    for (let nth = 0; nth < 2; nth += 1) {
      await Promise.all(units(4).map((each) => line.add(each)));
    }
    const first = line.add(unit('first'));
    await turn();
    // No timer ends between two callbacks of the same turn.
    const others = units(3).map((each) => line.add(each));
    await Promise.all([first, ...others]);
    assert.deepEqual(sizes(), [4, 4, 4]);
  });

  it('waits only for a moment, for the mean of the last two', async () => {
    const line = openBatchLine(1, answering);
    await Promise.all(units(5).map((each) => line.add(each)));
    await line.add(unit('alone'));
    const first = line.add(unit('first'));
    await turn();
    const second = line.add(unit('second'));
    // All that is resolved has run, and no timer has.
    await new Promise((resolve) => process.nextTick(resolve));
    assert.deepEqual(sizes(), [5, 1], 'the mean is three');
    await Promise.all([first, second]);
    assert.deepEqual(sizes(), [5, 1, 2]);
  });

  it(`takes ${BATCH_MAX} at once, and the rest in the next batch`, async () => {
    const line = openBatchLine(1, answering);
    await Promise.all(units(BATCH_MAX + 6).map((each) => line.add(each)));
    assert.deepEqual(sizes(), [BATCH_MAX, 6]);
  });

  it('lets units join until the batch is taken, once', async () => {
    const line = openBatchLine(1, async (take) => {
      await turn();
      const batch = taken(take);
      assert.deepEqual(take(), batch);
      return batch.map(answer);
    });
    const first = line.add(unit('first'));
    await turn();
    assert.deepEqual(batches, []);
    await Promise.all([first, line.add(unit('joined'))]);
    assert.deepEqual(batches, [['first', 'joined']]);
  });

  it('runs as many batches at once as it has lanes', async () => {
    const { run, open } = gate();
    const line = openBatchLine(2, run);
    const all: Promise<unknown>[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      all.push(line.add(unit(name)));
      await turn();
    }
    assert.deepEqual(batches, [['a'], ['b']]);
    open();
    await Promise.all(all);
    assert.deepEqual(batches, [['a'], ['b'], ['c', 'd']]);
  });

  it('rejects a unit by its own error, and all of a batch that failed by the error of that', async () => {
    const own = new Error('own');
    const line = openBatchLine(1, (take) => {
      const batch = taken(take);
      if (batch.length > 2) return Promise.reject(new Error('of the batch'));
      return Promise.resolve([{ ok: false, error: own }]);
    });
    const [first, second] = await Promise.allSettled(units(2).map((each) => line.add(each)));
    assert.equal(first?.status === 'rejected' && first.reason, own);
    assert.match(String(second?.status === 'rejected' && second.reason), /no answer/);
    const ends = await Promise.allSettled(units(3).map((each) => line.add(each)));
    for (const each of ends)
      assert.match(String(each.status === 'rejected' && each.reason), /of the batch/);
  });

  it('rejects waiting units when a lane fails before it took them, and goes on', async () => {
    let isBroken = true;
    const line = openBatchLine(1, (take) => {
      if (isBroken) return Promise.reject(new Error('no connection'));
      return answering(take);
    });
    const ends = await Promise.allSettled(units(2).map((each) => line.add(each)));
    for (const each of ends)
      assert.match(String(each.status === 'rejected' && each.reason), /no connection/);
    isBroken = false;
    assert.equal(await line.add(unit('after')), 'after');
  });

  it('refuses more than ten thousand waiting units', async () => {
    const line = openBatchLine(1, answering);
    const all = units(10_000).map((each) => line.add(each));
    await assert.rejects(line.add(unit('one more')), /overloaded/);
    assert.equal((await Promise.all(all)).length, 10_000);
    assert.equal(await line.add(unit('later')), 'later');
  });

  it('ends what waits when it closes, and takes no more', async () => {
    const { run, open } = gate();
    const line = openBatchLine(1, run);
    const all = units(BATCH_MAX + 1).map((each) => line.add(each));
    let isClosed = false;
    const closed = line.close().then(() => (isClosed = true));
    await assert.rejects(line.add(unit('late')), /closed/);
    await turn();
    assert.equal(isClosed, false);
    open();
    await closed;
    assert.deepEqual(sizes(), [BATCH_MAX, 1]);
    await Promise.all(all);
  });
});
