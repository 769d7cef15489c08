// Whole lives of tasks a second: published, claimed, delivered and paid.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../conformance/harness/postgres.ts';
import { inLanes } from './lanes.ts';
import { closeCallers, fund, newCaller, startHub, TERMS } from './taskClient.ts';

const LIFECYCLES = Number(process.env['BENCH_LIFECYCLES'] ?? 1_500);
const LANES = 16;

const line = (text: string): void => void process.stdout.write(`${text}\n`);

const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
const postgres = await startPostgres(true);
try {
  await lifecycles('SQLite', `sqlite:${join(folder, 'hub.sqlite')}`);
  await lifecycles('PostgreSQL', await postgres.freshDatabase());
} finally {
  closeCallers();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Publish, claim, deliver, paid: four answers that each wait for their commit. */
async function lifecycles(name: string, database: string): Promise<void> {
  const { port, child } = await startHub(database, folder);
  try {
    const pairs = Array.from({ length: LANES }, () => [newCaller(port), newCaller(port)] as const);
    for (const [requester] of pairs) await fund(port, requester, 1);
    const live = async (_: number, lane: number): Promise<void> => {
      const [requester, worker] = pairs[lane] ?? [];
      if (requester === undefined || worker === undefined) return;
      const task = await requester.post('/api/v1/tasks', {
        ...TERMS,
        requester: requester.account,
      });
      const path = `/api/v1/tasks/${String(task['id'])}`;
      const { claimToken } = await worker.post(`${path}/claim`, { agentId: worker.account });
      const paid = await worker.post(`${path}/submit`, { claimToken, result: 'done' });
      if (paid['state'] !== 'paid') throw new Error(`not paid: ${JSON.stringify(paid)}`);
    };
    await inLanes(LANES, LANES * 10, live);
    const began = performance.now();
    await inLanes(LANES, LIFECYCLES, live);
    const seconds = (performance.now() - began) / 1000;
    const rate = Math.round(LIFECYCLES / seconds);
    line(`publish, claim, deliver and pay on ${name}, ${LANES} at once: ${rate} lives/s`);
  } finally {
    child.kill();
  }
}
