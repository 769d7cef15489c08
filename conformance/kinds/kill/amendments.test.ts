import assert from 'node:assert/strict';
import { DATABASES } from '../../harness/databases.ts';
import type { Agent } from '../../harness/agents.ts';
import { at, mustOk } from '../../harness/must.ts';
import { act, money } from '../../tasks/_work.ts';
import { FUNDS, KILLS, overKills } from './overKills.ts';
import { liveUntilKilled, pairs, type Pair } from './pairs.ts';

/** A requester and a worker in each lane; batches are shared by all. */
const LANES = 4;
const REWARD = 2_000;
const RAISED = 3_000;
/** The worker's part of the agreed end, and what it is without the fee of the hub. */
const PART = 2_000;
const PAID = PART - 60;

/** An ordered job as its two parties know it: what they stored before each send, and the answers. */
interface Deal {
  readonly key: string;
  readonly requester: Agent;
  readonly worker: Agent;
  taskId?: string;
  claimed?: boolean;
  proposal?: string;
  settled?: unknown;
}

/** A private task for one worker that is raised while it is held and ends by an agreed split. */
async function live(deal: Deal): Promise<readonly unknown[]> {
  const { key, requester, worker } = deal;
  const task = mustOk(
    await requester.post('/api/v1/tasks', {
      requester: requester.account,
      title: 'Do it',
      audience: 'parties',
      offeredTo: { accounts: [worker.account] },
      rewardAmount: String(REWARD),
      idempotencyKey: key,
    }),
  );
  assert.equal(task['id'], deal.taskId ?? task['id'], 'an acknowledged publication is there');
  const id = (deal.taskId = String(task['id']));
  const amend = async (by: Agent, step: string, body: Record<string, unknown>) =>
    mustOk(
      await act(by, id, 'amendments', {
        by: by.account,
        ...body,
        idempotencyKey: `${key}-${step}`,
      }),
    );
  if (deal.claimed !== true) {
    const { status } = await act(worker, id, 'claim', { agentId: worker.account });
    assert.equal(status, 200);
    deal.claimed = true;
  }
  await amend(requester, 'raise', { change: { rewardAmount: String(RAISED) } });
  const split = { workerAmount: String(PART), refundAmount: String(RAISED - PART) };
  const proposed = at(await amend(worker, 'split', { split }), 'amendment', 'id');
  assert.equal(proposed, deal.proposal ?? proposed, 'so is a proposal');
  deal.proposal = String(proposed);
  const ended = await amend(requester, 'accept', { accept: deal.proposal });
  assert.equal(ended['transferId'], deal.settled ?? ended['transferId'], 'so is its end');
  deal.settled = ended['transferId'];
  return [task['repeated'], ended['repeated'], ended['state']];
}

const isOver = ({ settled }: Deal): boolean => settled !== undefined;

describe('a hub that is killed among raises and agreed ends of private tasks', () => {
  for (const [title, databaseUrl] of DATABASES) {
    it(`moves each amount once over ${KILLS} kills (${title})`, async function run() {
      this.timeout(KILLS * 20_000 + 60_000);
      const deals: Deal[] = [];
      await overKills(databaseUrl, {
        agents: 2 * LANES,
        begin(agents, life) {
          const begin = ([requester, worker]: Pair, n: number): Deal => {
            return { key: `deal-${life}-${n}`, requester, worker };
          };
          const { begun, over } = liveUntilKilled({ agents, earlier: deals, begin, live, isOver });
          const kept = over.then(() => deals.push(...begun));
          return { acknowledged: () => begun.filter(isOver).length, over: kept };
        },
        check: async (_, agents) => {
          for (const one of deals) await live(one);
          for (const one of deals) assert.deepEqual(await live(one), [true, true, 'withdrawn']);
          for (const [requester, worker] of pairs(agents)) {
            const count = deals.filter((one) => one.worker === worker).length;
            const left = String(FUNDS - count * PART);
            const earned = String(FUNDS + count * PAID);
            assert.deepEqual(await money(requester), [left, '0', left]);
            assert.deepEqual(await money(worker), [earned, '0', earned]);
          }
        },
      });
    });
  }
});
