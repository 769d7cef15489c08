import assert from 'node:assert/strict';
import { instant } from '../../domain/instant.ts';
import { openLimits, tighter } from './limits.ts';
import { addressPartition } from '../../workflows/kernel/addressPartition.ts';

describe('rate limits', () => {
  it('refuses the request after the quota and says how long to wait', () => {
    const limits = openLimits(() => instant(0), true);
    for (let n = 299; n >= 0; n -= 1) assert.equal(limits.take('anon', 'a').remaining, n);
    const refused = limits.take('anon', 'a');
    assert.equal(refused.remaining, 0);
    assert.equal(refused.retryAfterSeconds, 1);
    assert.equal(limits.take('anon', 'b').retryAfterSeconds, undefined);
  });

  it('takes units after the fact into debt of one quota at most', () => {
    let ms = 0;
    const limits = openLimits(() => instant(ms), true);
    assert.equal(limits.spend('anon', 'a', 299).remaining, 1);
    limits.spend('anon', 'a', 300);
    assert.equal(limits.take('anon', 'a').retryAfterSeconds, 60);
    limits.spend('anon', 'a', 9_000);
    assert.equal(limits.take('anon', 'a').retryAfterSeconds, 61);
    ms = 120_000;
    assert.equal(limits.look('anon', 'a').remaining, 300);
  });

  it('refills evenly over the window', () => {
    let ms = 0;
    const limits = openLimits(() => instant(ms), true);
    for (let n = 0; n < 61; n += 1) limits.take('handshake', 'a');
    assert.equal(limits.look('handshake', 'a').retryAfterSeconds, 60);
    ms = 59_999;
    assert.equal(limits.take('handshake', 'a').retryAfterSeconds, 1);
    ms = 60_001;
    assert.equal(limits.take('handshake', 'a').retryAfterSeconds, undefined);
  });

  it('report what was let through of buckets in use, and take what others let through', () => {
    let ms = 0;
    const [here, there] = [0, 1].map(() => openLimits(() => instant(ms), true));
    assert.ok(here !== undefined && there !== undefined);
    for (let n = 0; n < 75; n += 1) here.take('anon', 'a');
    assert.deepEqual(here.untold(), [], 'a light caller is not reported');
    for (let n = 0; n < 225; n += 1) here.take('anon', 'a');
    there.take('anon', 'b');
    const reported = here.untold();
    assert.deepEqual([reported, here.untold()], [[['anon', 'a', 300]], []]);
    there.charge(reported);
    assert.equal(there.take('anon', 'a').retryAfterSeconds, 1);
    assert.equal(there.take('anon', 'b').remaining, 298);
    there.charge([...reported, ...reported]);
    // A debt of one quota at most: a window until nothing is owed.
    assert.equal(there.look('anon', 'a').retryAfterSeconds, 61);
    ms = 120_000;
    assert.equal(there.look('anon', 'a').remaining, 300);
  });

  it('remember of a process alone no more buckets than they keep', () => {
    let ms = 0;
    const kept = 50;
    const limits = openLimits(() => instant(ms), true, kept);
    for (let n = 0; n < 10 * kept; n += 1) {
      for (let units = 0; units < 100; units += 1) limits.take('anon', `a${n}`);
      ms += 3_600_000;
    }
    assert.ok(limits.untold().length <= kept);
  });

  it('forget no bucket in debt, however many others are filled', () => {
    let ms = 0;
    const limits = openLimits(() => instant(ms), true, 50);
    for (let n = 0; n < 200; n += 1) limits.take('faucet', 'a');
    for (let n = 0; n < 60; n += 1) limits.take('handshake', 'a');
    for (let n = 0; n < 51_000; n += 1) {
      limits.take('signed', `key ${n}`);
      limits.take('faucet', `address ${n}`);
    }
    assert.ok(limits.take('faucet', 'a').retryAfterSeconds !== undefined);
    assert.ok(limits.take('handshake', 'a').retryAfterSeconds !== undefined);
    // Those that came when there was no room share one bucket, and it is in debt too.
    assert.ok(limits.take('faucet', 'address 60').retryAfterSeconds !== undefined);
    assert.equal(limits.take('faucet', 'address 3').remaining, 198);
    ms = 86_400_000;
    assert.equal(limits.take('faucet', 'address 60').remaining, 199);
  });

  it('names the policy as the IETF draft does', () => {
    const limits = openLimits(() => instant(0), true);
    assert.equal(limits.take('anon', 'a').policy, '"anon";q=300;w=60;pk=ip');
  });

  it('shows the note with the smaller share left', () => {
    const wide = { limit: 1200, remaining: 600, policy: 'w' };
    const narrow = { limit: 300, remaining: 149, policy: 'n' };
    assert.equal(tighter(wide, narrow), narrow);
    assert.equal(tighter(narrow, wide), narrow);
  });

  const ADDRESSES: readonly (readonly [string, string])[] = [
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2ff::1', '2001:0db8:0001:02::/56'],
    ['2001:db8:1:2aa:5::1', '2001:0db8:0001:02::/56'],
    ['2001:db8:1:300::1', '2001:0db8:0001:03::/56'],
    ['::1', '0000:0000:0000:00::/56'],
  ];
  for (const [address, partition] of ADDRESSES) {
    it(`counts ${address} as ${partition}`, () => {
      assert.equal(addressPartition(address), partition);
    });
  }
});
