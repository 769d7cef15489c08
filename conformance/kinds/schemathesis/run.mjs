import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, startHub } from '../dredd/hub.mjs';
import { asCommand, environment, runWithin } from '../../harness/python.mjs';

/**
 * Runs Schemathesis over the contract, every check and phase, bounded in time; arguments such as
 * `--phases coverage` go to `st run`. Exit codes: 0 nothing found, 1 findings, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const cache = join(root, 'node_modules/.cache/schemathesis');
const contract = join(root, 'generated/openapi.json');
const RUN_MS_MAX = 20 * 60_000;

/** Resolves to the exit code of `st run`; a run over its time has failed. */
function schemathesis(bin, { url, judge }, tally, given) {
  const config = ['--config-file', join(here, 'schemathesis.toml')];
  const reports = ['--report', 'junit', '--report-dir', join(cache, 'report')];
  const args = [...config, 'run', contract, '--url', url, ...reports, ...given];
  const agent = judge === undefined ? {} : { SCHEMATHESIS_AGENT: judge };
  const own = { SCHEMATHESIS_HUB: url, SCHEMATHESIS_TALLY: tally, ...agent };
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
    const code = await schemathesis(bin, hub, tally, process.argv.slice(2));
    report(tally, hub.errors());
    return code !== 0 || hub.errors().length > 0 ? 1 : 0;
  } finally {
    await hub.stop();
  }
});
