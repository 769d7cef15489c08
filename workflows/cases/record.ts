import { addRun } from '../../db/cases/cases.ts';
import {
  costOfRun,
  earningsIn,
  lastEarned,
  lockProgress,
  saveEarned,
  saveProgress,
  stepsOfRun,
  type EarningEntry,
} from '../../db/cases/runs.ts';
import { readSeal } from '../../db/ledger/seals.ts';
import type { Writer } from '../../db/store.ts';
import { earningOf, netOf, shapeOf, type CaseResult } from '../../domain/cases/shape.ts';
import type { Hub } from '../kernel/hub.ts';

/** Transfers of one unit; an earning in them takes eight short questions. */
const AT_ONCE_MAX = 100;
const BATCHES_MAX = 50;

/**
 * Reads the sealed part of the journal, behind which nothing commits any more, and adds each
 * earning to the shape of the run that it ends (choices discovery.runs).
 */
export async function recordCases(hub: Hub): Promise<void> {
  const sealedTo = (await hub.store.read((db) => readSeal(db, 'head')))?.seal.body.toSeq ?? 0;
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const more = await hub.store.write((tx) => recordSome(tx, sealedTo));
    if (!more) return;
  }
}

/** False when the sealed part is read to its end. */
async function recordSome(tx: Writer, sealedTo: number): Promise<boolean> {
  const after = await lockProgress(tx);
  if (after >= sealedTo) return false;
  const to = Math.min(after + AT_ONCE_MAX, sealedTo);
  for (const entry of await earningsIn(tx, { after, to })) await recordOne(tx, entry);
  await saveProgress(tx, to);
  return to < sealedTo;
}

async function recordOne(tx: Writer, entry: EarningEntry): Promise<void> {
  const { account, reason, amount, network, networkKind, task, transferId, at: endedAt } = entry;
  const span = { account, after: await lastEarned(tx, account), to: endedAt };
  const cost = await costOfRun(tx, network, span);
  const result: CaseResult = { earned: `${amount}`, cost: `${cost}`, network };
  const about = { net: netOf(result), inChain: task?.inChain ?? false };
  const earning = earningOf(reason, about);
  if (earning === undefined) return;
  const run = await stepsOfRun(tx, span, networkKind);
  const shared = task && { verification: task.verification, mode: task.mode };
  const last = { op: reason, role: earning.role, ...shared, networkKind };
  const shape = shapeOf([...run.map(({ step }) => step), last]);
  const startedAt = run[0]?.at ?? endedAt;
  const source = { account, startedAt, endedAt, transferId, result };
  await addRun(tx, shape, { family: earning.family, networkKind, source });
  await saveEarned(tx, account, endedAt);
}
