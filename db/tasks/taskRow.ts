import type { AcceptanceRule } from '../../domain/acceptance/rule.ts';
import { defined } from '../../domain/defined.ts';
import { seconds } from '../../domain/instant.ts';
import { commitmentId } from '../../domain/ledger/transfer.ts';
import type { CommitmentId } from '../../domain/ledger/transfer.ts';
import { bps } from '../../domain/money.ts';
import { parseNetworkId } from '../../domain/network.ts';
import { nextDue } from '../../domain/tasks/due.ts';
import type { TaskFile } from '../../domain/tasks/files.ts';
import { acceptedAttempt, isQueued, TASK_STATES } from '../../domain/tasks/model.ts';
import type { TaskAggregate, Reward, Shares, Target, Task } from '../../domain/tasks/model.ts';
import type { Clarification, Invitation, LeaseTerms } from '../../domain/tasks/workTerms.ts';
import { parseAccount } from '../../domain/account.ts';
import type { Account } from '../../domain/account.ts';
import * as column from '../columns.ts';
import type { Cell, Row } from '../connection.ts';
import { conductOf, jsonOrNull, payoutColumn, payoutOf, texts, written } from './taskJson.ts';

export interface StoredTask {
  readonly task: Task;
  /** The open commitment that holds its reward. */
  readonly holdId?: CommitmentId;
  /** Events written so far; the next one is numbered from here. */
  readonly events: number;
}

/** Set at publication. */
export const FIXED = [
  'id',
  'requester',
  'mode',
  'verification',
  'title',
  'description',
  'required_skills',
  'tags',
  'input',
  'network',
  'hub_bps',
  'judges_bps',
  'acceptance',
  'auto_accept_seconds',
  'dispute_window_seconds',
  'target',
  'conduct',
  'max_attempts',
  'created_at',
  'payout',
  'chain_id',
  'chain_step',
  'min_reliability_bps',
  'shares',
  'chain_worker',
  'files',
  'audience',
] as const;
/** The columns that decisions change. */
export const MOVING = [
  'state',
  'deadline',
  'queued',
  'lease',
  'invited',
  'clarifications',
  'amendments',
  'reward',
  'terms_digest',
  'terms_revision',
  'attempts',
  'judges',
  'pitches',
  'comments',
  'chosen_pitch',
  'chosen_worker',
  'reserved_for',
  'reserved_until',
  'accepted_attempt',
  'accepted_worker',
  'accepted_at',
  'payout_at',
  'hold_id',
  'events',
  'due_kind',
  'due_at',
] as const;

export const WHOLE: ReadonlySet<(typeof FIXED | typeof MOVING)[number]> = new Set([
  'hub_bps',
  'judges_bps',
  'auto_accept_seconds',
  'dispute_window_seconds',
  'max_attempts',
  'deadline',
  'created_at',
  'comments',
  'queued',
  'chain_step',
  'min_reliability_bps',
  'reward',
  'terms_revision',
  'attempts',
  'pitches',
  'amendments',
  'reserved_until',
  'accepted_at',
  'payout_at',
  'events',
  'due_at',
]);

export function fixedColumns(task: Task): Record<(typeof FIXED)[number], Cell> {
  return {
    id: task.id,
    requester: task.requester,
    mode: task.mode,
    verification: task.verification,
    title: task.title,
    description: task.description,
    required_skills: JSON.stringify(task.requiredSkills),
    tags: JSON.stringify(task.tags),
    input: jsonOrNull(task.input),
    network: task.reward?.network ?? null,
    hub_bps: task.fees.hubBps,
    judges_bps: task.fees.judgesBps,
    acceptance: jsonOrNull(task.acceptance),
    auto_accept_seconds: task.windows.autoAcceptSeconds ?? null,
    dispute_window_seconds: task.windows.disputeWindowSeconds,
    target: jsonOrNull(task.target),
    conduct:
      task.conduct === undefined
        ? null
        : JSON.stringify({ ...task.conduct, maxSpendAtomic: `${task.conduct.maxSpendAtomic}` }),
    max_attempts: task.maxAttempts,
    created_at: task.createdAt,
    payout: payoutColumn(task.payout),
    chain_id: task.chain?.id ?? null,
    chain_step: task.chain?.step ?? null,
    min_reliability_bps: task.minReliabilityBps ?? null,
    shares: jsonOrNull(task.shares),
    chain_worker: task.chain?.worker ?? null,
    files: jsonOrNull(task.files),
    audience: task.audience ?? null,
  };
}

export function movingColumns(
  aggregate: TaskAggregate,
  stored: StoredTask,
): Record<(typeof MOVING)[number], Cell> {
  const { task } = aggregate;
  const due = nextDue(aggregate);
  return {
    state: task.state,
    deadline: task.deadline,
    queued: isQueued(task) ? 1 : 0,
    lease: jsonOrNull(task.lease),
    invited: jsonOrNull(task.invited),
    clarifications: jsonOrNull(task.clarifications),
    amendments: task.amendments,
    reward: task.reward === undefined ? null : task.reward.amount.toString(),
    terms_digest: task.terms.digest,
    terms_revision: task.terms.revision,
    attempts: task.attempts,
    judges: JSON.stringify(task.judges),
    pitches: task.pitches,
    comments: task.comments,
    chosen_pitch: task.chosen?.pitchId ?? null,
    chosen_worker: task.chosen?.worker ?? null,
    reserved_for: task.reserved?.for ?? null,
    reserved_until: task.reserved?.until ?? null,
    accepted_attempt: task.accepted?.attemptId ?? null,
    accepted_worker: acceptedAttempt(aggregate)?.worker ?? null,
    accepted_at: task.accepted?.at ?? null,
    payout_at: task.accepted?.payoutAt ?? null,
    hold_id: stored.holdId ?? null,
    events: stored.events,
    due_kind: due?.kind ?? null,
    due_at: due?.at ?? null,
  };
}

