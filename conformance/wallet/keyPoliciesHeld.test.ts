import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { act as play, onTurn, sit, TABLES, type Room } from '../poker/_table.ts';
import { borrow, held } from '../services/_lend.ts';
import { publishChain, STEP, taskOf } from '../chains/_chain.ts';
import { bet, newMarket } from '../predictions/_markets.ts';
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
    await world.fund(world.alice, '1000000');
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

  const accomplices: Readonly<Record<string, Body>> = {
    'an open dispute window': { acceptance: RULE, disputeWindowSeconds: 1 },
    'no dispute window': { acceptance: RULE, disputeWindowSeconds: 0 },
    'silence that accepts': { acceptance: RULE, autoAcceptSeconds: 0, disputeWindowSeconds: 60 },
    'open mode': { acceptance: RULE, mode: 'open', disputeWindowSeconds: 1 },
  };
  for (const [terms, body] of Object.entries(accomplices)) {
    it(`gets no limit back from the worker of its own task under ${terms}`, async () => {
      const key = await limitedKey(world, owner, { perMonth: REWARD });
      const { id } = await publish(key, body);
      const result = { agentId: worker.account, result: 'done' };
      mustOk(
        await (terms === 'open mode'
          ? act(worker, id, 'solution', result)
          : submit(worker, id, 'done')),
      );
      world.hub.clock.jump(61_000);
      await world.hub.runJob('payoutRelease');
      assert.equal((await limitsOf(key))['month']?.used, REWARD);
      mustRefuse(await payBy(key, worker, '1'), 400, 'policy-limit');
    });
  }

  it('gets no limit back from the workers of its own chain, but for a step not done', async () => {
    const key = await limitedKey(world, owner, { perMonth: '3000000' });
    const chain = await publishChain(key, [STEP, STEP, STEP]);
    for (const n of [1, 2]) mustOk(await submit(worker, await taskOf(world, chain, n), 'done'));
    assert.equal((await limitsOf(key))['month']?.used, '3000000');
    const body = { requester: owner.account };
    mustOk(await owner.post(`/api/v1/chains/${chain.id}/abandon`, body));
    assert.equal((await limitsOf(key))['month']?.used, '2000000');
  });

  it('counts a result that it accepts beside the key that held the reward', async () => {
    const [holder, key] = [
      await limitedKey(world, owner, { perMonth: REWARD }),
      await limitedKey(world, owner, { perMonth: REWARD }),
    ];
    const { id } = await publish(holder);
    mustOk(await submit(worker, id, 'done'));
    mustOk(await accept(key, id));
    for (const each of [holder, key]) {
      assert.equal((await limitsOf(each))['month']?.used, REWARD);
      mustRefuse(await payBy(each, worker, '1'), 400, 'policy-limit');
    }
  });

  it('adds to a bet of another key and takes only what it adds', async () => {
    const id = await newMarket(world);
    const first = await limitedKey(world, owner, { perMonth: '300000' });
    const second = await limitedKey(world, owner, { perMonth: '100000' });
    mustOk(await bet(first, id, 'yes', 300_000));
    mustOk(await bet(second, id, 'yes', 100_000));
    mustOk(await bet(owner, id, 'yes', 500_000));
    const used = async (each: Agent) => (await limitsOf(each))['month']?.used;
    assert.deepEqual([await used(first), await used(second)], ['300000', '100000']);
    mustRefuse(await bet(second, id, 'yes', 100_000), 400, 'policy-limit');
  });

  it('waits for an approval, with which it accepts once', async () => {
    const id = await delivered();
    const key = await limitedKey(world, owner, { approveAbove: '999999' });
    const { approvalId } = mustRefuse(await accept(key, id), 400, 'approval-needed');
    const path = `${walletPath(owner)}/approvals/${String(approvalId)}`;
    mustOk(await owner.post(path, { decision: 'approved' }));
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

  it('has work paid to no other account where its policy names no counterparties', async () => {
    const { id } = await publish(owner, { acceptance: RULE, mode: 'open' });
    const key = await limitedKey(world, worker, { perMonth: '0' });
    const body = { agentId: worker.account, payee: world.bob.account };
    const offer = { ...body, result: 'done' };
    mustRefuse(await act(key, id, 'solution', offer), 401, 'policy-forbids');
    mustRefuse(await key.post('/api/v1/tasks/claim', { payee: body.payee }), 401, 'policy-forbids');
    const other = await publish(owner, { acceptance: RULE });
    mustRefuse(await act(key, other.id, 'claim', body), 401, 'policy-forbids');
    mustOk(await act(key, other.id, 'claim', { ...body, payee: worker.account }));
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
