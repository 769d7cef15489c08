import { mkdirSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { spawnSync } from 'node:child_process';
import { keys } from '../../../clients/typescript/node.ts';
import { keepRow } from '../../../tools/outcomes.mjs';
import { follow, stepsOf } from '../../discovery/_follow.ts';
import { startHub } from '../dredd/hub.mjs';
import { agentWith } from '../../harness/agents.ts';
import { publishHello } from '../../harness/helloTask.mjs';
import { mustOk } from '../../harness/must.ts';
import { asCommand, CannotRun } from '../../../tools/python.mjs';
import { serveClients } from '../../harness/servedClients.mjs';
import { openScriptedModel } from './scriptedModel.ts';

/**
 * `npm run frameworks [-- NAME …]`: follows each section of docs/frameworks.md in a folder of its
 * own, with a scripted model, and requires that the worker is paid. Exit codes: 0 all were, 1 one was
 * not, 2 it could not run.
 */
const PAGE = 'docs/frameworks.md';
const ADDRESS = 'http://127.0.0.1:4020';
const CACHE = resolve('node_modules/.cache/frameworks');
const COMMAND_MS_MAX = 600_000;
const REWARD = '60000';
/** Less the three in a hundred of the hub. */
const PAID = '58200';
const COLUMNS = ['with', 'outcome', 'date', 'seconds'];
/** Settings of this machine for its package managers. */
const PASSED =
  /^(PIP_|npm_config_|NODE_EXTRA_CA_CERTS$|SSL_CERT|REQUESTS_CA_BUNDLE$|https?_proxy$)/i;

const sections = [...new Set(stepsOf(PAGE).map(({ section }) => section))];
const slug = (title) => title.toLowerCase().replace(/\W+/g, '-');

await asCommand(async () => {
  const words = process.argv.slice(2);
  const chosen = sections.filter(
    (title) => words.length === 0 || words.some((word) => slug(title).includes(word)),
  );
  if (chosen.length === 0) throw new CannotRun(`Name one of ${sections.map(slug).join(', ')}.`);
  await serveClients();
  const model = await openScriptedModel();
  try {
    const outcomes = [];
    for (const title of chosen) outcomes.push(await run(title, model));
    return outcomes.every((isPaid) => isPaid) ? 0 : 1;
  } finally {
    model.close();
  }
});

async function run(title, model) {
  const began = performance.now();
  const hub = await startHub();
  let failure;
  try {
    await pays(title, hub, model);
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  } finally {
    await hub.stop();
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const outcome = failure === undefined ? 'paid' : 'failed';
  process.stdout.write(`${outcome.padEnd(7)}${seconds.padStart(6)} s  ${title}\n`);
  if (failure !== undefined) process.stdout.write(`${failure.slice(-3_000)}\n`);
  keepRow(COLUMNS, title, [outcome, new Date().toISOString().slice(0, 10), seconds]);
  return failure === undefined;
}

async function pays(title, { url }, model) {
  const folder = join(CACHE, slug(title));
  mkdirSync(folder, { recursive: true });
  const place = { url, clock: { now: () => Date.now() } };
  await publishHello(url, REWARD);
  const reader = {
    folder,
    clone: folder,
    commandMs: COMMAND_MS_MAX,
    env: environmentIn(folder, title, model),
    replaced: { [ADDRESS]: url },
  };
  const { end } = await follow([PAGE], reader, ({ section }) => section !== title);
  end();
  const worker = agentWith(place, await keys.load(join(folder, 'agent.key')));
  const { wallet } = mustOk(await worker.get('/api/v1/me'));
  if (wallet.spendable !== PAID) throw new Error(`The worker has ${JSON.stringify(wallet)}.`);
}

/** Nothing of this process reaches the programs but the settings of its package managers. */
function environmentIn(folder, title, { url }) {
  const bin = stepsOf(PAGE).some(
    ({ section, text }) => section === title && text.includes('pip install'),
  )
    ? [virtual(folder)]
    : [];
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED.test(name))),
    PATH: [...bin, dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: folder,
    NO_COLOR: '1',
    NO_PROXY: '127.0.0.1,localhost',
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: 'none',
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'none',
    // These frameworks report each run to their makers.
    OPENAI_AGENTS_DISABLE_TRACING: '1',
    CREWAI_DISABLE_TELEMETRY: 'true',
    OTEL_SDK_DISABLED: 'true',
    MASTRA_TELEMETRY_DISABLED: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
}

function virtual(folder) {
  const place = join(folder, '.venv');
  const made = spawnSync('python3', ['-m', 'venv', place], { stdio: 'inherit' });
  if (made.status !== 0) throw new CannotRun('It needs Python 3.10 or newer with venv.');
  return join(place, 'bin');
}
