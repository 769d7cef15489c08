import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../harness/postgres.ts';
import { post, readsOf } from '../../../db/ledger/post.ts';
import { openStore } from '../../../db/store.ts';
import type { Account } from '../../../domain/account.ts';
import { instant } from '../../../domain/instant.ts';
import { atomic } from '../../../domain/money.ts';
import { median } from './harness.mjs';
import { fund, nextId, people, PLACE, throughput } from './ledgerBook.ts';

/**
 * `tsx conformance/kinds/bench/processes.ts`: payments a second through one, two and three processes
 * on one durable PostgreSQL, from accounts of another process to new receivers.
 */
const COUNT = 2_000;
const WIDTH = 32;
const ROUNDS = 3;
const PROCESSES = [1, 2, 3] as const;
const FRESH = 100_000;

interface Order {
  readonly payers: readonly Account[];
  readonly payees: readonly Account[];
}

if (process.send === undefined) await lead();
else await follow(process.argv[2] ?? '');

/** Runs in each process: pays from every payer to the payee of the same place. */
async function follow(url: string): Promise<void> {
  const store = await openStore(url);
  process.on('message', (order: Order) => void pay(order));
  const pay = async ({ payers, payees }: Order): Promise<void> => {
    await throughput(payees, WIDTH, async (to) => {
      const from = payers[Math.floor(Math.random() * payers.length)];
      if (from === undefined || from === to) return;
      const steps = [{ verb: 'move', from, to, amount: atomic(1n), reason: 'pay' }] as const;
      const ref = { kind: 'bench', id: '1' };
      const about = { ...PLACE, at: instant(1_800_000_000_000), ref, actor: from } as const;
      const transfer = { id: nextId(), ...about, event: 'wallet.pay', steps };
      const needs = readsOf(store.dialect, transfer);
      await store.decide({ needs, decide: (db) => post(db, transfer) });
    });
    process.send?.('done');
  };
  process.send?.('ready');
}

async function lead(): Promise<void> {
  const server = await startPostgres(true);
  const url = await server.freshDatabase();
  const store = await openStore(url);
  const payers = people();
  await fund(store, payers);
  await store.close();
  const children = await Promise.all(
    Array.from({ length: Math.max(...PROCESSES) }, async () => {
      const child = fork(fileURLToPath(import.meta.url), [url], { execArgv: process.execArgv });
      await once(child, 'message');
      return child;
    }),
  );
  const fresh = [...people(FRESH)];
  const known = (): readonly Account[] => [...payers, ...payers].slice(0, COUNT);
  const kinds: readonly (readonly [string, () => readonly Account[]])[] = [
    ['accounts funded by another process', known],
    ['receivers never paid before', () => fresh.splice(0, COUNT)],
  ];
  for (const [what, payees] of kinds) {
    const rates = PROCESSES.map((): number[] => []);
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [at, count] of PROCESSES.entries()) {
        const rate = await rateOf(children.slice(0, count), payers, payees());
        if (round > 0) rates[at]?.push(rate);
      }
    }
    const [alone = 1] = rates.map(median);
    console.log(what);
    for (const [at, count] of PROCESSES.entries()) {
      const rate = median(rates[at] ?? []);
      console.log(
        `  ${count} processes ${rate.toFixed(0).padStart(6)}/s  x${(rate / alone).toFixed(2)}`,
      );
    }
  }
  for (const child of children) child.kill();
  await server.stop();
  process.exit();
}

async function rateOf(
  children: readonly ChildProcess[],
  payers: readonly Account[],
  payees: readonly Account[],
): Promise<number> {
  const share = Math.ceil(payees.length / children.length);
  const began = performance.now();
  await Promise.all(
    children.map(async (child, nth) => {
      const done = once(child, 'message');
      child.send({ payers, payees: payees.slice(nth * share, (nth + 1) * share) });
      await done;
    }),
  );
  return (payees.length * 1000) / (performance.now() - began);
}
