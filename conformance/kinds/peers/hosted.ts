// A forwarded call of a hosted agent against the same call made directly; calls a second over one
// connection; an idle agent's cost. The hub, the agent and the callers have a process each.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../clients/examples/freePort.ts';
import { cpuMs, line, median, ratio, serve } from '../bench/harness.mjs';
import { idleConnections } from './hostedIdle.ts';
import { closeCallers, fund, newCaller, startHub } from '../bench/taskClient.ts';

const CALLS = Number(process.env['BENCH_CALLS'] ?? 400);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const AIM = 1.5;
/** As many as the hub makes to one host at once; a connection takes what an agent does. */
const PACES = [1, 6];

interface Listed {
  readonly id: string;
  readonly keyId: string;
  readonly address: string;
}
interface Reported {
  readonly endpoints: Readonly<Record<'bare' | 'sdk', string>>;
  readonly pairs: readonly string[];
}

const child = fork(new URL('hostedAgent.ts', import.meta.url), { execArgv: ['--import=tsx'] });
const [reported] = (await once(child, 'message')) as [Reported];
const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
const hub = await startHub(`sqlite:${join(folder, 'hub.sqlite')}`, folder, {
  HUB_ALLOW_PRIVATE_HOSTS: reported.pairs.join(','),
});
const base = `http://127.0.0.1:${hub.port}`;
child.send({ hub: base });
const [{ listed }] = (await once(child, 'message')) as [
  { listed: Record<'dialled' | 'connected' | 'dialledSdk', Listed> },
];
const bareForwarder = await forwarderTo(reported.endpoints.bare);
const sdkForwarder = await forwarderTo(reported.endpoints.sdk);
const alice = newCaller(hub.port);
await fund(hub.port, alice, 1);

const args = { from: 'EUR', to: 'USD' };
const rpcOf = (name: string): string => {
  const params = { name, arguments: args };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
};
const rpc = rpcOf('free');
const kept = new Agent({ keepAlive: true });
type Call = () => Promise<void>;

function posted(url: string, body: string): Call {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': Buffer.byteLength(body),
  };
  return () =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent: kept, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (piece: string) => (text += piece));
        answer.on('end', () => {
          if (answer.statusCode === 200 && text.includes('EUR')) resolve();
          else reject(new Error(`${url}: ${answer.statusCode} ${text}`));
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
}

const free = JSON.stringify({ tool: 'free', arguments: args });
const visit = ({ keyId }: Listed): Call => posted(`${base}/api/v1/hosted/${keyId}/call`, free);
const signed = ({ id }: Listed, operation: string): Call => {
  const body = { caller: alice.account, agentId: id, operation, arguments: args };
  return async () => {
    const answer = await alice.post('/api/v1/call', { ...body, maxPrice: '1000' });
    const { outcome } = (answer['receipt'] ?? {}) as { outcome?: string };
    if (outcome !== 'served') throw new Error(JSON.stringify(answer));
  };
};
/** Each against the direct call of the same server. */
const ways: Readonly<Record<string, { readonly call: Call; readonly against?: string }>> = {
  'direct, a bare server': { call: posted(reported.endpoints.bare, rpc) },
  'a bare forwarder': { call: posted(bareForwarder.url, rpc), against: 'direct, a bare server' },
  'dialled, free, at its MCP address': {
    call: posted(listed.dialled.address, rpc),
    against: 'direct, a bare server',
  },
  'dialled, free, hosted.call': { call: visit(listed.dialled), against: 'direct, a bare server' },
  'dialled, paid, router.call': {
    call: signed(listed.dialled, 'paid'),
    against: 'direct, a bare server',
  },
  'connected, free, hosted.call': {
    call: visit(listed.connected),
    against: 'direct, a bare server',
  },
  'connected, paid, router.call': {
    call: signed(listed.connected, 'paid'),
    against: 'direct, a bare server',
  },
  'direct, a server of the SDK': { call: posted(reported.endpoints.sdk, rpc) },
  'a bare forwarder to the SDK': {
    call: posted(sdkForwarder.url, rpc),
    against: 'direct, a server of the SDK',
  },
  'dialled, free, a server of the SDK': {
    call: posted(listed.dialledSdk.address, rpc),
    against: 'direct, a server of the SDK',
  },
  'direct, work of 20 ms': { call: posted(reported.endpoints.bare, rpcOf('slow')) },
  'dialled, free, work of 20 ms': {
    call: posted(listed.dialled.address, rpcOf('slow')),
    against: 'direct, work of 20 ms',
  },
};

try {
  for (const atOnce of PACES) await compare(atOnce);
  await overOneConnection();
  await idleConnections(hub);
} finally {
  hub.child.kill();
  child.disconnect();
  for (const { child: forwarder } of [bareForwarder, sdkForwarder]) forwarder.disconnect();
  kept.destroy();
  closeCallers();
  rmSync(folder, { recursive: true, force: true });
}

async function forwarderTo(endpoint: string): Promise<{ url: string; child: ChildProcess }> {
  const port = await freePort();
  const child = await serve('../peers/servers/forwarder.mjs', port, [endpoint]);
  return { url: `http://127.0.0.1:${port}/mcp`, child };
}

/** Interleaved rounds; milliseconds of one call are those of a worker, whatever runs beside it. */
async function compare(atOnce: number): Promise<void> {
  const times = new Map<string, number[]>();
  const costs = new Map<string, number[]>();
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, { call }] of Object.entries(ways)) {
      const before = cpuMs(hub.child.pid);
      const perCall = await load(call, atOnce);
      if (round === 0) continue;
      times.set(name, [...(times.get(name) ?? []), perCall]);
      costs.set(name, [...(costs.get(name) ?? []), (cpuMs(hub.child.pid) - before) / CALLS]);
    }
  }
  line(`calls of a hosted agent, ${atOnce} at once (medians of ${ROUNDS} rounds of ${CALLS})`);
  for (const [name, { against }] of Object.entries(ways)) {
    const time = median(times.get(name) ?? []);
    const cost = median(costs.get(name) ?? []);
    line(`  ${name}: ${time.toFixed(2)} ms, ${cost.toFixed(2)} ms of it the hub's processor`);
    if (against !== undefined) ratio('  of', time / median(times.get(against) ?? []), AIM, 'less');
  }
}

/** Milliseconds of one call. */
async function load(call: Call, atOnce: number, calls = CALLS): Promise<number> {
  const startedAt = performance.now();
  let left = calls;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return ((performance.now() - startedAt) * atOnce) / calls;
}

/** As many as one agent may have under way. */
async function overOneConnection(): Promise<void> {
  const atOnce = 16;
  for (const [name, call] of [
    ['free', visit(listed.connected)],
    ['paid', signed(listed.connected, 'paid')],
  ] as const) {
    const figures: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const perCall = await load(call, atOnce, CALLS * 2);
      if (round > 0) figures.push((1_000 * atOnce) / perCall);
    }
    line(`over one connection, ${name}, ${atOnce} at once: ${median(figures).toFixed(0)} calls/s`);
  }
}
