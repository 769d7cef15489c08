import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAgent } from '../../clients/connect/connector.ts';
import { freePort } from '../../clients/examples/freePort.ts';
import { generateKey, signer } from '../../clients/typescript/sign.ts';
import { openStore, type Store } from '../../db/store.ts';
import { agentWith, visitor, type Agent, type Answer, type Place } from '../harness/agents.ts';
import { at, mustOk } from '../harness/must.ts';
import { startProcess, type HubProcess } from '../kinds/kill/process.ts';
import { startAgent, text, type ScriptedAgent } from '../router/_agent.ts';
import { FEE, publish, type Body } from './_world.ts';

/**
 * Hubs as processes of their own over one database, and one agent with a paid tool that they host
 * twice: under one key dialled, under the other over a connection.
 */
export const PRICE = 2_000n;
const OFFERED = [
  { name: 'job', description: 'Works.', priceAtomic: `${PRICE}` },
  { name: 'free', description: 'Answers at once.' },
];
const VIAS = ['dial', 'connect'] as const;
type Via = (typeof VIAS)[number];

export interface HostedListing {
  readonly via: Via;
  readonly holder: Agent;
  readonly id: unknown;
  /** Opens the connection at a hub and keeps it, across its kills, until it is stopped. */
  connect(hub: Place): Connection;
}
interface Connection {
  /** The states that it reported: `lost` and `connected`. */
  readonly states: readonly string[];
  stop(): Promise<void>;
}

export interface KilledWorld {
  readonly place: Place;
  readonly store: Store;
  readonly agent: ScriptedAgent;
  readonly listings: readonly HostedListing[];
  /** How often the agent began the paid work of a listing. */
  worked(listing: HostedListing): number;
  /** Makes the agent's work wait until it is let go. */
  hold(): () => void;
  start(port?: number): Promise<HubProcess>;
  port(): Promise<number>;
  funded(amount: bigint): Promise<Agent>;
  close(): Promise<void>;
}

export const placeOf = (port: number): Place => {
  return { url: `http://127.0.0.1:${port}`, clock: { now: () => Date.now() } };
};

export async function openKilledWorld(
  databaseUrl: (folder: string) => Promise<string>,
): Promise<KilledWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'hub-kill-hosted-'));
  let gate: Promise<void> | undefined;
  const agent = await startAgent({
    job: async (_, reply) => {
      await gate;
      reply.result(text('done'));
    },
    free: (_, reply) => reply.result(text('free')),
  });
  agent.offer(OFFERED);
  const port = await freePort();
  const place = placeOf(port);
  const env = {
    HUB_DATABASE_URL: await databaseUrl(folder),
    HUB_DATA_DIR: folder,
    HUB_ALLOW_PRIVATE_HOSTS: agent.site.pair,
    HUB_RATE_LIMITS: 'false',
    FAUCET_ENABLED: 'true',
  };
  // Each is signed to by its own address, as if both had names.
  const start = (on = port): Promise<HubProcess> =>
    startProcess({ ...env, HUB_BASE_URL: placeOf(on).url }, on);
  const first = await start();
  const store = await openStore(env.HUB_DATABASE_URL);
  const listings: HostedListing[] = [];
  for (const via of VIAS) listings.push(await listed(place, agent, via));
  await first.kill();
  return {
    place,
    store,
    agent,
    listings,
    worked: ({ holder }) =>
      agent.calls.filter(
        ({ name, headers }) => name === 'job' && headers['hub-hosted'] === holder.keyId,
      ).length,
    hold() {
      let letGo = (): void => undefined;
      gate = new Promise((resolve) => (letGo = resolve));
      return () => {
        gate = undefined;
        letGo();
      };
    },
    start,
    port: freePort,
    funded: async (amount) => fund(place, agentWith(place, await generateKey()), amount),
    async close() {
      await store.close();
      await agent.site.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function fund(place: Place, agent: Agent, amount: bigint): Promise<Agent> {
  const body = { amount: `${amount}`, idempotencyKey: 'funds' };
  mustOk(await visitor(place).post(`/api/v1/wallet/${agent.account}/credit`, body));
  return agent;
}

async function listed(place: Place, agent: ScriptedAgent, via: Via): Promise<HostedListing> {
  const key = await generateKey();
  const holder = await fund(place, agentWith(place, key), FEE);
  const connect = ({ url }: Place): Connection => {
    const stopping = new AbortController();
    const states: string[] = [];
    const serving = connectAgent({
      hub: url,
      signer: signer(key),
      endpoint: agent.endpoint,
      signal: stopping.signal,
      onState: (state) => states.push(state),
    });
    const stop = async (): Promise<void> => {
      stopping.abort();
      await serving;
    };
    return { states, stop };
  };
  const connection = via === 'connect' ? connect(place) : undefined;
  if (connection !== undefined) await isConnected(place, holder);
  const { id } = await publish(holder, { endpoint: agent.endpoint, via, tools: OFFERED });
  await connection?.stop();
  return { via, holder, id, connect };
}

/** Marks the connection for as long as one poll does, and takes no call. */
export async function isConnected(place: Place, holder: Agent): Promise<void> {
  const path = `/api/v1/hosted/${holder.keyId}/connection`;
  mustOk(await holder.post(new URL(path, place.url).href, { wait: 0 }));
}

/** A paid call at the hub; undefined when the hub was gone before it answered. */
export function callJob(
  caller: Agent,
  { id }: HostedListing,
  idempotencyKey: string,
): Promise<Answer | undefined> {
  const wish = { operation: 'job', maxPrice: `${PRICE}`, idempotencyKey };
  const body = { caller: caller.account, agentId: id, arguments: {}, ...wish };
  return caller.post('/api/v1/call', body).catch(() => undefined);
}

export const receiptIn = (answer: Answer | undefined): Body => {
  if (answer === undefined) throw new Error('the hub did not answer');
  return mustOk(answer)['receipt'] as Body;
};

export async function moneyOf(agent: Agent): Promise<{ balance: bigint; held: bigint }> {
  const wallet = mustOk(await agent.get(`/api/v1/wallet/${agent.account}`));
  return {
    balance: BigInt(String(wallet['balance'])),
    held: BigInt(String(at(wallet, 'held', 'total'))),
  };
}

/** Lets the next hub resolve every call that a kill cut off, as if its 90 s had passed. */
export async function expireCalls(store: Store): Promise<void> {
  await store.write((tx) => tx.knex('calls').update({ resolve_at: 1 }));
}
