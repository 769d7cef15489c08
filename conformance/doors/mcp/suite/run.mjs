import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { root, startHub } from '../../../kinds/dredd/hub.mjs';

/**
 * Runs the official MCP conformance suite against the door, once as clients with a handshake and
 * once as revision 2026-07-28 requires. What fails must be what `baseline.yaml` says, exactly.
 * Exit codes: 0 as expected, 1 differences, 2 it could not run.
 */
const SUITE = '@modelcontextprotocol/conformance';
/** The stable release knows no revision without a handshake. */
const VERSION = '0.2.0-alpha.12';
const RUN_MS_MAX = 5 * 60_000;
const RUNS = [
  ['--suite', 'all'],
  ['--requirements', '2026-07-28'],
];

const here = fileURLToPath(new URL('.', import.meta.url));
const cache = join(root, `node_modules/.cache/mcp-conformance-${VERSION}`);
const program = join(cache, 'node_modules', SUITE, 'dist/index.js');

class CannotRun extends Error {}

/** Under node_modules, which nothing tracks. */
function install() {
  if (existsSync(program)) return;
  process.stdout.write(`Installing ${SUITE}@${VERSION} into ${cache}\n`);
  mkdirSync(cache, { recursive: true });
  const words = ['install', '--prefix', cache, '--no-audit', '--no-fund', `${SUITE}@${VERSION}`];
  const { status, error } = spawnSync('npm', words, { cwd: cache, stdio: 'inherit' });
  if (status !== 0) throw new CannotRun(`npm could not install it ${error?.message ?? ''}`);
}

/** Every check that was made, as `scenario/check` with its status. */
function checksOf(url, asked) {
  const output = join(cache, 'results');
  rmSync(output, { recursive: true, force: true });
  const shim = ['--import', join(here, 'node20.mjs')];
  const words = ['server', '--url', `${url}/mcp`, ...asked, '-o', output];
  const { error, stdout, stderr } = spawnSync(process.execPath, [...shim, program, ...words], {
    cwd: cache,
    encoding: 'utf8',
    timeout: RUN_MS_MAX,
    killSignal: 'SIGKILL',
  });
  if (error !== undefined || !existsSync(output)) {
    throw new CannotRun(`the suite did not run: ${error?.message ?? stderr.slice(-2_000)}`);
  }
  process.stdout.write(`${asked.join(' ')}: ${/^Total: .*$/m.exec(stdout)?.[0] ?? 'no total'}\n`);
  return readdirSync(output).flatMap((folder) => {
    const scenario = folder.replace(/^server-(.*?)-\d{4}-\d\d-\d\dT.*$/, '$1');
    const checks = JSON.parse(readFileSync(join(output, folder, 'checks.json'), 'utf8'));
    return checks.map(({ id, status, errorMessage }) => ({ scenario, id, status, errorMessage }));
  });
}

/** Says what differs from the baseline; an empty list when nothing does. */
function differences(checks, expected) {
  const failed = checks.filter(({ status }) => status === 'FAILURE');
  const names = ({ scenario, id }) => [scenario, `${scenario}/${id}`];
  const surprises = failed.filter((each) => !names(each).some((name) => expected.includes(name)));
  const mended = expected.filter((name) => !failed.some((each) => names(each).includes(name)));
  return [
    ...surprises.map(
      ({ scenario, id, errorMessage }) => `fails: ${scenario}/${id} ${errorMessage ?? ''}`,
    ),
    ...mended.map((name) => `fails no longer, take it out of baseline.yaml: ${name}`),
  ];
}

async function main() {
  const baseline = parse(readFileSync(join(here, 'baseline.yaml'), 'utf8'));
  const expected = baseline.flatMap(({ failing }) => failing);
  install();
  const hub = await startHub();
  const checks = [];
  try {
    for (const asked of RUNS) checks.push(...checksOf(hub.url, asked));
  } finally {
    await hub.stop();
  }
  const found = [...differences(checks, expected), ...hub.errors()];
  for (const line of found) process.stdout.write(`${line}\n`);
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
  process.stdout.write(`${passed} checks pass; ${expected.length} stand in baseline.yaml\n`);
  return found.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof CannotRun)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
