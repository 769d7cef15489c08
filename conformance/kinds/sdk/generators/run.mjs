import { spawn, spawnSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { base58 } from '@scure/base';
import { root, startHub } from '../../dredd/hub.mjs';
import { installDebian } from '../../../../tools/installDebian.mjs';
import { asCommand, CannotRun, environment } from '../../../../tools/python.mjs';
import { GENERATOR, GENERATORS, NOT_TO_BE_HAD } from './generators.mjs';
import { isPaid, PAYEES } from './payees.mjs';
import { prism } from './prism.mjs';
import { READERS } from './readers.mjs';
import { answered, SIGNERS } from './signers.mjs';

/**
 * `npm run sdks [name …]`: third-party generators make SDKs, which are compiled and call a hub
 * without and with a signature by their own hook; signing libraries sign theirs. Prints a table.
 * What the machine lacks is reported and fails nothing. `readers`, `generators`, `payees` and
 * `signers` name all of a kind. Exit codes: 0 all held, 1 something did not, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const cache = join(root, 'node_modules/.cache/sdks');
const STEP_MS_MAX = 20 * 60_000;

function spoken(program, words, { cwd, env = {} }) {
  return new Promise((resolve, reject) => {
    const all = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env };
    const run = spawn(program, words, { cwd, env: all, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [run.stdout, run.stderr]) stream.on('data', (text) => (output += text));
    const late = setTimeout(() => run.kill('SIGKILL'), STEP_MS_MAX);
    run.once('error', reject);
    run.once('close', (code) => {
      clearTimeout(late);
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ended with ${code}\n${output.slice(-3_000)}`));
    });
  });
}

/** The tools of npm, installed here when they are wanted, and nowhere else. */
function installNpm() {
  if (existsSync(join(here, 'node_modules/orval'))) return;
  process.stdout.write('Installing the generators and readers of npm (once)\n');
  const words = ['ci', '--no-audit', '--no-fund', '--ignore-scripts'];
  const { status } = spawnSync('npm', words, { cwd: here, stdio: 'inherit' });
  if (status !== 0) throw new CannotRun('npm ci failed; the tools need the registry once.');
}

/** openapi-generator from Maven, into Maven's own store. */
async function jar() {
  const artifact = `org.openapitools:openapi-generator-cli:${GENERATOR.jar}`;
  const file = join(cache, `openapi-generator-cli-${GENERATOR.jar}.jar`);
  if (existsSync(file)) return file;
  const copy = ['dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${cache}`];
  await spoken('mvn', ['-q', '-B', ...copy], { cwd: cache });
  return file;
}

function newKey() {
  const seed = randomBytes(32);
  const head = Buffer.from('302e020100300506032b657004220420', 'hex');
  const secret = createPrivateKey({
    key: Buffer.concat([head, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x } = createPublicKey(secret).export({ format: 'jwk' });
  return { HUB_SEED: seed.toString('hex'), HUB_KEY_ID: base58.encode(Buffer.from(x, 'base64url')) };
}

/** Returns the tools of a step: where it works and how it runs programs. */
function toolsIn(folder, env = {}) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return {
    folder,
    at: here,
    shared: { CARGO_TARGET_DIR: join(cache, 'cargo') },
    jar,
    npm: (name) => join(here, 'node_modules/.bin', name),
    python: (name) => join(environment(join(here, 'requirements.txt'), cache), name),
    make: (path) => mkdirSync(path, { recursive: true }),
    remove: (path) => rmSync(join(folder, path), { recursive: true, force: true }),
    run: (program, words, more = {}, cwd = folder) =>
      spoken(program, words, { cwd, env: { ...env, ...more } }),
  };
}

const isRootOfDebian = process.getuid?.() === 0 && existsSync('/etc/debian_version');

const folderOf = (name) => join(cache, name.replaceAll(/[ ()]+/g, '-'));

const lacks = (program) =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error !== undefined &&
  spawnSync(program, ['version'], { stdio: 'ignore' }).error !== undefined;

/** Takes a step of a row, and says there how it went. */
function stepsOf(row, tools) {
  return async (of, act) => {
    try {
      const output = await act(tools);
      row[of] = 'yes';
      return output;
    } catch (error) {
      row[of] = 'NO';
      process.stdout.write(`\n== ${row.name} ${of}\n${error.message}\n`);
      return undefined;
    }
  };
}

/** One line of the table: every step that was taken, in words. */
async function tried(name, { needs, compileNeeds = [], generate, compile, call }, hub) {
  const row = { name, generates: '-', compiles: '-', unsigned: '-', signed: '-' };
  const missing = needs.filter(lacks);
  if (missing.length > 0) return { ...row, generates: `no ${missing.join(', ')} here` };
  const tools = toolsIn(folderOf(name), { HUB_URL: hub.url, ...hub.key });
  const step = stepsOf(row, tools);
  await step('generates', generate);
  const uncompiled = compileNeeds.filter(lacks);
  if (uncompiled.length > 0) return { ...row, compiles: `no ${uncompiled.join(', ')} here` };
  if (row.generates === 'yes') await step('compiles', compile);
  if (row.compiles !== 'yes' || call === undefined) return row;
  const output = (await step('signed', call)) ?? '';
  const wanted = { unsigned: 'Agent Exchange Hub', signed: `key:${hub.key.HUB_KEY_ID}` };
  for (const [of, answer] of Object.entries(wanted)) {
    row[of] = output.includes(`${of} ${answer}`) ? 'yes' : 'NO';
  }
  if (row.unsigned === 'NO' || row.signed === 'NO')
    process.stdout.write(`\n== ${name}\n${output}\n`);
  return row;
}

/** One line of the table: whether an agent of this language is paid. */
async function paidFor(name, payee, hub) {
  const row = { name, compiles: '-', paid: '-' };
  if (isRootOfDebian) installDebian(`the signer in ${name}`, payee.debian ?? []);
  const missing = payee.needs.filter(lacks);
  if (missing.length > 0) return { ...row, compiles: `no ${missing.join(', ')} here` };
  const tools = toolsIn(folderOf(`payee ${name}`), { HUB_URL: hub.url, ...newKey() });
  const step = stepsOf(row, tools);
  await step('compiles', () => payee.compile(tools, hub));
  if (row.compiles === 'yes') await step('paid', () => isPaid(name, payee, tools, hub));
  return row;
}

async function signedBy(name, { needs, compile, call }, hub) {
  const row = { name, compiles: '-', read: '-', wrote: '-' };
  const missing = needs.filter(lacks);
  if (missing.length > 0) return { ...row, compiles: `no ${missing.join(', ')} here` };
  const key = newKey();
  const step = stepsOf(row, toolsIn(folderOf(name), { HUB_URL: hub.url, ...key }));
  await step('compiles', compile);
  if (row.compiles !== 'yes') return row;
  const output = (await step('read', call)) ?? '';
  for (const [of, held] of Object.entries(answered(output, key.HUB_KEY_ID))) {
    row[of] = held ? 'yes' : 'NO';
  }
  if (row.read === 'NO' || row.wrote === 'NO') process.stdout.write(`\n== ${name}\n${output}\n`);
  return row;
}

async function read(name, reader) {
  try {
    await reader(toolsIn(folderOf(name)));
    return { name, finds: 'nothing' };
  } catch (error) {
    process.stdout.write(`\n== ${name}\n${error.message}\n`);
    return { name, finds: 'FAULTS' };
  }
}

await asCommand(async () => {
  const asked = process.argv.slice(2);
  const wantedOf = (kind, table) =>
    Object.entries(table).filter(
      ([name]) => asked.length === 0 || asked.includes(name) || asked.includes(kind),
    );
  installNpm();
  mkdirSync(cache, { recursive: true });
  const found = [];
  for (const [name, reader] of wantedOf('readers', { ...READERS, Prism: prism }))
    found.push(await read(name, reader));
  const hub = { ...(await startHub()), key: newKey() };
  const rows = [];
  try {
    for (const [name, generator] of wantedOf('generators', GENERATORS)) {
      rows.push(await tried(name, generator, hub));
    }
    for (const [name, payee] of wantedOf('payees', PAYEES)) {
      rows.push(await paidFor(name, payee, hub));
    }
    for (const [name, signer] of wantedOf('signers', SIGNERS)) {
      rows.push(await signedBy(name, signer, hub));
    }
  } finally {
    await hub.stop();
  }
  console.table([...found, ...rows]);
  for (const [name, why] of Object.entries(NOT_TO_BE_HAD)) {
    process.stdout.write(`not tried: ${name}, ${why}\n`);
  }
  const bad = [...found, ...rows].some((row) =>
    Object.values(row).some((reported) => reported === 'NO' || reported === 'FAULTS'),
  );
  return bad || found.length + rows.length === 0 ? 1 : 0;
});
