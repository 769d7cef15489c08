import assert from 'node:assert/strict';
import { verify } from '../../clients/typescript/node.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import type { Fixture } from '../harness/fixture.ts';
import { act, claim, publish, RULE } from '../tasks/_work.ts';
import {
  digestsOf,
  enqueue,
  receipt,
  receipts,
  sealAndSequence,
  sequence,
  type Body,
} from './_log.ts';

hubsOnBothDatabases('log.proof', (open) => {
  let world: Fixture;
  before(async function start() {
    this.timeout(60_000);
    world = await open();
  });

  const proofOf = async (value: unknown): Promise<Body> =>
    mustOk(await world.anyone.get(`/api/v1/log/proofs/${digestsOf(value)[0] ?? ''}`));
  const mustVerify = async (value: unknown): Promise<Body> => {
    const keys = mustOk(await world.anyone.get('/keys'));
    const proof = await proofOf(value);
    const verdict = await verify.logged({ receipt: value, proof }, keys);
    assert.ok(verdict.ok, JSON.stringify(verdict));
    return proof;
  };

  it('leads from the receipt of a call to the signed root', async () => {
    const made = await receipts(world.alice, 3);
    await sequence(world);
    for (const each of made) assert.equal((await mustVerify(each))['kind'], 'call');
    const { receipts: listed } = mustOk(await world.alice.get('/api/v1/call/receipts'));
    for (const each of listed as Body[]) await mustVerify(each);
  });

  it('does not verify a receipt that was changed', async () => {
    const made = await receipt(world.alice);
    await sequence(world);
    const keys = mustOk(await world.anyone.get('/keys'));
    const forged = { ...made, cost: '1' };
    const found = await verify.logged({ receipt: forged, proof: await proofOf(made) }, keys);
    assert.equal(!found.ok && found.reason, 'digest');
    const [digest = ''] = digestsOf(forged);
    mustRefuse(await world.anyone.get(`/api/v1/log/proofs/${digest}`), 404, 'not-found');
  });

  it('leads from a payout in the statement of a worker to the root', async () => {
    const { alice, bob } = world;
    await world.fund(alice, '5000000');
    const task = await publish(alice, {
      rewardAmount: '1000000',
      acceptance: RULE,
      disputeWindowSeconds: 0,
    });
    const claimToken = await claim(bob, task.id);
    mustOk(await act(bob, task.id, 'submit', { claimToken, result: 'done' }));
    world.hub.clock.advance(60);
    await world.hub.runJob('payoutRelease').catch(() => undefined);
    await sealAndSequence(world);
    const statement = mustOk(await bob.get(`/api/v1/wallet/${bob.account}/statement`));
    assert.equal((await mustVerify(statement))['kind'], 'payout');
  });

  it('leads to the root when the log has grown over many tiles', async function grow() {
    this.timeout(60_000);
    const made = await receipt(world.alice);
    await sequence(world);
    const before = await mustVerify(made);
    await enqueue(world, 600);
    await sequence(world);
    const after = await mustVerify(made);
    assert.equal(after['index'], before['index']);
    assert.notEqual(after['checkpoint'], before['checkpoint']);
  });

  it('refuses what is no digest', async () => {
    for (const digest of ['a', 'A'.repeat(64), '0'.repeat(65), '..%2f..']) {
      mustRefuse(await world.anyone.get(`/api/v1/log/proofs/${digest}`), 400, 'bad-digest');
    }
  });
});
