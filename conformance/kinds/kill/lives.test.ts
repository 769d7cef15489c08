import assert from 'node:assert/strict';
import { DATABASES } from '../../harness/databases.ts';
import type { Agent } from '../../harness/agents.ts';
import { mustOk } from '../../harness/must.ts';
import { act, money } from '../../tasks/_work.ts';
import { FUNDS, KILLS, overKills } from './overKills.ts';
import { liveUntilKilled, pairs, type Pair } from './pairs.ts';

/** A requester and a worker in each lane; batches are shared by all. */
const LANES = 6;
const REWARD = 1_000;
const PAID = REWARD - 30;

/** A task as its two parties know it: what they stored before each send, and the answers. */
interface Life {
  readonly key: string;
  readonly requester: Agent;
  readonly worker: Agent;
  taskId?: string;
  claimToken?: unknown;
  transferId?: unknown;
}

/** Goes on where the last answer left it; every step may be sent again. */
async function live(one: Life): Promise<readonly unknown[]> {
  const { key, requester, worker } = one;
  const task = mustOk(
    await requester.post('/api/v1/tasks', {
      requester: requester.account,
      title: 'Do it',
      rewardAmount: String(REWARD),
      acceptance: { kind: 'contains', values: ['done'] },
      disputeWindowSeconds: 0,
      idempotencyKey: key,
    }),
  );
  assert.equal(task['id'], one.taskId ?? task['id'], 'an acknowledged publication is there');
  const id = (one.taskId = String(task['id']));
  one.claimToken ??= mustOk(await act(worker, id, 'claim', { agentId: worker.account }))[
    'claimToken'
  ];
  const { claimToken } = one;
  const delivery = { claimToken, result: 'done', idempotencyKey: key };
  const paid = mustOk(await act(worker, id, 'submit', delivery));
  assert.equal(paid['transferId'], one.transferId ?? paid['transferId'], 'so is a pay');
  one.transferId = paid['transferId'];
  return [task['repeated'], paid['repeated'], paid['state']];
}

const isOver = ({ transferId }: Life): boolean => transferId !== undefined;

describe('a hub that is killed among lives of tasks', () => {
  for (const [title, databaseUrl] of DATABASES) {
    it(`ends each once over ${KILLS} kills (${title})`, async function run() {
      this.timeout(KILLS * 20_000 + 60_000);
      const lives: Life[] = [];
      await overKills(databaseUrl, {
        agents: 2 * LANES,
        begin(agents, life) {
          const begin = ([requester, worker]: Pair, n: number): Life => {
            return { key: `life-${life}-${n}`, requester, worker };
          };
          const { begun, over } = liveUntilKilled({ agents, earlier: lives, begin, live, isOver });
          const kept = over.then(() => lives.push(...begun));
          return { acknowledged: () => begun.filter(isOver).length, over: kept };
        },
        check: async (_, agents) => {
          for (const one of lives) await live(one);
          for (const one of lives) assert.deepEqual(await live(one), [true, true, 'paid']);
          for (const [requester, worker] of pairs(agents)) {
            const count = lives.filter((one) => one.worker === worker).length;
            const left = String(FUNDS - count * REWARD);
            const earned = String(FUNDS + count * PAID);
            assert.deepEqual(await money(requester), [left, '0', left]);
            assert.deepEqual(await money(worker), [earned, '0', earned]);
          }
        },
      });
    });
  }
});
