import { offeredResults } from '../../db/tasks/attempts.ts';
import type { OfferedResult } from '../../db/tasks/attempts.ts';
import type { Task } from '../../domain/tasks/model.ts';
import type { Schemas } from '../../server/hub/answered.ts';
import type { Call } from '../../server/hub/call.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { envelopeOf, readPage } from '../page.ts';
import { readSettled } from '../../workflows/tasks/due.ts';
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
  const isOpenTo = visibleTo(call.caller, task);
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

/**
 * An undecided result is its parties' own: an outsider could offer it elsewhere, or here under
 * another name (threats.read-results). A refused one was never offered and stays its worker's. So do
 * size and digest, by which a short result is guessed.
 */
function visibleTo(
  caller: Call<'tasks.solutions'>['caller'],
  { requester }: Task,
): (offered: OfferedResult) => boolean {
  const by = caller.kind === 'signer' ? caller.account : undefined;
  return ({ attempt: { state, worker, payee } }) => {
    if (state === 'waiting') return by !== undefined && [requester, worker, payee].includes(by);
    return state !== 'refused' || by === worker;
  };
}

function presentSolution(
  { requester }: Task,
  { attempt, digest, resultText }: OfferedResult,
  isShown: boolean,
): Solution {
  const { id, taskId, worker, agentId, state, reason, endedAt } = attempt;
  return {
    id,
    taskId,
    requester,
    worker,
    agentId,
    state: solutionState(state),
    ...(isShown && resultText !== undefined && presentResult(resultText)),
    ...(isShown && { resultDigest: digest }),
    reason: isShown || state !== 'refused' ? reason : publicReason(reason),
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
