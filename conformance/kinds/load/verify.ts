import type { components } from '../../../clients/typescript/index.ts';
import type { LoadAgent } from './agents.ts';
import { movement } from './kept.ts';

/**
 * At the end each agent asks again for all that it was answered, and compares movements both ways,
 * to the unit: one that was answered and is gone was lost, and one that is there without an answer
 * happened twice or without an order.
 */
export interface Verified {
  readonly movements: number;
  readonly tasks: number;
  readonly receipts: number;
  readonly notes: number;
  readonly proofs: number;
  readonly faults: readonly string[];
}

type Entry = components['schemas']['StatementEntry'];

/** Reasons whose every movement an agent learned in an answer, from its own side. */
const OUT = [
  ...['pay', 'memory.write', 'memory.search', 'call.charge', 'model.charge', 'bet.hold'],
  'poker.buyin',
];
const IN = ['pay', 'task.reward'];
const PAGE = 200;
/** The newest of each agent; that each was paid is compared by its movement already. */
const TASKS_MAX = 20;
/** A pulse is issued right after its minute, and a hub may have been away then. */
const PROOF_AFTER_MS = 180_000;

export async function verify(agents: readonly LoadAgent[], lanes: number): Promise<Verified> {
  const faults: string[] = [];
  const counts = { movements: 0, tasks: 0, receipts: 0, notes: 0, proofs: 0 };
  const waiting = [...agents];
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let own = waiting.pop(); own !== undefined; own = waiting.pop()) {
        const say = (what: string): void => void faults.push(`agent ${own?.number}: ${what}`);
        counts.movements += await verifyMoney(own, say);
        counts.tasks += await verifyTasks(own, say);
        counts.receipts += await verifyReceipts(own, say);
        counts.notes += await verifyNotes(own, say);
        counts.proofs += await verifyStamps(own, say);
      }
    }),
  );
  return { ...counts, faults };
}

type Say = (what: string) => void;

async function verifyMoney(own: LoadAgent, say: Say): Promise<number> {
  const { kept } = own;
  const { entries, balance: booked } = await books(own);
  let balance = 0n;
  let faucet = 0n;
  let escrows = 0;
  const seen = { out: new Map<string, bigint>(), in: new Map<string, bigint>() };
  for (const { direction, reason, amount, transferId } of entries) {
    if (direction === 'in') balance += BigInt(amount);
    if (direction === 'out') balance -= BigInt(amount);
    if (reason === 'faucet') faucet += BigInt(amount);
    if (reason === 'task.escrow' && direction === 'hold') escrows += 1;
    const value = BigInt(amount);
    if (direction === 'out' && OUT.includes(reason))
      seen.out.set(movement(reason, transferId), value);
    // A further bet gives back the hold of the position and makes a larger one.
    if (reason === 'bet.hold') {
      const name = movement(reason, transferId);
      seen.out.set(name, (seen.out.get(name) ?? 0n) + (direction === 'hold' ? value : -value));
    }
    if (direction === 'in' && IN.includes(reason)) {
      seen.in.set(movement(reason, transferId), value);
    }
  }
  compare('out', kept.out, seen.out, OUT, say);
  compare('in', kept.in, seen.in, IN, say);
  if (escrows !== kept.published) say(`${kept.published} tasks published, ${escrows} escrows`);
  if (faucet !== kept.credited) say(`${kept.credited} credited, ${faucet} arrived`);
  if (booked !== balance) say(`balance ${booked}, entries give ${balance}`);
  return seen.out.size + seen.in.size;
}

function compare(
  way: string,
  kept: ReadonlyMap<string, bigint>,
  seen: ReadonlyMap<string, bigint>,
  reasons: readonly string[],
  say: Say,
): void {
  for (const [name, amount] of kept) {
    if (!reasons.some((reason) => name.startsWith(`${reason} `))) continue;
    const found = seen.get(name);
    if (found === undefined) say(`lost: ${way} ${name} of ${amount}`);
    else if (found !== amount) say(`${way} ${name}: answered ${amount}, booked ${found}`);
  }
  for (const [name, amount] of seen) {
    if (!kept.has(name)) say(`never answered: ${way} ${name} of ${amount}`);
  }
}

