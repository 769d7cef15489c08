import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

const START_MS_MAX = 30_000;

/** Seals what is new, and lets the minute of its stamp pass. */
async function sealed({ hub }: Fixture): Promise<void> {
  await hub.runJob('sealJournal');
  hub.clock.advance(60);
  await hub.runJob('pulse');
  await hub.runJob('sealJournal');
}

for (const [name, url] of DATABASES) {
  describe(`discovery.seal (${name})`, function suite() {
    this.timeout(START_MS_MAX);
    let world: Fixture;
    const read = async (block: string | number): Promise<Record<string, unknown>> =>
      mustOk(await world.anyone.get(`/api/v1/economy/seals/${block}`));
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
    });
    after(() => world.close());

    it('is refused while nothing is sealed', async () => {
      const answer = await world.anyone.get('/api/v1/economy/seals/head');
      const { error } = mustRefuse(answer, 404, 'not-found');
      assert.match(String(error), /nothing is sealed yet/);
    });

    it('seals the transfers from the first on, and stamps the block in the clock', async () => {
      await world.fund(world.alice, '1000000');
      await world.hub.runJob('sealJournal');
      const { seal, proof } = await read('head');
      assert.equal(proof, undefined);
      assert.deepEqual(
        [at(seal, 'body', 'blockNo'), at(seal, 'body', 'fromSeq'), at(seal, 'stampedIn')],
        [0, 1, '2026-11-20T10:00:00Z'],
      );
      await sealed(world);
      const landed = await read(0);
      assert.equal(at(landed, 'seal', 'pulseSeq'), 0);
      assert.equal(at(landed, 'proof', 'digest'), at(seal, 'digest'));
      const leaf = createHash('sha256')
        .update(Buffer.of(0))
        .update(Buffer.from(String(at(seal, 'digest')), 'hex'))
        .digest('hex');
      assert.equal(at(landed, 'proof', 'root'), leaf, 'the only leaf of its minute is the root');
    });

    it('chains the blocks without a hole, and makes none of nothing', async () => {
      const { newest: covered } = mustOk(await world.anyone.get('/api/v1/economy/conservation'));
      await sealed(world);
      assert.equal(at(await read('head'), 'seal', 'body', 'blockNo'), 0, 'nothing new');
      for (let paid = 0; paid < 3; paid += 1) await world.fund(world.bob, '1000');
      await sealed(world);
      const [first, second] = [await read(0), await read(1)];
      assert.equal(at(second, 'seal', 'body', 'prevDigest'), at(first, 'seal', 'digest'));
      assert.equal(
        at(second, 'seal', 'body', 'fromSeq'),
        Number(at(first, 'seal', 'body', 'toSeq')) + 1,
      );
      assert.equal(at(second, 'seal', 'body', 'count'), 3);
      assert.equal(at(covered, 'seal', 'digest'), at(first, 'seal', 'digest'));
    });

    it('is named by the conservation page for the newest transfer once that is sealed', async () => {
      await world.fund(world.bob, '1000');
      const before = mustOk(await world.anyone.get('/api/v1/economy/conservation'));
      assert.equal(at(before, 'newest', 'seal'), undefined);
      await sealed(world);
      const after = mustOk(await world.anyone.get('/api/v1/economy/conservation'));
      assert.deepEqual(at(after, 'newest', 'seal'), {
        blockNo: at(await read('head'), 'seal', 'body', 'blockNo'),
        digest: at(await read('head'), 'seal', 'digest'),
      });
    });

    it('waits while the clock has stepped back, and then seals what was left', async () => {
      const newest = Number(at(await read('head'), 'seal', 'body', 'blockNo'));
      world.hub.clock.jump(-600_000);
      await world.fund(world.bob, '1000');
      await world.hub.runJob('sealJournal');
      assert.equal(at(await read('head'), 'seal', 'body', 'blockNo'), newest);
      world.hub.clock.advance(661);
      await sealed(world);
      assert.equal(at(await read('head'), 'seal', 'body', 'blockNo'), newest + 1);
    });

    it('keeps its way to the pulse when the leaves are retired', async () => {
      const { proof } = await read(0);
      world.hub.clock.advance(91 * 86_400);
      await world.hub.runJob('retireLeaves');
      assert.deepEqual((await read(0))['proof'], proof);
    });

    it('refuses what names no block', async () => {
      for (const block of ['-1', '01', 'latest', '1.5', '9'.repeat(13)]) {
        mustRefuse(await world.anyone.get(`/api/v1/economy/seals/${block}`), 400, 'bad-block');
      }
      mustRefuse(await world.anyone.get('/api/v1/economy/seals/999'), 404, 'not-found');
    });
  });
}
