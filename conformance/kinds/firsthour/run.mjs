import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { generateKey } from '../../../clients/typescript/index.ts';
import { keys } from '../../../clients/typescript/node.ts';
import { keepRow } from '../../../tools/outcomes.mjs';
import { root, startHub } from '../dredd/hub.mjs';
import { agentWith } from '../../harness/agents.ts';
import { publishHello } from '../../harness/helloTask.mjs';
import { mustOk } from '../../harness/must.ts';
import { asCommand, CannotRun } from '../../../tools/python.mjs';
import { serveClients } from '../../harness/servedClients.mjs';
import { isPaid, PAYEES } from '../sdk/generators/payees.mjs';
import { PROGRAMS } from './programs.mjs';

/**
 * `npm run firsthour [-- --runs N WAY …]`: how long it takes from an empty folder until a newcomer
 * is paid, with what has to be installed and compiled. `browser` waits the minute in which silence
 * accepts. Exit codes: 0 all were paid, 1 one was not, 2 it could not run.
 */
const REWARD = '60000';
const PAID = '58200';
const STEP_MS_MAX = 600_000;
const COLUMNS = ['with', 'outcome', 'date', 'seconds'];
const COMPILED = { curl: 'shell', Go: 'go', Java: 'java', Rust: 'rust', 'C#': 'c#' };
/** Those that need nothing but what a machine of a developer has. */
const USUAL = ['browser', 'curl', 'TypeScript', 'Python', 'Go', 'MCP', 'A2A'];

await asCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { runs: { type: 'string', default: '1' } },
  });
  const all = ['browser', ...Object.keys(COMPILED), ...Object.keys(PROGRAMS)];
  const ways = positionals.length > 0 ? positionals : USUAL;
  const unknown = ways.find((way) => !all.includes(way));
  if (unknown !== undefined) throw new CannotRun(`${unknown} is none of ${all.join(', ')}.`);
  await serveClients();
  let isGood = true;
  for (const way of ways) {
    const seconds = [];
    for (let run = 0; run < Number(values.runs); run += 1) {
      const took = await measured(way);
      isGood &&= took !== undefined;
      if (took !== undefined) seconds.push(took);
    }
    report(
      way,
      seconds.sort((a, b) => a - b),
      Number(values.runs),
    );
  }
  return isGood ? 0 : 1;
});

function report(way, seconds, runs) {
  const [least, median, most] = [0, Math.floor(seconds.length / 2), seconds.length - 1].map(
    (place) => seconds[place]?.toFixed(1) ?? '-',
  );
  process.stdout.write(
    `${way.padEnd(10)} paid ${seconds.length} of ${runs}: ${least} to ${most} s, median ${median} s\n`,
  );
  const outcome = seconds.length === runs ? 'paid' : 'failed';
  const date = new Date().toISOString().slice(0, 10);
  if (seconds.length > 0) keepRow(COLUMNS, way, [outcome, date, median]);
}

/** Seconds until the way was paid; undefined, with the reason printed, when it was not. */
async function measured(way) {
  if (way === 'browser') return inBrowser();
  const hub = await startHub();
  const folder = mkdtempSync(join(tmpdir(), 'first-hour-'));
  const began = performance.now();
  try {
    if (way in PROGRAMS) await byProgram(PROGRAMS[way], hub, folder);
    else await byPayee(COMPILED[way], hub, folder);
    return (performance.now() - began) / 1000;
  } catch (error) {
    process.stdout.write(`${way}: ${error.stack.slice(-2_000)}\n`);
    return undefined;
  } finally {
    await hub.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function byProgram({ install, file, text, run }, { url }, folder) {
  const place = { url, clock: { now: () => Date.now() } };
  await publishHello(url, REWARD);
  writeFileSync(join(folder, file), text.replaceAll('HUB', url));
  let printed = '';
  for (const line of [...install, run]) {
    printed = await output('bash', ['-ec', line.replaceAll('HUB', url)], folder);
  }
  const worker = agentWith(place, await keys.load(join(folder, 'agent.key')));
  const { wallet } = mustOk(await worker.get('/api/v1/me'));
  if (wallet.spendable !== PAID) throw new Error(`${JSON.stringify(wallet)} after ${printed}`);
}

/** One signed request at a time, by the signer of docs/sdks.md. */
async function byPayee(name, { url }, folder) {
  const { secretKey, keyId } = await generateKey();
  const env = { HUB_URL: url, HUB_SEED: Buffer.from(secretKey).toString('hex'), HUB_KEY_ID: keyId };
  const tools = {
    folder,
    at: join(root, 'conformance/kinds/sdk/generators'),
    shared: { CARGO_TARGET_DIR: join(folder, 'target') },
    run: (program, words, more = {}) => output(program, words, folder, { ...env, ...more }),
  };
  await PAYEES[name].compile(tools, { url });
  await isPaid(name, PAYEES[name], tools, { url });
}

/** The starter task on the pages, with the minute in which silence accepts. */
async function inBrowser() {
  const { install } = await import('../../web/browser/install.mjs');
  await install(() => undefined);
  const { startWorld } = await import('../../web/browser/world.mjs');
  const { openBrowser } = await import('../../web/browser/browser.mjs');
  const { earn, getsPaid } = await import('../../web/browser/firstPaidTask.mjs');
  const world = await startWorld();
  const browser = await openBrowser(world.url);
  const began = performance.now();
  try {
    const page = await browser.open();
    await earn(page, () => undefined);
    await getsPaid(page, () => undefined);
    return (performance.now() - began) / 1000;
  } catch (error) {
    process.stdout.write(`browser: ${error.stack.slice(-2_000)}\n`);
    return undefined;
  } finally {
    await browser.close();
    await world.close();
  }
}

async function output(program, words, cwd, env = {}) {
  const options = { cwd, env: { ...process.env, ...env }, timeout: STEP_MS_MAX };
  const { stdout } = await promisify(execFile)(program, words, options);
  return stdout;
}
