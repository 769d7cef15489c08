import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { makeFolder, subfolder } from './daemons.ts';
import { startCluster } from './patroni.ts';
import type { Scenario } from './scenario.ts';
import { balancers } from './scenarios/balancers.ts';
import { failover, silence, switchover } from './scenarios/failover.ts';
import { growth } from './scenarios/growth.ts';
import { pooler } from './scenarios/pooler.ts';
import { suspended } from './scenarios/suspended.ts';
import { upgrade } from './scenarios/upgrade.ts';

/** `npm run cluster [-- scenario …] [--long]`: hubs on three PostgreSQL nodes under Patroni. */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  failover,
  silence,
  switchover,
  balancers,
  pooler,
  upgrade,
  growth,
  suspended,
};
const USAGE = `npm run cluster [-- ${Object.keys(SCENARIOS).join(' | ')} …] [--long]\n`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { long: { type: 'boolean', default: false } },
});
const names = positionals.length === 0 ? Object.keys(SCENARIOS) : positionals;
if (names.some((name) => !Object.hasOwn(SCENARIOS, name))) {
  process.stderr.write(USAGE);
  process.exit(2);
}
process.exitCode = (await runAll()) ? 0 : 1;

async function runAll(): Promise<boolean> {
  const folder = await makeFolder();
  const failed: string[] = [];
  const beganAt = performance.now();
  const cluster = await startCluster(folder);
  try {
    for (const [n, name] of names.entries()) {
      const say = (what: string, value: string | number): void =>
        void process.stdout.write(`${name}: ${what}: ${value}\n`);
      try {
        const own = await subfolder(folder, `${n}-${name}`);
        await SCENARIOS[name]?.({ cluster, folder: own, isLong: values.long, say });
      } catch (error) {
        failed.push(name);
        process.stdout.write(`${name}: FAILED: ${error instanceof Error ? error.stack : error}\n`);
        await cluster.heal();
      }
    }
  } finally {
    await cluster.close();
    if (failed.length === 0) await rm(folder, { recursive: true, force: true });
  }
  const seconds = Math.round((performance.now() - beganAt) / 1_000);
  const says = failed.length === 0 ? 'all passed' : `failed: ${failed.join(', ')} (${folder})`;
  process.stdout.write(`${names.length} scenarios in ${seconds} s: ${says}\n`);
  return failed.length === 0;
}
