import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, root } from '../../kinds/dredd/hub.mjs';
import { asCommand } from '../../../tools/python.mjs';
import { install } from './install.mjs';

/**
 * `npm run models:local`: a small language model and a hub that sells its answers; `--check` runs
 * the suite that buys. Exit codes: 0 all held, 1 something did not, 2 it could not run.
 */
await asCommand(async () => {
  const { script, model } = install();
  const port = await freePort();
  const server = fork(script, [model, String(port)]);
  await once(server, 'message');
  const folder = mkdtempSync(join(tmpdir(), 'hub-local-model-'));
  try {
    const isCheck = process.argv.includes('--check');
    const pair = `127.0.0.1:${port}`;
    const file = join(folder, 'upstreams.json');
    writeFileSync(file, JSON.stringify({ providers: [provider(pair)] }));
    const env = { HUB_MODEL_UPSTREAMS: file, HUB_ALLOW_PRIVATE_HOSTS: pair };
    return await ended(isCheck ? suite(env) : hub(env));
  } finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** As an operator writes it; a million tokens in and out cost 1 and 4 dollars. */
function provider(pair) {
  const model = {
    id: 'local/smollm2',
    upstreamId: 'smollm2-135m-instruct',
    input: '1',
    output: '4',
    contextLength: 2048,
    maxAnswerTokens: 512,
    rewrites: true,
  };
  return { name: 'beside', baseUrl: `http://${pair}/v1`, backend: 'local', models: [model] };
}

function suite(env) {
  return start(['node_modules/mocha/bin/mocha.js', 'conformance/models/local/suite.ts'], env);
}

function hub(env) {
  process.stdout
    .write(`A model of 135 million parameters, for sale as local/smollm2. In another terminal:
  npm run hub -- init
  npm run hub -- api wallet.credit --amount 1000000
  npm run hub -- api models.chat --model local/smollm2 --max_tokens 40 --messages '[{"role":"user","content":"Where is Paris?"}]'

`);
  return start(['--env-file=tools/env/sandbox.env', 'dist/server/main.js'], env);
}

function start(words, env) {
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  // Both get Ctrl-C; the child ends by itself, and this one after it.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return child;
}

async function ended(child) {
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
