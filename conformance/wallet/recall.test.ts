import assert from 'node:assert/strict';
import type { Agent, Answer } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { walletPath } from './_signed.ts';

const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('wallet.recall', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '900000000');
  });
  after(() => world.close());

  const begin = async (of: Agent): Promise<string> =>
    String(
      mustOk(await of.post(`${walletPath(of)}/withdraw`, { address: TO, amount: '50000' }))['id'],
    );
  const recall = (of: Agent, id: string, body: unknown = {}): Promise<Answer> =>
    of.post(`${walletPath(of)}/withdrawals/${id}/cancel`, body);
  const spendable = async (of: Agent): Promise<unknown> =>
    mustOk(await of.get(walletPath(of)))['spendable'];

  it('gives the whole amount back, fee included, and says so again when asked again', async () => {
    const before = await spendable(world.alice);
    const id = await begin(world.alice);
    const first = mustOk(await recall(world.alice, id));
    assert.deepEqual([first['state'], first['repeated'], first['recallable']], ['recalled', false, false]);
    const again = mustOk(await recall(world.alice, id));
    assert.deepEqual([again['state'], again['repeated']], ['recalled', true]);
    assert.equal(await spendable(world.alice), before);
  });

  it('answers a repeat of its key with the first result', async () => {
    const [id, other] = [await begin(world.alice), await begin(world.alice)];
    const body = { idempotencyKey: 'recall-once' };
    mustOk(await recall(world.alice, id, body));
    assert.equal(mustOk(await recall(world.alice, id, body))['repeated'], true);
    mustRefuse(await recall(world.alice, other, body), 400, 'idempotency-mismatch');
  });

  it('refuses what is signed already, and what ended', async () => {
    const id = await begin(world.alice);
    world.hub.clock.advance(4);
    mustRefuse(await recall(world.alice, id), 400, 'not-recallable');
    world.hub.clock.advance(6);
    await world.hub.runJob('withdrawals');
    mustRefuse(await recall(world.alice, id), 400, 'not-recallable');
  });

  it('finds only the own ones', async () => {
    const id = await begin(world.alice);
    mustRefuse(await recall(world.bob, id), 404, 'not-found');
    mustRefuse(await recall(world.alice, '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90'), 404, 'not-found');
  });

  it('asks for a signature of the owner', async () => {
    const path = `${walletPath(world.alice)}/withdrawals/${await begin(world.alice)}/cancel`;
    mustRefuse(await world.anyone.post(path), 401, 'unsigned');
    mustRefuse(await world.bob.post(path), 401, 'wrong-owner');
  });

  it('returns the money once when it is asked for many times at once', async () => {
    const before = await spendable(world.alice);
    const id = await begin(world.alice);
    const all = await Promise.all(Array.from({ length: 6 }, () => recall(world.alice, id)));
    assert.deepEqual(all.map(({ status }) => status), [200, 200, 200, 200, 200, 200]);
    assert.equal(all.filter(({ body }) => body['repeated'] === false).length, 1);
    assert.equal(await spendable(world.alice), before);
  });
});
