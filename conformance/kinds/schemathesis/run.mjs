import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openArranger } from '../../harness/arranger/arranger.mjs';
import { root, startHub } from '../dredd/hub.mjs';
import { asCommand, environment, runWithin } from '../../../tools/python.mjs';

/**
 * Runs Schemathesis over the contract, every check and phase, bounded in time; arguments such as
 * `--phases coverage` go to `st run`. Exit codes: 0 nothing found, 1 findings, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const cache = join(root, 'node_modules/.cache/schemathesis');
const contract = join(root, 'generated/openapi.json');
const RUN_MS_MAX = 20 * 60_000;
/** The names that the keys of `hooks.py` come from. */
const NAMES = ['schemathesis: the account of the run', 'schemathesis: the other account'];
/** As often as the faucet gives in a day, less one call, which the run itself may make. */
const FUNDINGS = 9;
const ROUNDS = 4;
/** A young account may hold three claims; one is left to the run. */
const HELD = 2;

/** Gives both accounts test money, and makes what paths and bodies name. */
async function furnish({ url, judge }) {
  const seeds = NAMES.map((name) => createHash('sha256').update(name).digest());
  const { alice, bob, fund, tasks, furnish } = openArranger({ url, pair: judge, seeds });
  const made = { tasks: [], claims: {}, solutions: {} };
  for (const account of [alice, bob]) {
    for (let nth = 0; nth < FUNDINGS; nth += 1) await fund(account);
  }
  for (const [requester, worker] of [
    [alice, bob],
    [bob, alice],
  ]) {
    for (let nth = 0; nth < ROUNDS; nth += 1) {
      const { tasks: ids, solutions } = await tasks.worked(worker, requester);
      made.tasks.push(...ids);
      if (requester === alice) Object.assign(made.solutions, solutions);
    }
    for (let nth = 0; nth < HELD; nth += 1) {
      const { path, body } = await tasks.claimed(worker, requester);
      made.tasks.push(path.id);
      if (worker === alice) made.claims[body.claimToken] = path.id;
    }
  }
  return { ...made, ...(await furnish(ROUNDS)) };
}

/** Resolves to the exit code of `st run`; a run over its time has failed. */
function schemathesis(bin, { url }, furnished, tally, given) {
  const config = ['--config-file', join(here, 'schemathesis.toml')];
  const reports = ['--report', 'junit', '--report-dir', join(cache, 'report')];
  const args = [...config, 'run', contract, '--url', url, ...reports, ...given];
  const own = { SCHEMATHESIS_FURNISHED: furnished, SCHEMATHESIS_TALLY: tally };
  const env = { PYTHONPATH: here, ...own };
  return runWithin(RUN_MS_MAX, join(bin, 'st'), args, { cwd: cache, env });
}

/** Says what the figures of the tool do not: which operations never got past a refusal. */
function report(tally, errors) {
  if (!existsSync(tally)) return;
  const asked = Object.entries(JSON.parse(readFileSync(tally, 'utf8')));
  const refused = asked.filter(([, kinds]) => !['200', '202'].some((status) => status in kinds));
  const requests = asked.flatMap(([, kinds]) => Object.values(kinds)).reduce((a, b) => a + b, 0);
  process.stdout.write(`\n${requests} requests to ${asked.length} operations.\n`);
  process.stdout.write(
    `Never answered 200 or 202: ${refused.map(([id]) => id).join(', ') || 'none'}\n`,
  );
  for (const line of errors) process.stdout.write(`The hub logged: ${line.slice(0, 2_000)}\n`);
}

await asCommand(async () => {
  const bin = environment(join(here, 'requirements.txt'), cache);
  const tally = join(cache, 'tally.json');
  rmSync(tally, { force: true });
  const hub = await startHub();
  try {
    const furnished = join(cache, 'furnished.json');
    writeFileSync(furnished, JSON.stringify(await furnish(hub)));
    const code = await schemathesis(bin, hub, furnished, tally, process.argv.slice(2));
    report(tally, hub.errors());
    return code !== 0 || hub.errors().length > 0 ? 1 : 0;
  } finally {
    await hub.stop();
  }
});
