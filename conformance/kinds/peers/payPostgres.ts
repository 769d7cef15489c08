// Signed payments of 1,000 accounts on one durable PostgreSQL: the hub against Fastify and SQL.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../harness/postgres.ts';
import { cpuMs, interleave, line, median, ratio } from '../bench/harness.mjs';
import { inLanes } from '../bench/lanes.ts';
import { closeCallers, fund, newCaller, startHub, type BenchHub } from '../bench/taskClient.ts';
import { startStack } from './stack.ts';

const ACCOUNTS = 1_000;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const AIMS = [
  [1, 0.8],
  [8, 1.2],
  [16, 1.5],
] as const;

const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
const { freshDatabase, stop } = await startPostgres(true);
const servers: BenchHub[] = [];
try {
  const hub = await payments(await startHub(await freshDatabase(), folder));
  const stack = await payments(await startStack(await freshDatabase()));
  for (const [connections, aim] of AIMS) {
    const costs: Record<'hub' | 'stack', number[]> = { hub: [], stack: [] };
    const rates = await interleave(
      {
        hub: () => hub(connections, costs.hub),
        stack: () => stack(connections, costs.stack),
      },
      ROUNDS,
    );
    const each = (name: 'hub' | 'stack'): string =>
      `${Math.round(rates[name])} a second, ${Math.round(median(costs[name]))} us of processor each`;
    line(`signed payments on PostgreSQL, ${ACCOUNTS} accounts, ${connections} at once`);
    line(`  the hub: ${each('hub')}`);
    line(`  Fastify with a ledger of SQL functions: ${each('stack')}`);
    ratio('hub / stack', rates.hub / rates.stack, aim);
  }
} finally {
  for (const { child } of servers) child.kill();
  closeCallers();
  await stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Funds the accounts; returns a load that pays for some seconds and answers the rate. */
async function payments(
  server: BenchHub,
): Promise<(connections: number, costs: number[]) => Promise<number>> {
  servers.push(server);
  const { port, child } = server;
  const callers = Array.from({ length: ACCOUNTS }, () => newCaller(port));
  await inLanes(8, ACCOUNTS, (n) => fund(port, callers[n] ?? { account: '' }, 1));
  let turn = 0;
  const load = async (connections: number, costs: number[]): Promise<number> => {
    const before = cpuMs(child.pid);
    const [began, until] = [performance.now(), performance.now() + SECONDS * 1_000];
    let paid = 0;
    const pay = async (): Promise<void> => {
      while (performance.now() < until) {
        turn += 1;
        const [from, to] = [callers[turn % ACCOUNTS], callers[(turn * 7 + 1) % ACCOUNTS]];
        if (from === undefined || to === undefined || from === to) continue;
        const idempotencyKey = randomBytes(12).toString('hex');
        const body = { to: to.account, amount: '1', idempotencyKey };
        await from.post(`/api/v1/wallet/${from.account}/pay`, body);
        paid += 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, pay));
    costs.push(((cpuMs(child.pid) - before) * 1_000) / paid);
    return (paid / (performance.now() - began)) * 1_000;
  };
  // A first load compiles the code of both servers.
  await load(16, []);
  return load;
}
