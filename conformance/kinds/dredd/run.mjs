import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WITNESS } from '../../harness/arranger/log.mjs';
import { freePort, root, startHub } from './hub.mjs';
import { dreddView } from './view.mjs';

/**
 * `npm run dredd [operation …]`: asks each operation once per documented status that a run can
 * bring about. Exit codes: 0 all held, 1 something did not, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const contractFile = join(root, 'generated/openapi.json');
const RUN_MS_MAX = 20 * 60_000;
const asked = process.argv.slice(2);

class CannotRun extends Error {}

/** Dredd is old and large, so it is installed here when it is wanted, and nowhere else. */
function install() {
  if (existsSync(join(here, 'node_modules/dredd'))) return;
  process.stdout.write('Installing Dredd into conformance/kinds/dredd (once)\n');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: here,
    stdio: 'inherit',
  });
  if (status !== 0)
    throw new CannotRun('npm ci in conformance/kinds/dredd failed; Dredd needs the registry once.');
}

async function dredd(folder, { url, judge }) {
  const contract = JSON.parse(readFileSync(contractFile, 'utf8'));
  const view = join(folder, 'view.json');
  const outcomes = join(folder, 'outcomes.json');
  writeFileSync(view, JSON.stringify(dreddView(contract)));
  const flags = ['--hookfiles', join(here, 'hooks.cjs'), '--loglevel', 'error'];
  const bin = join(here, 'node_modules/dredd/bin/dredd');
  const run = spawn(process.execPath, ['--no-warnings', bin, view, url, ...flags], {
    cwd: folder,
    env: {
      ...process.env,
      DREDD_CONTRACT: contractFile,
      DREDD_HUB: url,
      ...(judge !== undefined && { DREDD_JUDGE: judge }),
      DREDD_OUTCOMES: outcomes,
      DREDD_OPERATIONS: asked.join(' '),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  run.stdout.on('data', (chunk) => (text += chunk));
  const late = setTimeout(() => run.kill('SIGKILL'), RUN_MS_MAX);
  const [code] = await once(run, 'exit');
  clearTimeout(late);
  if (!existsSync(outcomes)) throw new CannotRun(`Dredd did not finish:\n${text.slice(-2_000)}`);
  return { code, text, outcomes: JSON.parse(readFileSync(outcomes, 'utf8')) };
}

/** Dredd names every transaction; the lines of those that passed or were left out say nothing. */
function findings(text) {
  const lines = text
    .split('\n')
    .filter((line) => !/^(\u001b\[\d+m)?(pass|skip|complete)\b/.test(line));
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Operations that are built and were not asked for their success: the run would prove nothing. */
function unasked(contract, outcomes) {
  const isAsked = (id) => asked.length === 0 || asked.includes(id);
  const reported = outcomes.filter(
    (each) => each.status === 200 && each.skipped !== undefined && isAsked(each.operationId),
  );
  for (const { operationId, skipped } of reported) {
    process.stdout.write(`${operationId}: ${skipped}\n`);
  }
  const good = outcomes.filter((each) => each.status < 300 && each.skipped === undefined);
  const succeeded = new Set([...good, ...reported].map((each) => each.operationId));
  return Object.values(contract.paths)
    .flatMap((item) => Object.values(item))
    .map(({ operationId }) => operationId)
    .filter((id) => isAsked(id) && !succeeded.has(id));
}

/** An MCP registry that the hub reads from its start. It names one address, where no server is. */
async function openFeed() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://feed');
    const remotes = [{ type: 'streamable-http', url: `http://${pair}/mcp` }];
    const servers = [{ server: { name: 'com.example/absent', remotes } }];
    response.writeHead(pathname === '/v0.1/servers' ? 200 : 404);
    response.end(JSON.stringify({ servers, metadata: { count: 1 } }));
  });
  server.unref();
  const pair = `127.0.0.1:${await freePort()}`;
  await new Promise((resolve) => server.listen(Number(pair.split(':')[1]), '127.0.0.1', resolve));
  return { url: `http://${pair}/v0.1/servers`, pair };
}

async function main() {
  install();
  const folder = mkdtempSync(join(tmpdir(), 'dredd-'));
  const feed = await openFeed();
  const settings = {
    HUB_CRAWL_FEEDS: feed.url,
    HUB_LOG_WITNESSES: WITNESS,
    HUB_TEST_WORLDS: '2',
  };
  const hub = await startHub({ allow: [feed.pair], settings });
  const begun = performance.now();
  try {
    const { code, text, outcomes } = await dredd(folder, hub);
    const found = findings(text);
    if (found !== '') process.stdout.write(`${found}\n\n`);
    const contract = JSON.parse(readFileSync(contractFile, 'utf8'));
    const missing = unasked(contract, outcomes);
    const ran = outcomes.filter((each) => each.skipped === undefined);
    const operations = new Set(ran.map((each) => each.operationId)).size;
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    process.stdout.write(
      `${ran.length} transactions of ${operations} operations ran in ${seconds} s; ` +
        `${outcomes.length - ran.length} were left out.\n`,
    );
    for (const id of missing) process.stdout.write(`not asked for its success: ${id}\n`);
    for (const line of hub.errors())
      process.stdout.write(`The hub logged: ${line.slice(0, 2_000)}\n`);
    return code === 0 && ran.length > 0 && missing.length === 0 && hub.errors().length === 0
      ? 0
      : 1;
  } finally {
    await hub.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main().catch((error) => {
  process.stderr.write(`${error instanceof CannotRun ? error.message : error.stack}\n`);
  return 2;
});
