import type { AcceptanceRule } from '../../domain/acceptance/rule.ts';
import { defined } from '../../domain/defined.ts';
import type { Seconds } from '../../domain/instant.ts';
import type { CommitmentId } from '../../domain/ledger/transfer.ts';
import { atomic, type Atomic, type Bps } from '../../domain/money.ts';
import { nextDue, type DueKind } from '../../domain/tasks/due.ts';
import type { TaskFile } from '../../domain/tasks/files.ts';
import { acceptedAttempt, isQueued, TASK_STATES } from '../../domain/tasks/model.ts';
import type { BonusPayout, Conduct, Shares, Target } from '../../domain/tasks/model.ts';
import type { Task, TaskAggregate } from '../../domain/tasks/model.ts';
import type { Clarification, Invitation, LeaseTerms } from '../../domain/tasks/workTerms.ts';
import type { Account } from '../../domain/account.ts';
import * as column from '../batch/columns.ts';
import type { Column } from '../batch/columns.ts';
import { KEYS, type AnyTable, type Table } from '../batch/need.ts';
import { STAYS } from '../batch/personal.ts';
import { shaped, table, type DescribedTable, type RowIn } from '../batch/table.ts';
import { CHAINS } from '../chains/chains.ts';
import type { Row } from '../connection.ts';
import { CREDIT_LINES } from '../credit/lines.ts';
import { KARMA_TOTALS } from '../karma/karmaTables.ts';
import { COMMITMENTS } from '../ledger/ledgerTables.ts';
import { attemptCells, attemptOfCells } from './attempts.ts';

/** JSON with one amount in it, which is text there. */
function withAmount<Name extends string, T extends Readonly<Record<Name, Atomic>>>(
  name: Name,
): Column<T> {
  return column.column<T>(
    'text',
    (value) => JSON.stringify({ ...value, [name]: `${value[name]}` }),
    (cell) => {
      const stored = JSON.parse(String(cell)) as T;
      return { ...stored, [name]: atomic(BigInt(stored[name])) };
    },
  );
}

const PAYOUT = withAmount<'amount', BonusPayout>('amount');
export const payoutCell = PAYOUT.toCell;

/**
 * A column that a decision never changes is fixed. A row has no version here: a commit compares the
 * whole answer of `TASKS`, which has the attempts as well.
 */
const {
  look: _,
  guard: __,
  ...ROWS
} = table(
  'tasks',
  {
    id: column.text().key(),
    requester: column.account().fixed(),
    mode: column.oneOf(['open', 'exclusive']).fixed(),
    verification: column.oneOf(['automatic', 'validator', 'requester']).fixed(),
    title: column.text().fixed(),
    description: column.text().fixed(),
    requiredSkills: column.json<readonly string[]>().fixed(),
    tags: column.json<readonly string[]>().fixed(),
    input: column.json<Readonly<Record<string, unknown>>>().fixed().optional(),
    network: column.network().fixed().optional(),
    hubBps: column.integer<Bps>().fixed(),
    judgesBps: column.integer<Bps>().fixed(),
    acceptance: column.json<AcceptanceRule>().fixed().optional(),
    autoAcceptSeconds: column.integer<Seconds>().fixed().optional(),
    disputeWindowSeconds: column.integer<Seconds>().fixed(),
    target: column.json<Target>().fixed().optional(),
    conduct: withAmount<'maxSpendAtomic', Conduct>('maxSpendAtomic').fixed().optional(),
    maxAttempts: column.integer().fixed(),
    createdAt: column.moment().fixed(),
    payout: PAYOUT.fixed().optional(),
    chainId: column.text().fixed().optional(),
    chainStep: column.integer().fixed().optional(),
    chainWorker: column.account().fixed().optional(),
    minReliabilityBps: column.integer().fixed().optional(),
    shares: column.json<Shares>().fixed().optional(),
    files: column.json<readonly TaskFile[]>().fixed().optional(),
    audience: column.oneOf(['parties']).fixed().optional(),
    state: column.oneOf(TASK_STATES),
    deadline: column.moment(),
    queued: column.flag(),
    lease: column.json<LeaseTerms>().optional(),
    invited: column.json<Invitation>().optional(),
    clarifications: column.json<readonly Clarification[]>().optional(),
    amendments: column.integer(),
    reward: column.amount().optional(),
    termsDigest: column.text(),
    termsRevision: column.integer(),
    attempts: column.integer(),
    judges: column.json<readonly Account[]>(),
    pitches: column.integer(),
    comments: column.integer(),
    chosenPitch: column.text().optional(),
    chosenWorker: column.account().optional(),
    reservedFor: column.account().optional(),
    reservedUntil: column.moment().optional(),
    acceptedAttempt: column.text().optional(),
    acceptedWorker: column.account().optional(),
    acceptedAt: column.moment().optional(),
    payoutAt: column.moment().optional(),
    holdId: column.text<CommitmentId>().optional(),
    events: column.integer().guard(),
    dueKind: column.text<DueKind>().optional(),
    dueAt: column.moment().optional(),
  },
  {
    lock: 'first',
    personal: { owner: 'requester', order: ['id'], stays: STAYS.paid },
    after: [COMMITMENTS, CHAINS, CREDIT_LINES, KARMA_TOTALS],
  },
);
type TaskRow = RowIn<typeof ROWS>;

export interface StoredTask {
  readonly task: Task;
  /** The open commitment that holds its reward. */
  readonly holdId?: CommitmentId;
  /** Events written so far; the next one is numbered from here. */
  readonly events: number;
}

/** The tables of tasks, and the one way in which they are written. */
export interface KnownTask extends Omit<StoredTask, 'task'> {
  /** As it is found without its dispute, which none but a disputed one needs. */
  readonly aggregate: TaskAggregate;
}

