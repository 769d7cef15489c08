import assert from 'node:assert/strict';
import { mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { digestOf, timeApp, type TimeApp } from './_site.ts';
import { mustBeChain, sha256 } from './_verify.ts';

describe('time.pulse', () => {
  let world: Fixture;
  let app: TimeApp;
  beforeEach(async () => {
    world = await openFixture();
    app = timeApp(world.hub);
  });
  afterEach(() => world.close());

  it('is issued once for each minute, each naming the digest of the one before', async () => {
    for (let passed = 0; passed < 10; passed += 1) {
      for (let leaf = 0; leaf < passed; leaf += 1) await app.promise(digestOf(leaf));
      await app.minute();
      await app.issue();
    }
    const chain = await app.chain();
    mustBeChain(chain);
    assert.deepEqual(
      chain.map(({ body: { seq, leaves, minute, gap } }) => [seq, leaves, minute, gap]),
      Array.from({ length: 10 }, (_, n) => [n, n, `2026-11-20T10:0${n}:00Z`, null]),
    );
  });

  it('is issued as soon as its minute has ended, and no moment before', async () => {
    world.hub.clock.advance(59);
    world.hub.clock.jump(999);
    await app.issue();
    mustRefuse(await app.get('/api/v1/time/pulses/0'), 404, 'not-found');
    world.hub.clock.jump(1);
    await app.issue();
    const { body } = await app.pulse(0);
    assert.deepEqual(
      [body.minute, body.issuedAt],
      ['2026-11-20T10:00:00Z', '2026-11-20T10:01:00.000Z'],
    );
  });

  it('has no minute in which the hub was not there', async () => {
    const { hub } = world;
    hub.clock.advance(30);
    await app.issue();
    const { error } = mustRefuse(await app.get('/api/v1/time/pulses/head'), 404, 'not-found');
    assert.match(String(error), /No pulse was issued yet/);
  });

  it('has the root of nothing without a stamp', async () => {
    await app.minute();
    const { body } = await app.pulse('head');
    assert.deepEqual([body.leaves, body.root], [0, sha256('').toString('hex')]);
  });

  it('is the same by its number and as the head, for ever', async () => {
    await app.minute();
    const first = await app.pulse('head');
    assert.deepEqual(await app.pulse(0), first);
    await app.minute();
    assert.deepEqual(await app.pulse(0), first);
    assert.deepEqual(await app.pulse('head'), await app.pulse(1));
  });

  it('shows random bytes that were not known before', async () => {
    for (let passed = 0; passed < 4; passed += 1) await app.minute();
    const shown = (await app.chain()).map(({ body }) => body.random);
    assert.equal(new Set(shown).size, shown.length);
  });

  it('refuses a number of the future and says which is the newest', async () => {
    await app.minute();
    for (const seq of ['1', '7', '999999999999']) {
      const { error, hint } = mustRefuse(
        await app.get(`/api/v1/time/pulses/${seq}`),
        404,
        'not-found',
      );
      assert.equal(error, `There is no pulse ${seq}; the newest is 0.`);
      assert.match(String(hint), /\/api\/v1\/time\/pulses\/0 /);
    }
  });

  it('refuses what is no number and says what is', async () => {
    const huge = '1'.repeat(13);
    const others = ['-1', '01', '00', '1.0', '1e3', '0x1', 'latest', 'HEAD', '%201', 'NaN', '+1'];
    for (const seq of [...others, huge, '9'.repeat(400)]) {
      const answer = await app.get(`/api/v1/time/pulses/${seq}`);
      const { error, hint, field } = mustRefuse(answer, 400, 'bad-pulse');
      assert.equal(field, 'path.seq');
      assert.match(`${String(error)} ${String(hint)}`, /pulses\/head/, seq);
    }
  });
});
