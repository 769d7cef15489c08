// A call through the hub against a direct one: the cost of ledger, receipt and second hop.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listedSkill, probedListing } from '../../../db/registry/fixture.ts';
import { saveListing } from '../../../db/registry/listings.ts';
import { openStore } from '../../../db/store.ts';
import { atomic } from '../../../domain/money.ts';
import { hubKey, newSeed } from '../../../workflows/kernel/keys/ed25519.ts';
import { cpuMs, line, median } from '../bench/harness.mjs';
import { closeCallers, fund, newCaller, startHub } from '../bench/taskClient.ts';

const CALLS = Number(process.env['BENCH_CALLS'] ?? 300);
const ROUNDS = 3;
/** As many as the hub makes to one host at once. */
const AT_ONCE = 6;

const child = fork(new URL('routerAgent.ts', import.meta.url), { execArgv: ['--import=tsx'] });
const [reported] = (await once(child, 'message')) as [{ endpoint: string; pair: string }];
const { endpoint, pair } = reported;
const [free, paid] = ['a'.repeat(16), 'b'.repeat(16)];
const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
const database = `sqlite:${join(folder, 'hub.sqlite')}`;
await list();
const hub = await startHub(database, folder, { HUB_ALLOW_PRIVATE_HOSTS: pair });
const alice = newCaller(hub.port);
await fund(hub.port, alice, 1);
const args = { from: 'EUR', to: 'USD' };
const rpc = { jsonrpc: '2.0', id: 'call', method: 'tools/call' };
const direct = JSON.stringify({ ...rpc, params: { name: 'free', arguments: args } });
const through = (agentId: string, operation: string) => async (): Promise<void> => {
  const body = { caller: alice.account, agentId, operation, arguments: args, maxPrice: '1000' };
  const answer = await alice.post('/api/v1/call', body);
  const { outcome } = (answer['receipt'] ?? {}) as { outcome?: string };
  if (outcome !== 'served') throw new Error(JSON.stringify(answer));
};
const ways: Readonly<Record<string, () => Promise<void>>> = {
  direct: async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(endpoint, { method: 'POST', headers, body: direct });
    await answer.text();
  },
  'through the hub, free': through(free, 'free'),
  'through the hub, paid': through(paid, 'paid'),
};

interface Round {
  readonly perSecond: number;
  /** Milliseconds of the hub's processor a call. */
  readonly cpu: number;
}
const rounds = new Map<string, Round[]>();
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const [name, call] of Object.entries(ways)) {
    const before = cpuMs(hub.child.pid);
    const perSecond = await load(call);
    const cpu = (cpuMs(hub.child.pid) - before) / CALLS;
    if (round > 0) rounds.set(name, [...(rounds.get(name) ?? []), { perSecond, cpu }]);
  }
}
const figure = (name: string, of: keyof Round): number =>
  median((rounds.get(name) ?? []).map((each) => each[of]));
line(`router, calls/s at ${AT_ONCE} at once (median of ${ROUNDS} rounds of ${CALLS})`);
for (const name of Object.keys(ways)) {
  const cost = (figure('direct', 'perSecond') / figure(name, 'perSecond')).toFixed(1);
  const [perSecond, cpu] = [figure(name, 'perSecond').toFixed(0), figure(name, 'cpu').toFixed(1)];
  line(`  ${name}: ${perSecond}, ${cost} times the cost of a direct call, ${cpu} ms of processor`);
}
hub.child.kill();
child.disconnect();
closeCallers();
rmSync(folder, { recursive: true, force: true });

/** Lists a free tool of an unclaimed listing, and a priced one whose holder is paid. */
async function list(): Promise<void> {
  const store = await openStore(database);
  const price = { amount: atomic(1000n), asset: 'USDC' };
  const { origin } = new URL(endpoint);
  const listing = probedListing({ origin, endpoint });
  await store.write(async (tx) => {
    await saveListing(tx, { listing: { ...listing, id: free }, skills: [listedSkill('free')] });
    const skills = [listedSkill('paid', { access: 'paid', price })];
    await saveListing(tx, { listing: { ...listing, id: paid }, skills });
    const held = { passport_key_id: hubKey(newSeed()).keyId, verification: 'dns' };
    await tx.knex('listings').where({ id: paid }).update(held);
  });
  await store.close();
}

async function load(call: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  let left = CALLS;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return CALLS / ((performance.now() - startedAt) / 1000);
}
