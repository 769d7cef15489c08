import assert from 'node:assert/strict';
import { errorTable } from '../../generated/errors.ts';
import { HubError, wireRefusal } from './errors.ts';

describe('retry-after', () => {
  for (const { code, retry } of Object.values(errorTable)) {
    const isSentAgain = retry === 'wait' || retry === 'same';
    it(`${isSentAgain ? 'comes' : 'needs a known time to come'} with ${code}`, () => {
      const wire = (detail: object, headers = {}): readonly unknown[] => {
        const refusal = wireRefusal(
          new HubError(code, detail, headers),
          'r',
          'https://hub.example',
        );
        return [refusal.headers['retry-after'], refusal.body.retryAfterSeconds];
      };
      assert.deepEqual(wire({}), isSentAgain ? ['1', 1] : [undefined, undefined]);
      assert.deepEqual(wire({ retryAfterSeconds: 90 }), ['90', 90]);
      const own = { 'retry-after': '7' };
      assert.deepEqual(wire({ retryAfterSeconds: 7 }, own), ['7', 7]);
    });
  }
});
