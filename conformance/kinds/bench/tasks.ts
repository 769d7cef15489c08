// Whole lives of tasks a second: published, claimed, delivered and paid.
import { line } from './harness.mjs';
import { inLanes } from './lanes.ts';
import { fund, newCaller, onBothDatabases, startHub, TERMS } from './taskClient.ts';

const LIFECYCLES = Number(process.env['BENCH_LIFECYCLES'] ?? 1_500);
const LANES = 16;

/** Publish, claim, deliver, paid: four answers that each wait for their commit. */
await onBothDatabases(async (name, database, folder) => {
  const { port, child } = await startHub(await database(), folder);
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
});
