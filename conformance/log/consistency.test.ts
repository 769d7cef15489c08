import assert from 'node:assert/strict';
import { verify } from '../../clients/typescript/node.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { enqueue, receipts, sequence, type Body } from './_log.ts';

const PATH = '/api/v1/log/consistency';

describe('log.consistency', function suite() {
  this.timeout(60_000);
  let world: Fixture;
  const notes: string[] = [];
  const proof = async (from: number): Promise<Body> =>
    mustOk(await world.anyone.get(`${PATH}?from=${from}`));
  const note = async (): Promise<string> => (await world.anyone.get('/api/v1/log/checkpoint')).text;
  before(async () => {
    world = await openFixture();
    for (const count of [0, 1, 2, 5, 120, 128, 1, 60]) {
      await enqueue(world, count);
      await sequence(world);
      notes.push(await note());
    }
  });
  after(() => world.close());

  it('shows of each earlier checkpoint that the log begins with it', async () => {
    const keys = mustOk(await world.anyone.get('/keys'));
    for (const before of notes) {
      const from = Number(before.split('\n')[1]);
      const verdict = await verify.consistent({ before, after: await proof(from) }, keys);
      assert.ok(verdict.ok, JSON.stringify(verdict));
      assert.deepEqual([verdict.fromSize, verdict.size], [from, 317]);
    }
  });

  it('proves a fork to the holder of a checkpoint of another tree', async () => {
    const other = await openFixture();
    try {
      await receipts(other.alice, 3);
      await sequence(other);
      const { text } = await other.anyone.get('/api/v1/log/checkpoint');
      const keys = mustOk(await world.anyone.get('/keys'))['keys'] as unknown[];
      const both = [...keys, ...(mustOk(await other.anyone.get('/keys'))['keys'] as unknown[])];
      const found = await verify.consistent(
        { before: text, after: await proof(3) },
        { keys: both },
      );
      assert.deepEqual([found.ok, !found.ok && found.reason], [false, 'chain']);
    } finally {
      await other.close();
    }
  });

  it('refuses a size that the log has not had', async () => {
    const { error } = mustRefuse(await world.anyone.get(`${PATH}?from=318`), 400, 'bad-size');
    assert.match(String(error), /the log has 317 leaves/);
    for (const from of ['-1', '1.5', '9007199254740993', 'all']) {
      mustRefuse(await world.anyone.get(`${PATH}?from=${from}`), 400, 'bad-size');
    }
    assert.equal((await world.anyone.get(PATH)).status, 400);
  });
});
