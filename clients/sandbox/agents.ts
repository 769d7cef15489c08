import { join } from 'node:path';
import { createHub, unwrap, type GeneratedKey, type Hub } from '../typescript/index.ts';
import { keys } from '../typescript/node.ts';

/** Twelve accounts with keys in the data folder, ordinary clients of the hub, on `sandbox` alone. */
export const ROLES = [
  'requester',
  'worker',
  'judge',
  'arbiter',
  'tight',
  'loose',
  'absent',
  'counter',
  'forecast',
  'faulty',
  'slow',
  'painter',
] as const;
export type Role = (typeof ROLES)[number];
export const NETWORK = 'sandbox';

export interface ScriptedAgents {
  readonly keys: Readonly<Record<Role, GeneratedKey>>;
  readonly accounts: ReadonlySet<string>;
}

export async function openScriptedAgents(dataDir: string): Promise<ScriptedAgents> {
  const loaded = await Promise.all(
    ROLES.map(async (role) => {
      return [role, await keys.loadOrGenerate(join(dataDir, 'sandbox', `${role}.key`))] as const;
    }),
  );
  const accounts = new Set(loaded.map(([, key]) => key.account));
  return { keys: Object.fromEntries(loaded) as Record<Role, GeneratedKey>, accounts };
}

/** Where the hub is, and by whose clock a signature is made. */
export interface Connection {
  readonly baseUrl: string;
  /** Sends what was signed for the base address; the platform's `fetch` when absent. */
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly now: () => number;
}

/** One of them, with its account and the others, whose work it leaves alone. */
export interface ScriptedAgent {
  readonly hub: Hub;
  readonly account: string;
  readonly agents: ReadonlySet<string>;
}

export function scriptedAgent(
  agents: ScriptedAgents,
  role: Role,
  place: Connection,
): ScriptedAgent {
  const key = agents.keys[role];
  // A call that failed is made again by the next look, from what stands then.
  const hub = createHub({ ...place, key, retry: false, timeoutSeconds: 30 });
  return { hub, account: key.account, agents: agents.accounts };
}

const FUNDS_MIN = 1_000_000n;
const FUNDS = '10000000';

/** Takes test money when there is little of it left. */
export async function beFunded({ hub, account: owner }: ScriptedAgent): Promise<void> {
  const params = { path: { owner }, query: { network: NETWORK } };
  const wallet = unwrap(await hub.GET('/api/v1/wallet/{owner}', { params }));
  if (BigInt(wallet.spendable) >= FUNDS_MIN) return;
  const body = { amount: FUNDS, network: NETWORK };
  unwrap(await hub.POST('/api/v1/wallet/{owner}/credit', { params: { path: { owner } }, body }));
}

/** Does its work on each, and throws what went wrong first: one that fails stops no other. */
export async function onEach<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
