import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { patienceOf } from './patience.ts';

const EVERY_MS = 200;

describe('the wait for an agent', () => {
  it('goes on while it is renewed, and ends when it is not', async () => {
    const patience = patienceOf(EVERY_MS);
    for (let at = 0; at < 4; at += 1) {
      await sleep(EVERY_MS / 2);
      assert.equal(patience.signal.aborted, false, `after ${at} renewals`);
      patience.renew();
    }
    await sleep(2 * EVERY_MS);
    assert.equal(patience.signal.aborted, true);
  });

  it('is let go', async () => {
    const patience = patienceOf(EVERY_MS);
    patience.end();
    await sleep(2 * EVERY_MS);
    assert.equal(patience.signal.aborted, false);
  });
});
