import assert from 'node:assert/strict';
import { visitor } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { digestOf, onEachDatabase } from './_site.ts';
import { mustBeChain, mustBeTime, mustKeep } from './_verify.ts';

const OWNER = 'key:9GzRuA8Sg7abDcmhoc9AndTTp2uekoomp8s29rWnqjcM';

onEachDatabase('a clock that is set', (newSite) => {
  it('forward leaves a gap with that cause, and no minute half seen', async () => {
    const site = await newSite();
    const app = await site.start();
    await app.minute();
    const before = await app.promise(digestOf('a'));
    site.clock.advance(30);
    site.clock.jump(30 * 60_000);
    // 10:31:30 now; the minute that ended passed while no pulse was issued.
    await app.issue();
    assert.equal((await app.pulse('head')).body.seq, 0);
    const after = await app.promise(digestOf('b'));
    site.clock.advance(30);
    await app.issue();
    const chain = await app.chain();
    mustBeChain(chain);
    assert.deepEqual(
      [chain[1]?.body.minute, chain[1]?.body.gap],
      [
        '2026-11-20T10:31:00Z',
        {
          from: '2026-11-20T10:01:00Z',
          to: '2026-11-20T10:30:00Z',
          minutes: 30,
          cause: 'clock-step',
        },
      ],
    );
    const late = await app.proof(digestOf('a'), before.body.pulse);
    mustKeep(before, late);
    assert.deepEqual([late.late, late.promisedMinute], [true, '2026-11-20T10:01:00Z']);
    mustKeep(after, await app.proof(digestOf('b'), after.body.pulse));
    await app.minute();
    assert.equal((await app.pulse('head')).body.gap, null);
  });

  it('back stops pulses and stamps until it has passed the newest pulse again', async () => {
    const site = await newSite();
    const app = await site.start();
    for (let passed = 0; passed < 3; passed += 1) await app.minute();
    const head = await app.pulse('head');
    assert.equal(head.body.issuedAt, '2026-11-20T10:03:00.000Z');
    const open = await app.promise(digestOf('open'));
    site.clock.jump(-150_000);
    for (const waited of [0, 90, 50]) {
      site.clock.advance(waited);
      await app.issue();
      assert.deepEqual(await app.pulse('head'), head, 'no pulse is issued');
      const refused = await app.stamp(digestOf('a'));
      const { error } = mustRefuse(refused, 503, 'clock-stepped');
      assert.match(String(error), /10:03:00\.000Z/);
      const seconds = Number(refused.headers.get('retry-after'));
      assert.equal(seconds * 1000, Date.parse(head.body.issuedAt) - site.clock.now());
      const signed = await app.now();
      mustBeTime(signed);
      assert.equal(signed.body.chain.state, 'stalled');
    }
    site.clock.advance(10);
    const again = await app.promise(digestOf('a'));
    assert.equal(again.body.minute, '2026-11-20T10:03:00Z');
    assert.deepEqual((await app.now()).body.chain, { state: 'live' });
    await app.issue();
    assert.deepEqual(await app.pulse('head'), head, 'the minute is not over');
    await app.minute();
    mustBeChain(await app.chain());
    for (const promise of [open, again]) {
      mustKeep(promise, await app.proof(promise.body.digest, promise.body.pulse));
    }
  });

  it('back is known to a hub that starts after it', async () => {
    const site = await newSite();
    const first = await site.start();
    await first.minute();
    await site.stop(first);
    site.clock.jump(-3_600_000);
    const second = await site.start();
    mustRefuse(await second.stamp(digestOf('a')), 503, 'clock-stepped');
    assert.equal((await second.now()).body.chain.state, 'stalled');
    site.clock.advance(3_600 + 60);
    const promise = await second.promise(digestOf('a'));
    await second.minute();
    mustKeep(promise, await second.proof(digestOf('a')));
    mustBeChain(await second.chain());
  });

  it('leaves no gap when the clock steps by less than two seconds over the end of a minute', async () => {
    const site = await newSite();
    const app = await site.start();
    await app.minute();
    site.clock.advance(59);
    site.clock.jump(1_900);
    await app.issue();
    assert.equal((await app.pulse('head')).body.seq, 1);
    site.clock.advance(59);
    site.clock.jump(-1_900);
    await app.promise(digestOf('a'));
    await app.issue();
    site.clock.advance(2);
    await app.issue();
    const chain = await app.chain();
    mustBeChain(chain);
    assert.deepEqual(
      chain.map(({ body }) => body.gap),
      [null, null, null],
    );
  });

  it('back by less than that dates no sealed block before the one that it follows', async () => {
    const site = await newSite();
    const { hub, get } = await site.start();
    const pay = (idempotencyKey: string) =>
      visitor(hub).post(`/api/v1/wallet/${OWNER}/credit`, { amount: '1000', idempotencyKey });
    const sealed: unknown[] = [];
    for (const block of [0, 1]) {
      mustOk(await pay(`funds-${block}`));
      await hub.runJob('sealJournal');
      const { seal } = mustOk(await get(`/api/v1/economy/seals/${block}`));
      sealed.push(at(seal, 'body', 'sealedAt'));
      site.clock.jump(-1_500);
    }
    assert.deepEqual(sealed, ['2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.000Z']);
  });

  it('back before the first pulse does not keep the chain from beginning', async () => {
    const site = await newSite();
    const app = await site.start();
    site.clock.jump(-8 * 3_600_000);
    const promise = await app.promise(digestOf('a'));
    await app.minute();
    const { body } = await app.pulse(0);
    assert.equal(body.minute, '2026-11-20T02:00:00Z');
    mustKeep(promise, await app.proof(digestOf('a'), promise.body.pulse));
  });
});