/** A row as the task it holds; throws on a damaged one. */
export function storedTask(row: Row): StoredTask {
  return storedOf(ROWS.fromRow(row));
}

/** Names only what the task has under another name or shape than its column. */
function storedOf(row: TaskRow): StoredTask {
  const { hubBps, judgesBps, autoAcceptSeconds, disputeWindowSeconds, ...unpaid } = row;
  const { termsDigest: digest, termsRevision: revision, ...plain } = unpaid;
  const { network, reward: amount, chainId, chainStep, chainWorker: worker, ...own } = plain;
  const { chosenPitch, chosenWorker, reservedFor, reservedUntil, ...moving } = own;
  const { acceptedAttempt, acceptedAt, payoutAt, acceptedWorker: _, ...rest } = moving;
  const { holdId, events, queued: __, dueKind: ___, dueAt: ____, ...task } = rest;
  return {
    task: {
      ...task,
      fees: { hubBps, judgesBps },
      windows: { ...defined({ autoAcceptSeconds }), disputeWindowSeconds },
      terms: { digest, revision },
      ...(amount !== undefined &&
        network !== undefined && { reward: { amount, asset: 'USDC', network } }),
      ...(chainId !== undefined &&
        chainStep !== undefined && {
          chain: { id: chainId, step: chainStep, ...defined({ worker }) },
        }),
      ...(chosenPitch !== undefined &&
        chosenWorker !== undefined && {
          chosen: { pitchId: chosenPitch, worker: chosenWorker },
        }),
      ...(reservedFor !== undefined &&
        reservedUntil !== undefined && {
          reserved: { for: reservedFor, until: reservedUntil },
        }),
      ...(acceptedAttempt !== undefined &&
        acceptedAt !== undefined && {
          accepted: { attemptId: acceptedAttempt, at: acceptedAt, ...defined({ payoutAt }) },
        }),
    },
    ...defined({ holdId }),
    events,
  };
}

function rowOf({ aggregate, holdId, events }: KnownTask): TaskRow {
  const { fees, windows, terms, reward, chain, chosen, reserved, accepted, ...task } =
    aggregate.task;
  const due = nextDue(aggregate);
  return {
    ...task,
    ...fees,
    ...windows,
    events,
    termsDigest: terms.digest,
    termsRevision: terms.revision,
    queued: isQueued(aggregate.task),
    ...defined({
      holdId,
      network: reward?.network,
      reward: reward?.amount,
      chainId: chain?.id,
      chainStep: chain?.step,
      chainWorker: chain?.worker,
      chosenPitch: chosen?.pitchId,
      chosenWorker: chosen?.worker,
      reservedFor: reserved?.for,
      reservedUntil: reserved?.until,
      acceptedAttempt: accepted?.attemptId,
      acceptedWorker: acceptedAttempt(aggregate)?.worker,
      acceptedAt: accepted?.at,
      payoutAt: accepted?.payoutAt,
      dueKind: due?.kind,
      dueAt: due?.at,
    }),
  };
}

const taskCells = ROWS.columns.map((name) => `t.${name}`).join(', ');
const liveCells = attemptCells('a');
/** Claimed, waiting, and the accepted one. */
const LIVE = `FROM attempts a
  WHERE a.task_id = t.id AND (a.state IN ('claimed', 'waiting') OR a.id = t.accepted_attempt)`;
const postgresCells = `${taskCells},
        (SELECT json_agg(json_build_array(${liveCells})) ${LIVE})`;
const readOnSqlite = `SELECT json_group_array(json_array(${taskCells},
        json((SELECT json_group_array(json_array(${liveCells})) ${LIVE}))))
      FROM json_each(?) k CROSS JOIN tasks t ON t.id = k.value ->> 0`;

export const TASKS: DescribedTable<string, KnownTask> = {
  ...shaped(ROWS, {
    of(row): KnownTask {
      const { task, ...more } = storedOf(row);
      return { ...more, aggregate: { task, live: [] } };
    },
    flat: rowOf,
  }),
  read: {
    sqlite: readOnSqlite,
    postgres: `SELECT json_agg(json_build_array(${postgresCells}))::text
      FROM ${KEYS} JOIN tasks t ON t.id = k.value ->> 0`,
  },
  found(cells) {
    const { task, ...more } = storedOf(
      ROWS.fromRow(Object.fromEntries(ROWS.columns.map((name, at) => [name, cells[at]]))),
    );
    const attempts = (cells[ROWS.columns.length] ?? []) as readonly (readonly unknown[])[];
    const live = attempts.map(attemptOfCells);
    return [task.id, { ...more, aggregate: { task, live } }];
  },
};

const { lock: ___, personal: ____, ...unlocked } = TASKS;
/**
 * Tasks for callers that prefer another task to a wait. On PostgreSQL they do not find a task that
 * another transaction has locked, or that changed between the read and its lock.
 */
export const CLAIMABLE: Table<string, KnownTask> = {
  ...unlocked,
  name: 'claimable',
  of: TASKS as AnyTable,
  read: {
    sqlite: readOnSqlite,
    postgres: `SELECT json_agg(json_build_array(${postgresCells}))::text
      FROM (SELECT * FROM tasks
             WHERE id IN (SELECT k.value ->> 0 FROM ${KEYS})
             ORDER BY id FOR UPDATE SKIP LOCKED) AS t
      JOIN tasks AS seen ON seen.id = t.id AND seen.events = t.events`,
  },
  look: `SELECT json_agg(json_build_array(${postgresCells}))::text
    FROM (SELECT * FROM tasks WHERE id IN (SELECT k.value ->> 0 FROM ${KEYS}) ORDER BY id) AS t`,
};
