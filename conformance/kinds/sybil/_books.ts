import { karmaFigures, type KarmaFigures } from '../../../db/karma/figures.ts';
import { post } from '../../../db/ledger/post.ts';
import type { Decider } from '../../../db/batch/transaction.ts';
import { houseAccount, type Account } from '../../../domain/account.ts';
import type { KarmaReason } from '../../../domain/karma.ts';
import { RETURN_WINDOW_MS } from '../../../domain/karmaFigures.ts';
import { transferId } from '../../../domain/ledger/transfer.ts';
import { atomic } from '../../../domain/money.ts';
import type { Reason } from '../../../domain/ledger/reasons.ts';
import { recordCauses } from '../../../workflows/karma/record.ts';
import type { Writer } from '../../../db/store.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { accountOf, deposit, earn } from '../../services/_lend.ts';

/**
 * The books of a hub in which rings work. Entries of the ledger and of karma are written by the
 * hub's own functions and measured by its own job; only the tasks behind them are copies of one.
 */
const NETWORK = 'base';
const FEES = houseAccount('hub:fees');
/** Transactions that wait together, so that they share batches. */
const AT_ONCE = 64;
const HOUR_SECONDS = 3_600;
/** Rows of one INSERT: SQLite bounds the values of a statement. */
const ROWS_AT_ONCE = 200;

export interface Deal {
  readonly requester: Account;
  readonly worker: Account;
  /** In atomic units; 0 for work without money. */
  readonly reward: number;
  readonly fee: number;
}
export interface Move {
  readonly from: Account;
  readonly to: Account;
  readonly amount: number;
  readonly reason: Reason;
}
export interface Books {
  /** Gives accounts real money from outside. */
  fund(accounts: readonly Account[], amount: number): Promise<void>;
  /** Accepted work, paid in the order of the list. */
  work(deals: readonly Deal[]): Promise<void>;
  move(moves: readonly Move[]): Promise<void>;
  /** Measures some of the accounts alone: a ring has more than the job measures in a minute. */
  measure(subjects: readonly Account[], all: readonly Account[]): Promise<readonly KarmaFigures[]>;
  close(): Promise<void>;
}

export async function openBooks(): Promise<Books> {
  const world = await openFixture();
  const template = await templateOf(world);
  const { hub } = world.hub.running;
  const inOrder = async <T>(
    items: readonly T[],
    decide: (db: Decider, item: T) => void,
  ): Promise<void> => {
    for (let from = 0; from < items.length; from += AT_ONCE) {
      // Gains of one day are counted at each gain.
      world.hub.clock.advance(HOUR_SECONDS);
      const some = items.slice(from, from + AT_ONCE);
      await Promise.all(
        some.map((item) => hub.store.decide({ needs: [], decide: (db) => decide(db, item) })),
      );
    }
  };
  const moveAll = (db: Decider, moves: readonly Move[]): void => {
    const id = transferId(db.newId(hub.ids));
    const steps = moves
      .filter(({ amount }) => amount > 0)
      .map(
        ({ amount, ...each }) =>
          ({ verb: 'move', ...each, amount: atomic(BigInt(amount)) }) as const,
      );
    const ref = { kind: 'transfer', id } as const;
    const about = {
      id,
      at: hub.clock.now(),
      network: NETWORK,
      asset: 'USDC',
      event: 'test',
      ref,
    } as const;
    if ('refused' in post(db, { ...about, actor: 'hub', steps }))
      throw new Error('not enough money');
  };
  return {
    async fund(accounts, amount) {
      if (amount === 0) return;
      for (const account of accounts) await deposit(world, account, BigInt(amount));
    },
    async work(deals) {
      const tasks = deals.map((deal) => ({ deal, id: hub.ids.uuid() }));
      const rows = tasks.map(({ deal, id }) => taskOf(template, deal, id));
      await hub.store.write((tx) => insert(tx, 'tasks', rows));
      await inOrder(tasks, (db, { deal, id }) => {
        const { requester, worker, reward, fee } = deal;
        if (reward > 0) {
          moveAll(db, [
            { from: requester, to: worker, amount: reward - fee, reason: 'task.reward' },
            { from: requester, to: FEES, amount: fee, reason: 'task.fee.hub' },
          ]);
        }
        const ref = { kind: 'task', id } as const;
        const cause = (reason: KarmaReason, subject: Account, counterparty: Account) =>
          ({ subject, reason, ref, occasion: id, counterparty }) as const;
        const causes = [
          cause('task.paid.worker', worker, requester),
          cause('task.paid.requester', requester, worker),
        ];
        const network = reward > 0 ? NETWORK : undefined;
        recordCauses(db, hub, causes, { at: hub.clock.now(), network });
      });
    },
    move: (moves) => inOrder(moves, (db, each) => moveAll(db, [each])),
    async measure(subjects, all) {
      const others = all.filter((account) => !subjects.includes(account));
      await passOver(world, others);
      const read = () =>
        hub.store.read((db) => Promise.all(subjects.map((subject) => karmaFigures(db, subject))));
      for (;;) {
        const found = (await read()).filter((each) => each !== undefined);
        if (found.length === subjects.length) return found;
        await world.hub.runJob('karmaMeasures');
      }
    },
    close: () => world.hub.close(),
  };
}

type TaskRow = Readonly<Record<string, string | number | null>>;

/** A task that was done and paid over the wire. */
async function templateOf(world: Fixture): Promise<TaskRow> {
  const { alice, bob } = world;
  await deposit(world, accountOf(alice), 5_000_000n);
  await earn(alice, bob, { network: NETWORK });
  return world.hub.running.hub.store.read(
    async ({ knex }) =>
      (await knex('tasks').where({ requester: alice.account }).first()) as TaskRow,
  );
}

function taskOf(template: TaskRow, { requester, reward }: Deal, id: string): TaskRow {
  const paid = reward > 0 ? { reward, network: NETWORK } : { reward: null, network: null };
  return { ...template, id, requester, ...paid };
}

async function insert(
  { knex }: Writer,
  table: string,
  rows: readonly Readonly<Record<string, string | number | null>>[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await knex(table).insert(rows.slice(from, from + ROWS_AT_ONCE));
  }
}

/** Marks accounts as measured, and as late as no gain of these books comes. */
async function passOver(world: Fixture, accounts: readonly Account[]): Promise<void> {
  const at = world.hub.clock.now() + RETURN_WINDOW_MS;
  await world.hub.running.hub.store.write(async (tx) => {
    const totals = (await tx.knex('karma_totals').select('subject', 'total')) as {
      subject: string;
      total: number;
    }[];
    const named = new Set<string>(accounts);
    const rows = totals
      .filter(({ subject }) => named.has(subject))
      .map(({ subject, total }) => ({
        subject,
        recorded: total,
        discounted: total,
        unmeasured: 0,
        losses: '{}',
        settled: '{}',
        settled_until: 0,
        at,
      }));
    await insert(tx, 'karma_figures', rows);
  });
}
