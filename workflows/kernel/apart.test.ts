import assert from 'node:assert/strict';
import type { Logger } from 'pino';
import { LedgerFrozen } from '../../db/ledger/memory.ts';
import { instant } from '../../domain/instant.ts';
import { apart } from './apart.ts';
import type { Hub } from './hub.ts';

describe('a piece of the work of a job', () => {
  const lines: unknown[] = [];
  const error = (facts: unknown, text: string): void => void lines.push([facts, text]);
  const hub = { log: { error } as unknown as Logger } as Hub;
  const failing = (thrown: unknown): Promise<boolean> =>
    apart(hub, { failure: 'collecting a loan failed', loan: 'loan_1' }, () =>
      Promise.reject(thrown as Error),
    );
  beforeEach(() => void lines.splice(0));

  it('is done, and the log says nothing', async () => {
    assert.equal(await apart(hub, { failure: 'it failed' }, () => Promise.resolve()), true);
    assert.deepEqual(lines, []);
  });

  it('fails alone: the log names it and shows where', async () => {
    const bug = new TypeError('no such field');
    assert.equal(await failing(bug), false);
    assert.deepEqual(lines, [[{ err: bug, loan: 'loan_1' }, 'collecting a loan failed']]);
  });

  it('fails with the database: one line a second, without a stack', async () => {
    const gone = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    for (let times = 0; times < 3; times += 1) assert.equal(await failing(gone), false);
    assert.deepEqual(lines, [[{ why: 'Error: connect', unsaid: 0 }, 'database unavailable']]);
  });

  it('is left where the ledger is frozen, which was reported', async () => {
    assert.equal(await failing(new LedgerFrozen(instant(0))), false);
    assert.deepEqual(lines, []);
  });
});
