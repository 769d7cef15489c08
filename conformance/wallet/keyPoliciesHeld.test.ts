import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { act as play, onTurn, sit, TABLES, type Room } from '../poker/_table.ts';
import { borrow, held } from '../services/_lend.ts';
import { act, money, publish, REWARD, RULE, submit, type Body } from '../tasks/_work.ts';
import { limitedKey, limitsOf, payBy } from './_policies.ts';
import { walletPath } from './_signed.ts';

/** A key with a policy decides about money that another key of its account holds. */
hubsOnBothDatabases('spending policies and money held by another key', (open) => {
  let world: Fixture;
  let owner: Agent;
  let worker: Agent;
  before(async () => {
    world = await open();
    owner = await world.agent();
    worker = await world.agent();
    await world.fund(owner, '900000000');
  });

  /** A task of the owner's own key, with a result that waits for its word. */
  const delivered = async (over: Body = {}): Promise<string> => {
    const { id } = await publish(owner, over);
    mustOk(await submit(worker, id, 'done'));
    return id;
  };
  const accept = (key: Agent, id: string, over: Body = {}) =>
    act(key, id, 'accept', { requester: owner.account, ...over });

  it('accepts a result for no more than its limits, and counts it', async () => {
    const id = await delivered();
    for (const policy of [{ perCall: '999999' }, { perDay: '999999' }]) {
      const poor = await limitedKey(world, owner, policy);
      const before = await money(owner);
      mustRefuse(await accept(poor, id), 400, 'policy-limit');
      assert.deepEqual(await money(owner), before);
    }
    const key = await limitedKey(world, owner, { perDay: '1500000' });
    mustOk(await accept(key, id));
    assert.equal((await limitsOf(key))['day']?.used, REWARD);
    mustRefuse(await payBy(key, worker, '500001'), 400, 'policy-limit');
    mustRefuse(await accept(key, await delivered()), 400, 'policy-limit');
  });

  it('divides a reward for no more than its limits', async () => {
    const { id } = await publish(owner, { mode: 'open', shares: { split: true } });
    const body = { agentId: worker.account, result: 'done' };
    const { solutionId } = mustOk(await act(worker, id, 'solution', body));
    const winners = [{ solutionId, bps: 10_000 }];
    const poor = await limitedKey(world, owner, { perCall: '999999' });
    mustRefuse(await accept(poor, id, { winners }), 400, 'policy-limit');
    mustOk(await accept(owner, id, { winners }));
  });

  it('pays the counterparties that its policy names, and no other', async () => {
    const id = await delivered();
    const { account } = world.bob;
    const other = await limitedKey(world, owner, { counterparties: [account] });
    const { error } = mustRefuse(await accept(other, id), 401, 'policy-forbids');
    assert.match(String(error), new RegExp(worker.account));
    const key = await limitedKey(world, owner, { counterparties: [account, worker.account] });
    mustOk(await accept(key, id));
  });

  it('waits for an approval, with which it accepts once', async () => {
    const id = await delivered();
    const key = await limitedKey(world, owner, { approveAbove: '999999' });
    const { approvalId } = mustRefuse(await accept(key, id), 400, 'approval-needed');
    const path = `${walletPath(owner)}/approvals/${String(approvalId)}/approve`;
    mustOk(await owner.post(path));
    mustOk(await accept(key, id));
    mustRefuse(await accept(key, await delivered()), 400, 'approval-needed');
  });

  it('counts nothing for what the clock decides while it calls', async () => {
    const key = await limitedKey(world, owner, { perCall: '0' });
    const windows = { autoAcceptSeconds: 60, disputeWindowSeconds: 3600 };
    const id = await delivered(windows);
    world.hub.clock.jump(61_000);
    const disputed = mustOk(
      await act(key, id, 'dispute', { raisedBy: owner.account, reason: 'no' }),
    );
    assert.equal(disputed['state'], 'searching');
    assert.equal((await limitsOf(key))['call']?.left, '0');
  });

  it('delivers for a loan of its account, which is repaid out of the reward', async () => {
    const borrower = await world.agent();
    const key = await limitedKey(world, borrower, { perCall: '0', counterparties: [] });
    const { taskId, claimToken } = await held(owner, borrower);
    mustOk(await borrow(borrower, taskId));
    mustOk(await act(key, taskId, 'submit', { claimToken, result: 'done' }));
    assert.deepEqual(await money(borrower), ['963400', '0', '963400']);
  });

  it('has work paid to the counterparties that its policy names, and to no other', async () => {
    const { id } = await publish(owner, { acceptance: RULE });
    const key = await limitedKey(world, worker, { counterparties: [world.alice.account] });
    const claim = (payee?: string) => act(key, id, 'claim', { agentId: worker.account, payee });
    const { error } = mustRefuse(await claim(world.bob.account), 401, 'policy-forbids');
    assert.match(String(error), new RegExp(world.bob.account));
    mustOk(await claim(worker.account));
  });

  it('plays no hand unless its policy names it', async () => {
    const [a, b] = [await world.agent(), await world.agent()];
    const room: Room = { world, players: [a, b] };
    for (const player of room.players) await world.fund(player, '1000000');
    const body = { format: 'cash', seats: 2, bigBlind: '1000' };
    const id = String(mustOk(await a.post(TABLES, body))['id']);
    for (const player of room.players) mustOk(await sit(player, id));
    world.hub.clock.advance(1);
    const turn = await onTurn(room, id);
    assert.ok(turn !== undefined);
    const { player, seen } = turn;
    const key = await limitedKey(world, player, { perDay: '10' });
    mustRefuse(await play(key, id, seen['token'], { move: 'fold' }), 401, 'policy-forbids');
    mustRefuse(await sit(key, id), 401, 'policy-forbids');
    const named = await limitedKey(world, player, { operations: ['poker.act'] });
    mustOk(await play(named, id, seen['token'], { move: 'fold' }));
  });
});
