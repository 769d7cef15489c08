import assert from 'node:assert/strict';
import { generateKey } from '../../clients/typescript/sign.ts';
import { agentWith, joinAccount, type Agent, type Answer } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { money, type Body } from '../tasks/_work.ts';
import { payBy, setPolicy } from './_policies.ts';
import { walletPath } from './_signed.ts';

const ROUNDS = 12;

/** A key sends its call again while its owner decides, at one process or at two. */
hubsOnBothDatabases('wallet.decide while the key sends again', (open) => {
  let world: Fixture;
  let other: Fixture;
  let owner: Agent;
  let keys: readonly Agent[];
  before(async () => {
    world = await open();
    other = await open();
    owner = await world.agent();
    await world.fund(owner, '900000000');
    const pair = await generateKey();
    const [first, second] = [agentWith(world.hub, pair), agentWith(other.hub, pair)];
    mustOk(await joinAccount(owner, first));
    mustOk(await setPolicy(owner, first, { approveAbove: '100' }));
    keys = [first, second].map((key) => ({ ...key, account: owner.account }));
  });

  const approve = (id: unknown): Promise<Answer> =>
    owner.post(`${walletPath(owner)}/approvals/${String(id)}`, { decision: 'approved' });
  const approvals = async (): Promise<readonly Body[]> => {
    const list = mustOk(await owner.get(`${walletPath(owner)}/approvals`));
    return list['approvals'] as Body[];
  };
  const isApproved = (row: Body | undefined): void => {
    assert.deepEqual([row?.['state'], row?.['decidedBy']], ['used', owner.keyId]);
    assert.ok(row?.['decidedAt'] !== undefined);
  };

  it('keeps every approval, and the late call passes when it is sent again', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [nth, key] of keys.entries()) {
        const send = () => payBy(key, world.bob, '200', { idempotencyKey: `${nth} ${round}` });
        const { approvalId } = mustRefuse(await send(), 400, 'approval-needed');
        const before = await money(owner);
        const [approved, ...sent] = await Promise.all([
          approve(approvalId),
          send(),
          send(),
          send(),
        ]);
        mustOk(approved);
        for (const answer of sent) {
          if (answer.status !== 200) mustRefuse(answer, 400, 'approval-needed');
        }
        mustOk(await send());
        const rows = await approvals();
        assert.ok(!rows.some(({ state }) => state === 'open'), `round ${round} asked once more`);
        isApproved(rows.find(({ id }) => id === approvalId));
        const after = await money(owner);
        assert.equal(Number(before[0]) - Number(after[0]), 200);
      }
    }
  });

  it('keeps who approved a call and when, after the key asks for the same call again', async () => {
    const [key = owner] = keys;
    const task = { requester: owner.account, title: 'Write a line', rewardAmount: '200000' };
    const publish = (): Promise<Answer> => key.post('/api/v1/tasks', task);
    const { approvalId } = mustRefuse(await publish(), 400, 'approval-needed');
    mustOk(await approve(approvalId));
    mustOk(await publish());
    const next = mustRefuse(await publish(), 400, 'approval-needed');
    assert.notEqual(next['approvalId'], approvalId);
    const rows = await approvals();
    isApproved(rows.find(({ id }) => id === approvalId));
    assert.equal(rows.find(({ id }) => id === next['approvalId'])?.['state'], 'open');
    mustOk(await approve(next['approvalId']));
    mustOk(await publish());
    mustRefuse(await publish(), 400, 'approval-needed');
  });
});
