import assert from 'node:assert/strict';
import { DATABASES } from '../../harness/databases.ts';
import type { Agent } from '../../harness/agents.ts';
import { at, mustOk } from '../../harness/must.ts';
import { act, money } from '../../tasks/_work.ts';
import { FUNDS, KILLS, overKills } from './overKills.ts';
import { liveUntilKilled, pairs, type Pair } from './pairs.ts';

/** A requester and two workers in each lane; the workers divide each reward. */
const LANES = 3;
const REWARD = 10_000;
const PLACES = [7_000, 3_000];
const PAID = [6_790, 2_910];

/** A contest as its parties know it: what they stored before each send, and the answers. */
interface Life {
  readonly key: string;
  readonly requester: Agent;
  readonly worker: Agent;
  readonly rival: Agent;
  transferId?: unknown;
}

/** Goes on where the last answer left it; every step may be sent again. */
async function live(one: Life): Promise<readonly unknown[]> {
  const { key, requester, worker, rival } = one;
  const task = mustOk(
    await requester.post('/api/v1/tasks', {
      requester: requester.account,
      title: 'Do it',
      rewardAmount: String(REWARD),
      shares: { places: PLACES },
      idempotencyKey: key,
    }),
  );
  const id = String(task['id']);
  const winners: Record<string, unknown>[] = [];
  for (const agent of [worker, rival]) {
    const offer = { agentId: agent.account, result: 'done', idempotencyKey: key };
    const { solutionId } = mustOk(await act(agent, id, 'solution', offer));
    winners.push({ solutionId });
  }
  const decision = { requester: requester.account, winners, idempotencyKey: key };
  const paid = mustOk(await act(requester, id, 'accept', decision));
  assert.equal(paid['transferId'], one.transferId ?? paid['transferId'], 'it was paid once');
  one.transferId = paid['transferId'];
  return [paid['repeated'], paid['state'], at(paid, 'awards', 1, 'worker')];
}

const isOver = ({ transferId }: Life): boolean => transferId !== undefined;

describe('a hub that is killed while rewards are divided', () => {
  for (const [title, databaseUrl] of DATABASES) {
    it(`pays every place once over ${KILLS} kills (${title})`, async function run() {
      this.timeout(KILLS * 20_000 + 60_000);
      const lives: Life[] = [];
      const rivals = (agents: readonly Agent[]): readonly Agent[] => agents.slice(2 * LANES);
      await overKills(databaseUrl, {
        agents: 3 * LANES,
        begin(agents, life) {
          const lanes = pairs(agents.slice(0, 2 * LANES));
          const begin = ([requester, worker]: Pair, n: number): Life => {
            const lane = lanes.findIndex(([, own]) => own === worker);
            const rival = rivals(agents)[lane] ?? assert.fail();
            return { key: `shares-${life}-${n}`, requester, worker, rival };
          };
          const living = { agents: lanes.flat(), earlier: lives, begin, live, isOver };
          const { begun, over } = liveUntilKilled(living);
          const kept = over.then(() => lives.push(...begun));
          return { acknowledged: () => begun.filter(isOver).length, over: kept };
        },
        check: async (_, agents) => {
          for (const one of lives) await live(one);
          for (const one of lives) {
            assert.deepEqual(await live(one), [true, 'paid', one.rival.account]);
          }
          for (const agent of agents) {
            const count = (of: 'requester' | 'worker' | 'rival'): number =>
              lives.filter((one) => one[of] === agent).length;
            const earned = count('worker') * (PAID[0] ?? 0) + count('rival') * (PAID[1] ?? 0);
            const left = String(FUNDS - count('requester') * REWARD + earned);
            assert.deepEqual(await money(agent), [left, '0', left]);
          }
        },
      });
    });
  }
});
