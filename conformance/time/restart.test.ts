import assert from 'node:assert/strict';
import { closeMinutes } from '../../db/time/minutes.ts';
import { minute } from '../../domain/time/minute.ts';
import { mustRefuse } from '../harness/must.ts';
import { digestOf, onEachDatabase } from './_site.ts';
import { mustBeChain, mustBeTime, mustKeep } from './_verify.ts';

onEachDatabase('a hub that stops and starts', (newSite) => {
  it('loses no pulse and repeats its promises within a minute', async () => {
    const site = await newSite();
    const first = await site.start();
    await first.minute();
    const promised = await first.stamp(digestOf('a'));
    await site.stop(first);
    site.clock.advance(40);
    const second = await site.start();
    assert.equal((await second.stamp(digestOf('a'))).text, promised.text);
    const other = await second.promise(digestOf('b'));
    await site.stop(second);
    site.clock.advance(30);
    const third = await site.start();
    await third.issue();
    const chain = await third.chain();
    mustBeChain(chain);
    assert.deepEqual(
      chain.map(({ body: { gap, leaves } }) => [gap, leaves]),
      [
        [null, 0],
        [null, 2],
      ],
    );
    mustKeep(other, await third.proof(digestOf('b'), other.body.pulse));
  });

  it('across minutes states them as down, fills none, and keeps every promise late', async () => {
    const site = await newSite();
    const first = await site.start();
    await first.minute();
    const early = await first.promise(digestOf('a'));
    await site.stop(first);
    site.clock.advance(10 * 60);
    const second = await site.start();
    const stalled = await second.now();
    mustBeTime(stalled);
    assert.equal(stalled.body.chain.state, 'stalled');
    assert.equal((await second.ask(digestOf('a'), early.body.pulse)).status, 202);
    const own = await second.promise(digestOf('b'));
    await second.minute();
    const chain = await second.chain();
    mustBeChain(chain);
    assert.deepEqual(chain[1]?.body.gap, {
      from: '2026-11-20T10:01:00Z',
      to: '2026-11-20T10:10:00Z',
      minutes: 10,
      cause: 'down',
    });
    const late = await second.proof(digestOf('a'), early.body.pulse);
    mustKeep(early, late);
    assert.deepEqual(
      [late.late, late.promisedMinute, late.pulse.body.minute, late.leafIndex, late.leaves],
      [true, '2026-11-20T10:01:00Z', '2026-11-20T10:11:00Z', 0, 2],
    );
    assert.deepEqual(await second.proof(digestOf('a'), 1), late);
    mustRefuse(await second.ask(digestOf('a'), '2026-11-20T10:11:00Z'), 404, 'not-found');
    const proof = await second.proof(digestOf('b'), own.body.pulse);
    mustKeep(own, proof);
    assert.equal(proof.late, undefined);
  });

  it('keeps apart what one digest was promised to a lost minute and to the next pulse', async () => {
    const site = await newSite();
    const first = await site.start();
    const early = await first.promise(digestOf('a'));
    await site.stop(first);
    site.clock.advance(5 * 60);
    const second = await site.start();
    const again = await second.promise(digestOf('a'));
    await second.minute();
    mustKeep(early, await second.proof(digestOf('a'), early.body.pulse));
    mustKeep(again, await second.proof(digestOf('a'), again.body.pulse));
    assert.equal((await second.pulse('head')).body.leaves, 2);
  });

  it('goes on where it was after it closed a minute and before its pulse', async () => {
    const site = await newSite();
    const first = await site.start();
    const promise = await first.promise(digestOf('a'));
    site.clock.advance(60);
    await first.hub.running.hub.store.write((tx) =>
      closeMinutes(tx, minute(Date.parse(promise.body.minute))),
    );
    await site.stop(first);
    const second = await site.start();
    const next = await second.promise(digestOf('a'));
    assert.equal(next.body.minute, '2026-11-20T10:01:00Z');
    await second.issue();
    const proof = await second.proof(digestOf('a'), promise.body.pulse);
    mustKeep(promise, proof);
    assert.equal(proof.late, undefined);
    await second.minute();
    mustKeep(next, await second.proof(digestOf('a'), next.body.pulse));
  });

  it('takes no digest into a closed minute, even when its own clock is still in it', async () => {
    const site = await newSite();
    const app = await site.start();
    await app.hub.running.hub.store.write((tx) =>
      closeMinutes(tx, minute(Date.parse('2026-11-20T10:00:00Z'))),
    );
    const promise = await app.promise(digestOf('a'));
    assert.equal(promise.body.minute, '2026-11-20T10:01:00Z');
    await app.minute();
    assert.equal((await app.pulse('head')).body.leaves, 0);
    await app.minute();
    mustKeep(promise, await app.proof(digestOf('a'), promise.body.pulse));
  });
});