/** The clock may settle a bet meanwhile: what was read counts when the balance stood still. */
async function books(
  own: LoadAgent,
): Promise<{ readonly entries: readonly Entry[]; readonly balance: bigint }> {
  for (let balance = await balanceOf(own); ;) {
    const entries = await statement(own);
    const after = await balanceOf(own);
    if (after === balance) return { entries, balance };
    balance = after;
  }
}

async function balanceOf(own: LoadAgent): Promise<bigint> {
  const params = { path: { owner: own.account } };
  const { balance } = await own.ask((hub) => hub.GET('/api/v1/wallet/{owner}', { params }));
  return BigInt(balance);
}

async function statement(own: LoadAgent): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (let after: string | undefined; ;) {
    const query = { limit: PAGE, ...(after !== undefined && { after }) };
    const params = { path: { owner: own.account }, query };
    const page = await own.ask((hub) => hub.GET('/api/v1/wallet/{owner}/statement', { params }));
    entries.push(...page.entries);
    if (page.next === undefined) return entries;
    after = page.next;
  }
}

async function verifyTasks(own: LoadAgent, say: Say): Promise<number> {
  const newest = [...own.kept.paidTasks].slice(-TASKS_MAX);
  for (const id of newest) {
    const { state } = await own.ask((hub) =>
      hub.GET('/api/v1/tasks/{id}', { params: { path: { id } } }),
    );
    if (state !== 'paid') say(`task ${id} was paid and is ${state}`);
  }
  return newest.length;
}

async function verifyReceipts(own: LoadAgent, say: Say): Promise<number> {
  const { callReceipts, modelReceipts } = own.kept;
  const calls = await idsOf((query) =>
    own.ask((hub) => hub.GET('/api/v1/call/receipts', { params: { query } })),
  );
  const models = await idsOf((query) =>
    own.ask((hub) => hub.GET('/api/v1/models/receipts', { params: { query } })),
  );
  for (const id of callReceipts) if (!calls.has(id)) say(`receipt ${id} of a call is gone`);
  for (const id of modelReceipts) if (!models.has(id)) say(`receipt ${id} of a model is gone`);
  return callReceipts.size + modelReceipts.size;
}

interface ReceiptPage {
  readonly receipts: readonly { readonly id: string }[];
  readonly next?: string;
}

async function idsOf(
  read: (query: { readonly limit: number; readonly after?: string }) => Promise<ReceiptPage>,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let after: string | undefined; ;) {
    const page = await read({ limit: PAGE, ...(after !== undefined && { after }) });
    for (const { id } of page.receipts) ids.add(id);
    if (page.next === undefined) return ids;
    after = page.next;
  }
}

async function verifyNotes(own: LoadAgent, say: Say): Promise<number> {
  const { spaceId, notes } = own.kept;
  if (spaceId === undefined) return 0;
  const params = { path: { id: spaceId } };
  const space = await own.ask((hub) => hub.GET('/api/v1/memory/spaces/{id}', { params }));
  const there = new Map(space.notes.map(({ key, content }) => [key, content]));
  for (const [key, content] of notes) {
    if (there.get(key) !== content) say(`note ${key} is not what was written last`);
  }
  if (there.size !== notes.size) say(`${notes.size} notes written, ${there.size} there`);
  return notes.size;
}

async function verifyStamps(own: LoadAgent, say: Say): Promise<number> {
  let proofs = 0;
  for (const [digest, { pulse, at }] of own.kept.stamps) {
    if (performance.now() - at < PROOF_AFTER_MS) continue;
    const params = { path: { digest }, query: { pulse } };
    const found = await own.ask((hub) => hub.GET('/api/v1/time/stamps/{digest}', { params }));
    if ('pulse' in found) proofs += 1;
    else say(`stamp ${digest} of ${pulse} has no proof yet`);
  }
  return proofs;
}