/** A row as the task it holds; throws on a damaged one. */
export function storedTask(row: Row): StoredTask {
  const holdId = column.textOrNull(row, 'hold_id');
  return {
    task: taskOf(row),
    ...(holdId !== null && { holdId: commitmentId(holdId) }),
    events: column.whole(row, 'events'),
  };
}

function taskOf(row: Row): Task {
  const autoAccept = column.wholeOrNull(row, 'auto_accept_seconds');
  const reward = rewardOf(row);
  const input = written<Readonly<Record<string, unknown>>>(row, 'input');
  const acceptance = written<AcceptanceRule>(row, 'acceptance');
  const target = written<Target>(row, 'target');
  const conduct = conductOf(row);
  const payout = payoutOf(row);
  const minReliabilityBps = column.wholeOrNull(row, 'min_reliability_bps');
  return {
    id: column.text(row, 'id'),
    requester: column.account(row, 'requester'),
    mode: oneOf(row, 'mode', ['open', 'exclusive']),
    state: oneOf(row, 'state', TASK_STATES),
    verification: oneOf(row, 'verification', ['automatic', 'validator', 'requester']),
    title: column.text(row, 'title'),
    description: column.text(row, 'description'),
    requiredSkills: texts(row, 'required_skills'),
    tags: texts(row, 'tags'),
    ...defined({ input, files: written<readonly TaskFile[]>(row, 'files'), reward }),
    fees: {
      hubBps: bps(column.whole(row, 'hub_bps')),
      judgesBps: bps(column.whole(row, 'judges_bps')),
    },
    ...defined({ acceptance, shares: written<Shares>(row, 'shares') }),
    ...(minReliabilityBps !== null && { minReliabilityBps }),
    ...(row['audience'] !== null && { audience: oneOf(row, 'audience', ['parties']) }),
    windows: {
      ...(autoAccept !== null && { autoAcceptSeconds: seconds(autoAccept) }),
      disputeWindowSeconds: seconds(column.whole(row, 'dispute_window_seconds')),
    },
    ...defined({ target, conduct, payout }),
    maxAttempts: column.whole(row, 'max_attempts'),
    deadline: column.time(row, 'deadline'),
    ...defined({
      lease: written<LeaseTerms>(row, 'lease'),
      invited: written<Invitation>(row, 'invited'),
      clarifications: written<readonly Clarification[]>(row, 'clarifications'),
    }),
    amendments: column.whole(row, 'amendments'),
    terms: {
      digest: column.text(row, 'terms_digest'),
      revision: column.whole(row, 'terms_revision'),
    },
    attempts: column.whole(row, 'attempts'),
    comments: column.whole(row, 'comments'),
    createdAt: column.time(row, 'created_at'),
    judges: texts(row, 'judges').map(accountOf),
    pitches: column.whole(row, 'pitches'),
    ...defined({ chain: chainOf(row) }),
    ...progressOf(row),
  };
}

function chainOf(row: Row): Task['chain'] {
  const id = column.textOrNull(row, 'chain_id');
  if (id === null) return undefined;
  const worker = row['chain_worker'] === null ? undefined : column.account(row, 'chain_worker');
  return { id, step: column.whole(row, 'chain_step'), ...defined({ worker }) };
}

function progressOf(row: Row): Pick<Task, 'chosen' | 'reserved' | 'accepted'> {
  const pitchId = column.textOrNull(row, 'chosen_pitch');
  const until = column.timeOrNull(row, 'reserved_until');
  const attemptId = column.textOrNull(row, 'accepted_attempt');
  const payoutAt = column.timeOrNull(row, 'payout_at');
  return {
    ...(pitchId !== null && { chosen: { pitchId, worker: column.account(row, 'chosen_worker') } }),
    ...(until !== null && { reserved: { for: column.account(row, 'reserved_for'), until } }),
    ...(attemptId !== null && {
      accepted: {
        attemptId,
        at: column.time(row, 'accepted_at'),
        ...(payoutAt !== null && { payoutAt }),
      },
    }),
  };
}

function rewardOf(row: Row): Reward | undefined {
  const amount = column.amountOrNull(row, 'reward');
  if (amount === null) return undefined;
  const network = parseNetworkId(column.text(row, 'network'));
  if (network === undefined) throw new Error(`task on an unknown network`);
  return { amount, asset: 'USDC', network };
}

function accountOf(name: string): Account {
  const account = parseAccount(name);
  if (account === undefined) throw new Error(`not an account: ${name.slice(0, 60)}`);
  return account;
}

function oneOf<T extends string>(row: Row, name: string, values: readonly T[]): T {
  const found = values.find((value) => value === row[name]);
  if (found === undefined) throw new Error(`column ${name} holds an unknown value`);
  return found;
}
