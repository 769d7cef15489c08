import assert from 'node:assert/strict';
import { errorTable, type ErrorEntry } from '../../generated/errors.ts';
import { pauseMs, RETRY_DEFAULTS } from './retry.ts';

const answerOf = ({ status, code }: Pick<ErrorEntry, 'status' | 'code'>): Response =>
  Response.json({ code, error: 'no', hint: 'no' }, { status, headers: { 'retry-after': '2' } });

const pauses = async (response: Response): Promise<readonly boolean[]> => {
  const sent = { response };
  const found = [
    await pauseMs(sent, 1, false, RETRY_DEFAULTS),
    await pauseMs(sent, 1, true, RETRY_DEFAULTS),
  ];
  for (const each of found) assert.ok(each === undefined || (each >= 2_000 && each < 3_000));
  return found.map((each) => each !== undefined);
};

/** Any call, then one that cannot happen twice. */
const SENT_AGAIN = {
  wait: [true, true],
  same: [false, true],
  later: [false, false],
  never: [false, false],
} as const;

describe('a refusal', () => {
  for (const entry of Object.values(errorTable)) {
    it(`${entry.code} is sent again as the contract says: ${entry.retry}`, async () => {
      assert.deepEqual(await pauses(answerOf(entry)), SENT_AGAIN[entry.retry]);
    });
  }

  it('is one of a limit, or none that is known, when it has no code', async () => {
    const plain = (status: number): Response =>
      new Response('<p>no</p>', { status, headers: { 'retry-after': '2' } });
    assert.deepEqual(await pauses(plain(429)), [true, true]);
    for (const status of [400, 409, 500, 502, 503]) {
      assert.deepEqual(await pauses(plain(status)), [false, false]);
    }
  });
});
