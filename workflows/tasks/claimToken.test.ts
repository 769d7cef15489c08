import assert from 'node:assert/strict';
import { hubKey, newSeed } from '../kernel/keys/ed25519.ts';
import type { Hub } from '../kernel/hub.ts';
import { claimToken } from './claimToken.ts';

describe('claim tokens', () => {
  const [first, next] = [hubKey(newSeed()), hubKey(newSeed())];
  const hubWith = (current: typeof first, ...known: readonly (typeof first)[]) =>
    ({
      keys: {
        current: () => current,
        find: (keyId: string) => known.find((key) => key.keyId === keyId),
      },
    }) as unknown as Hub;

  it('are 43 letters of their attempt, and no other attempt has them', () => {
    const hub = hubWith(first, first);
    const one = claimToken(hub, { id: 'one' });
    assert.match(one.claimToken, /^[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(claimToken(hub, { id: 'one', tokenKey: one.tokenKey }), one);
    assert.notEqual(claimToken(hub, { id: 'two' }).claimToken, one.claimToken);
  });

  it('stay the same when the hub signs with another key by now', () => {
    const made = claimToken(hubWith(first, first), { id: 'one' });
    const again = claimToken(hubWith(next, first, next), { id: 'one', tokenKey: made.tokenKey });
    assert.deepEqual(again, made);
  });

  it('are new ones when the key of the first is not here', () => {
    const made = claimToken(hubWith(first, first), { id: 'one' });
    const again = claimToken(hubWith(next, next), { id: 'one', tokenKey: made.tokenKey });
    assert.equal(again.tokenKey, next.keyId);
    assert.notEqual(again.claimToken, made.claimToken);
  });
});
