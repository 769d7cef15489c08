import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { timeApp, type TimeApp } from './_site.ts';
import { mustBeTime } from './_verify.ts';

describe('time.now', () => {
  let world: Fixture;
  let app: TimeApp;
  beforeEach(async () => {
    world = await openFixture();
    app = timeApp(world.hub);
  });
  afterEach(() => world.close());

  it('signs the time with the nonce inside, so that no old answer can pass', async () => {
    for (const nonce of ['a', 'q0Jg3mY1bC7Vn2xR-_', 'x'.repeat(128)]) {
      const signed = await app.now(nonce);
      mustBeTime(signed);
      assert.equal(signed.body.nonce, nonce);
      assert.equal(signed.body.unixMs, world.hub.clock.now());
    }
    const without = await app.now();
    mustBeTime(without);
    assert.ok(!('nonce' in without.body), 'no nonce was given');
  });

  it('may be kept by no cache', async () => {
    const answer = await app.get('/api/v1/time?nonce=abc');
    mustOk(answer);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  });

  it('says which clock stands behind it', async () => {
    const { clock } = (await app.now()).body;
    assert.deepEqual(clock, { source: 'system', synced: false, errorMs: 1000 });
  });

  it('names the newest pulse once there is one', async () => {
    assert.equal((await app.now()).body.head, undefined);
    for (const seq of [0, 1]) {
      await app.minute();
      const { head } = (await app.now()).body;
      const { body, digest } = await app.pulse('head');
      assert.deepEqual(head, { seq, minute: body.minute, digest });
    }
  });

  describe('states inside the signed body', () => {
    it('a live chain while the newest minute is at most 180 seconds old', async () => {
      await app.minute();
      world.hub.clock.advance(120);
      const live = await app.now();
      mustBeTime(live);
      assert.deepEqual(live.body.chain, { state: 'live' });
    });

    it('the start and the cause of a stall after that', async () => {
      await app.minute();
      world.hub.clock.advance(121);
      const stalled = await app.now();
      mustBeTime(stalled);
      assert.deepEqual(stalled.body.chain, {
        state: 'stalled',
        since: '2026-11-20T10:03:00.000Z',
        reason: 'no pulse was issued after 0',
      });
      await app.issue();
      assert.deepEqual((await app.now()).body.chain, { state: 'live' });
    });

    it('the same before the first pulse', async () => {
      world.hub.clock.advance(180);
      assert.deepEqual((await app.now()).body.chain, { state: 'live' });
      world.hub.clock.advance(1);
      const { chain } = (await app.now()).body;
      assert.deepEqual(chain, {
        state: 'stalled',
        since: '2026-11-20T10:03:00.000Z',
        reason: 'no pulse was issued yet',
      });
    });

    it('a clock that was set back', async () => {
      await app.minute();
      world.hub.clock.jump(-600_000);
      const signed = await app.now();
      mustBeTime(signed);
      assert.equal(signed.body.now, '2026-11-20T09:51:00.000Z');
      assert.equal(signed.body.chain.state, 'stalled');
      assert.match(signed.body.chain.reason ?? '', /^clock-step: .*10:01:00\.000Z.*09:51:00\.000Z/);
    });
  });

  it('refuses what is no nonce and says what one is', async () => {
    for (const nonce of ['', 'x'.repeat(129), 'a b', 'a+b', 'a/b', 'YQ==', 'ä', 'a.b']) {
      const answer = await app.get(`/api/v1/time?nonce=${encodeURIComponent(nonce)}`);
      const { error, hint, field } = mustRefuse(answer, 400, 'bad-nonce');
      assert.equal(field, 'query.nonce');
      assert.match(`${String(error)} ${String(hint)}`, /128.*base64url/, nonce);
    }
    mustRefuse(await app.get('/api/v1/time?nonce=a&nonce=b'), 400, 'bad-request');
    mustRefuse(await app.get('/api/v1/time?none=a'), 400, 'bad-request');
  });
});
