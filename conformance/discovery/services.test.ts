import assert from 'node:assert/strict';
import { operations } from '../harness/contract.ts';
import { at, mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

type Body = Record<string, unknown>;

describe('discovery.services', () => {
  let world: Fixture;
  let catalogue: Body;
  before(async () => {
    world = await openFixture();
    catalogue = mustOk(await world.anyone.get('/api/v1/services'));
  });
  after(() => world.close());

  const fees = (): readonly Body[] => catalogue['fees'] as Body[];

  it('has every operation in its area, once', () => {
    const listed = (catalogue['services'] as Body[]).flatMap(({ area, methods }) =>
      (methods as Body[]).map(({ operationId }) => [area, operationId]),
    );
    const declared = operations.map(({ operationId, raw }) => [at(raw, 'tags', 0), operationId]);
    assert.deepEqual(listed.sort(), declared.sort());
  });

  it('prices every operation that the contract charges for, and no other, with its figures', () => {
    const priced = fees().filter(({ operationId }) => operationId !== undefined);
    for (const { operationId, raw } of operations) {
      if (raw['x-charge'] === undefined) continue;
      const { reason, paidBy, parts } = raw['x-charge'] as Body;
      const found = priced.filter((fee) => fee['operationId'] === operationId);
      const declared = Object.values(parts as Readonly<Record<string, Body>>);
      assert.deepEqual(
        found,
        declared.map((part) => ({ ...part, operationId, paidBy, reason })),
      );
    }
    const known = operations.map(({ operationId }) => operationId);
    for (const { operationId } of priced) assert.ok(known.includes(String(operationId)));
  });

  it('states the rates that hold across the service', () => {
    const rate = (reason: string) => fees().find((fee) => fee['reason'] === reason)?.['bps'];
    assert.deepEqual(
      ['task.fee.hub', 'task.fee.judges', 'dispute.arbiter', 'loan.origination'].map(rate),
      [300, 100, 100, 200],
    );
  });

  it('takes of a reward what it says: 3% of one USDC', async () => {
    const { alice, bob } = world;
    await world.fund(alice, '1000000');
    const task = mustOk(
      await alice.post('/api/v1/tasks', {
        requester: alice.account,
        title: 'Pay',
        rewardAmount: '1000000',
        acceptance: { kind: 'contains', values: ['done'] },
        disputeWindowSeconds: 0,
      }),
    );
    const path = `/api/v1/tasks/${String(task['id'])}`;
    const { claimToken } = mustOk(await bob.post(`${path}/claim`, { agentId: bob.account }));
    mustOk(await bob.post(`${path}/submit`, { claimToken, result: 'done' }));
    const wallet = mustOk(await bob.get(`/api/v1/wallet/${bob.account}`));
    assert.equal(wallet['balance'], '970000');
  });

  it('gives each fee one figure or none, and says who pays', () => {
    for (const { what, bps, amount, unit, paidBy } of fees()) {
      assert.ok(bps === undefined || amount === undefined, String(what));
      assert.ok(String(unit).length > 0 && String(paidBy).length > 0, String(what));
    }
  });
});
