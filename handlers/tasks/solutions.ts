import { offeredResults } from '../../db/tasks/attempts.ts';
import type { OfferedResult } from '../../db/tasks/attempts.ts';
import { isPrivate } from '../../domain/tasks/privacy.ts';
import type { Task } from '../../domain/tasks/model.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { envelopeOf, readPage } from '../page.ts';
import { readSettled } from '../../workflows/tasks/due.ts';
import { mayReadResult, readerOf, readingOf } from '../../workflows/tasks/readers.ts';
import { presentAward } from './present/shares.ts';
import { publicReason } from './present/task.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';

type Solution = Schemas['Solution'];

/** Bytes that a solution has at most beside its result. */
const SOLUTION_BYTES = 4_096;

export const solutions: Handler<'tasks.solutions'> = async (call, hub) => {
  const { id } = call.path;
  const { limit, cursor: after = '' } = call.query;
  const { task } = (await readSettled(hub, id)).aggregate;
  const reading = await hub.store.read((db) => readingOf(db, task, readerOf(call.caller)));
  const isOpenTo = ({ attempt }: OfferedResult): boolean => mayReadResult(task, attempt, reading);
  const page = await hub.store.read((db) =>
    readPage<OfferedResult>({
      limit,
      read: (last, count) => offeredResults(db, id, last?.attempt.id ?? after, count),
      weigh: (offered) =>
        SOLUTION_BYTES + (isOpenTo(offered) ? Buffer.byteLength(offered.resultText ?? '') : 0),
    }),
  );
  return {
    status: 200,
    body: {
      ...envelopeOf(page, limit, ({ attempt }) => attempt.id),
      solutions: page.rows.map((offered) => presentSolution(task, offered, isOpenTo(offered))),
      ...UNTRUSTED_TEXTS,
    },
  };
};

function presentSolution(
  task: Task,
  { attempt, digest, resultText, files }: OfferedResult,
  isShown: boolean,
): Solution {
  const { id, taskId, worker, agentId, state, reason, endedAt } = attempt;
  return {
    id,
    taskId,
    requester: task.requester,
    worker,
    agentId,
    state: solutionState(state),
    ...(isShown && resultText !== undefined && presentResult(resultText)),
    ...(isShown && { resultDigest: digest, files }),
    ...(isShown || !isPrivate(task)
      ? { reason: isShown || state !== 'refused' ? reason : publicReason(reason) }
      : {}),
    ...presentAward(attempt),
    offeredAt: attempt.deliveredAt ?? attempt.startedAt,
    decidedAt: endedAt,
  };
}

function presentResult(text: string): Pick<Solution, 'result' | 'resultBytes'> {
  return { result: JSON.parse(text) as unknown, resultBytes: Buffer.byteLength(text) };
}

function solutionState(state: OfferedResult['attempt']['state']): Solution['state'] {
  switch (state) {
    case 'waiting':
    case 'accepted':
    case 'refused':
    case 'rejected':
    case 'superseded':
      return state;
    case 'announced':
    case 'claimed':
    case 'failed':
    case 'lapsed':
      throw new Error(`an attempt that is ${state} offered no result`);
  }
}
