// A chat completion through the hub, through two gateways and directly, each in a process.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../clients/examples/freePort.ts';
import { cpuMs, line, median } from '../bench/harness.mjs';
import { call, MODEL, startDesk, startProvider, type Way } from './modelDesk.ts';
import { closeCallers } from '../bench/taskClient.ts';

const CALLS = Number(process.env['BENCH_CALLS'] ?? 400);
const ROUNDS = 3;
const CONNECTIONS = [1, 16] as const;
const START_MS_MAX = 90_000;
const WARM_CALLS = 2_000;
const WARM_MS_MAX = 8_000;
const WARM_CONNECTIONS = 4;
const PORTKEY = 'models/node_modules/@portkey-ai/gateway/build/start-server.js';
/** The program `litellm`, where there is one. */
const LITELLM = process.argv[2];

/** Figures of one round: answers a second, the median of one, and processor time for each. */
interface Figures {
  readonly perSecond: number;
  readonly ms: number;
  readonly cpu: number;
}

const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
const children: ChildProcess[] = [];
try {
  await compare();
} finally {
  for (const child of children) child.kill();
  closeCallers();
  rmSync(folder, { recursive: true, force: true });
}

async function compare(): Promise<void> {
  const direct = await startProvider();
  children.push(direct.child);
  const own = await startDesk(folder, direct.port);
  children.push(own.child);
  const ways = new Map<string, Way>([
    ['the provider itself', direct],
    ['the hub', own],
    ['Portkey', await portkey(direct.port)],
  ]);
  if (LITELLM !== undefined) ways.set('LiteLLM', await litellm(LITELLM, direct.port));
  for (const isStream of [false, true]) {
    const answering = await thoseThatAnswer(ways, isStream);
    for (const way of answering.values()) await warm(way, isStream);
    for (const connections of CONNECTIONS) {
      const seen = new Map<string, Figures[]>();
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [name, way] of answering) {
          const figures = await load(way, connections, isStream);
          seen.set(name, [...(seen.get(name) ?? []), figures]);
        }
      }
      line(`chat completions, ${isStream ? 'streamed' : 'whole'}, ${connections} at once`);
      report(seen);
    }
  }
}

/** Portkey 1.15.2 streams nothing on Node 20: it adds to headers that fetch made unchangeable. */
async function thoseThatAnswer(
  ways: ReadonlyMap<string, Way>,
  isStream: boolean,
): Promise<ReadonlyMap<string, Way>> {
  const able = new Map<string, Way>();
  for (const [name, way] of ways) {
    const agent = new Agent();
    await call(way, agent, isStream).then(
      () => able.set(name, way),
      (error: unknown) => line(`${name} is not measured: ${String(error)}`),
    );
    agent.destroy();
  }
  if (!able.has('the hub')) throw new Error('the hub answered nothing');
  return able;
}

function report(seen: ReadonlyMap<string, readonly Figures[]>): void {
  const of = (name: string, part: keyof Figures): number =>
    median((seen.get(name) ?? []).map((figures) => figures[part]));
  for (const name of seen.keys()) {
    const added = of(name, 'ms') - of('the provider itself', 'ms');
    const [perSecond, cpu] = [of(name, 'perSecond').toFixed(0), of(name, 'cpu').toFixed(1)];
    line(`  ${name}: ${perSecond}/s, ${added.toFixed(1)} ms added, ${cpu} ms of processor`);
  }
}

async function portkey(upstream: number): Promise<Way> {
  const port = await freePort();
  const script = fileURLToPath(new URL(PORTKEY, import.meta.url));
  const child = spawn(process.execPath, [script, `--port=${port}`, '--headless'], {
    stdio: 'ignore',
  });
  children.push(child);
  const headers = {
    authorization: 'Bearer none',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `http://127.0.0.1:${upstream}/v1`,
  };
  const way = { port, model: 'small-1', headers, child, path: '/v1/chat/completions' };
  await started(way);
  return way;
}

async function litellm(program: string, upstream: number): Promise<Way> {
  const port = await freePort();
  const file = join(folder, 'litellm.json');
  const api_base = `http://127.0.0.1:${upstream}/v1`;
  const litellm_params = { model: 'openai/small-1', api_base, api_key: 'none' };
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ model_list: [{ model_name: MODEL, litellm_params }] }));
  const words = ['--config', file, '--port', String(port), '--host', '127.0.0.1'];
  const env = { ...process.env, LITELLM_MASTER_KEY: 'sk-bench' };
  const child = spawn(program, words, { env, stdio: 'ignore' });
  children.push(child);
  const headers = { authorization: 'Bearer sk-bench' };
  const way = { port, model: MODEL, headers, child, path: '/v1/chat/completions' };
  await started(way);
  return way;
}

async function started(way: Way): Promise<void> {
  const startedAt = performance.now();
  const agent = new Agent();
  for (;;) {
    try {
      await call(way, agent, false);
      return;
    } catch (error) {
      if (performance.now() - startedAt > START_MS_MAX) throw error;
    }
    await sleep(250);
  }
}

/** Warms a gateway up: its first thousand calls are not typical. */
async function warm(way: Way, isStream: boolean): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: WARM_CONNECTIONS });
  const until = performance.now() + WARM_MS_MAX;
  let left = WARM_CALLS;
  const worker = async (): Promise<void> => {
    while (left > 0 && performance.now() < until) {
      left -= 1;
      await call(way, agent, isStream);
    }
  };
  await Promise.all(Array.from({ length: WARM_CONNECTIONS }, worker));
  agent.destroy();
}

async function load(way: Way, connections: number, isStream: boolean): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const took: number[] = [];
  const cpu = cpuMs(way.child.pid);
  const startedAt = performance.now();
  let left = CALLS;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const at = performance.now();
      await call(way, agent, isStream);
      took.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  const spent = (cpuMs(way.child.pid) - cpu) / CALLS;
  return { perSecond: CALLS / seconds, ms: median(took), cpu: spent };
}
