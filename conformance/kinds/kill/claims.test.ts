import assert from 'node:assert/strict';
import { DATABASES } from '../../harness/databases.ts';
import type { Agent } from '../../harness/agents.ts';
import { at, mustOk } from '../../harness/must.ts';
import { act, money } from '../../tasks/_work.ts';
import { FUNDS, KILLS, overKills } from './overKills.ts';
import { liveUntilKilled, pairs, type Pair } from './pairs.ts';

/**
 * A requester and a worker in each lane; the first waiting worker is given what any requester
 * publishes.
 */
const LANES = 5;
const REWARD = 1_000;
const PAID = REWARD - 30;
const TAGS = ['in-line'];

/** One task and one poll, as their parties know them: the requests sent, and their answers. */
interface Life {
  readonly key: string;
  readonly requester: Agent;
  readonly worker: Agent;
  taskId?: string;
  claim?: { readonly id: string; readonly token: unknown };
  isPaid: boolean;
}

/** Goes on where the last answer left it; publication and poll are sent at once, so that they meet. */
async function live(one: Life): Promise<void> {
  const { key, requester, worker } = one;
  const publish = async (): Promise<void> => {
    const task = mustOk(
      await requester.post('/api/v1/tasks', {
        requester: requester.account,
        title: 'Do it',
        rewardAmount: String(REWARD),
        acceptance: { kind: 'contains', values: ['done'] },
        disputeWindowSeconds: 0,
        tags: TAGS,
        idempotencyKey: key,
      }),
    );
    assert.equal(task['id'], one.taskId ?? task['id'], 'an acknowledged publication is there');
    one.taskId = String(task['id']);
  };
  const poll = async (): Promise<void> => {
    while (one.claim === undefined) {
      const wanted = { tags: TAGS, idempotencyKey: key };
      const answer = mustOk(await worker.post('/api/v1/tasks/claim?wait=5', wanted));
      if (answer['work'] === null) continue;
      one.claim = { id: String(at(answer, 'work', 'id')), token: answer['claimToken'] };
    }
  };
  const sent = await Promise.allSettled([publish(), poll()]);
  for (const each of sent) if (each.status === 'rejected') throw each.reason;
  assert.ok(one.claim);
  const delivery = { claimToken: one.claim.token, result: 'done', idempotencyKey: key };
  assert.equal(mustOk(await act(worker, one.claim.id, 'submit', delivery))['state'], 'paid');
  one.isPaid = true;
}

const isOver = ({ isPaid }: Life): boolean => isPaid;

describe('a hub that is killed while polls are paired with tasks', () => {
  for (const [title, databaseUrl] of DATABASES) {
    it(`loses none and gives none twice over ${KILLS} kills (${title})`, async function run() {
      this.timeout(KILLS * 20_000 + 60_000);
      const lives: Life[] = [];
      await overKills(databaseUrl, {
        agents: 2 * LANES,
        begin(agents, life) {
          const begin = ([requester, worker]: Pair, n: number): Life => {
            return { key: `poll-${life}-${n}`, requester, worker, isPaid: false };
          };
          const { begun, over } = liveUntilKilled({ agents, earlier: lives, begin, live, isOver });
          const kept = over.then(() => lives.push(...begun));
          return { acknowledged: () => begun.filter(isOver).length, over: kept };
        },
        check: async (_, agents) => {
          const left = lives.filter((one) => !isOver(one));
          await Promise.all(left.map((one) => live(one)));
          const published = lives.map(({ taskId }) => taskId).sort();
          assert.deepEqual(lives.map(({ claim }) => claim?.id).sort(), published);
          for (const [requester, worker] of pairs(agents)) {
            const count = (of: keyof Life, agent: Agent): number =>
              lives.filter((one) => one[of] === agent).length;
            const spent = String(FUNDS - count('requester', requester) * REWARD);
            const earned = String(FUNDS + count('worker', worker) * PAID);
            assert.deepEqual(await money(requester), [spent, '0', spent]);
            assert.deepEqual(await money(worker), [earned, '0', earned]);
          }
        },
      });
    });
  }
});
