import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../daemons.ts';
import { audit, startHubs } from '../hubs.ts';
import { rowsOf, type Node } from '../patroni.ts';
import { startLoad, type Load } from '../payers.ts';
import type { Parts, Scenario } from '../scenario.ts';
import { verify } from '../verify.ts';

const PAYERS = 64;
const RATE = 1_000;
const LOAD_MS = 5_000;
const SERVES_AGAIN_MS_MAX = 2_000;
const ELECTION_MS_MAX = 60_000;
const ELECTION_STEP_MS = 20;
const SERVING_MS_MAX = 15_000;
const ROUNDS_OF_A_LONG_RUN = 4;

/** The machine of the leader is lost: Patroni, PostgreSQL and its backends end at once. */
export const failover: Scenario = (parts) => over(parts, (leader) => leader.kill());

/** The machine of the leader is cut off: connections to it stay open, and nothing answers. */
export const silence: Scenario = (parts) => over(parts, (leader) => leader.freeze());

export const switchover: Scenario = (parts) => over(parts, () => parts.cluster.switchover());

async function over(parts: Parts, change: (leader: Node) => Promise<void>): Promise<void> {
  const { cluster, folder, isLong, say } = parts;
  const database = await cluster.freshDatabase();
  const hubs = await startHubs({ folder, databaseUrl: cluster.url(database) });
  const urls = hubs.map(({ url }) => url);
  const load = await startLoad({ urls, payers: PAYERS, rate: RATE });
  try {
    for (let round = 0; round < (isLong ? ROUNDS_OF_A_LONG_RUN : 1); round += 1) {
      const before = load.sent.length;
      await sleep(LOAD_MS);
      say('payments a second before', Math.round((load.sent.length - before) / (LOAD_MS / 1_000)));
      await cluster.successor();
      const left = await cluster.leader();
      const beganAt = performance.now();
      const changed = change(left);
      const confirmsAt = await confirms(parts, left.name, beganAt);
      await changed;
      for (const { name, url } of hubs) {
        const againMs = Math.max(0, (await firstAfter(load, url, confirmsAt)) - confirmsAt);
        say(`seconds until ${name} served again`, seconds(againMs));
        assert.ok(againMs <= SERVES_AGAIN_MS_MAX, `${name} served after ${seconds(againMs)} s`);
      }
      await sleep(LOAD_MS);
      await cluster.heal();
    }
    await load.stop();
    assert.deepEqual(load.faults, []);
    const leader = await cluster.leader();
    const verified = await verify(load.sent, urls, (sql) => rowsOf(leader, sql, database));
    say('payments acknowledged', verified.acknowledged);
    say('payments acknowledged and lost, or doubled', 0);
    say('payments without an answer, sent again', verified.unanswered);
    say('attempts answered with 503 or not at all', load.failures());
    say('audit', await audit(cluster.url(database), folder));
  } finally {
    await load.stop();
    for (const hub of hubs) await hub.end();
  }
}

/** Answers when another node was elected and confirmed a first commit: a standby follows it. */
async function confirms({ cluster, say }: Parts, left: string, beganAt: number): Promise<number> {
  const elected = async (): Promise<Node | false> => {
    const leader = await cluster.leader();
    return leader.name !== left && leader;
  };
  const limits = { ms: ELECTION_MS_MAX, stepMs: ELECTION_STEP_MS };
  const leader = await until('another node to lead', elected, limits);
  say('seconds until a leader was elected', seconds(performance.now() - beganAt));
  await rowsOf(leader, "SELECT pg_logical_emit_message(true, 'probe', '')");
  const confirmsAt = performance.now();
  say('seconds until it confirmed a commit', seconds(confirmsAt - beganAt));
  return confirmsAt;
}

function firstAfter(load: Load, url: string, ms: number): Promise<number> {
  const first = async (): Promise<number | false> => load.firstAfter(url, ms) ?? false;
  return until(`a payment at ${url}`, first, { ms: SERVING_MS_MAX });
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(2);
