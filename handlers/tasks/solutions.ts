import { offeredResults } from '../../db/tasks/attempts.ts';
import type { OfferedResult } from '../../db/tasks/attempts.ts';
import { iso } from '../../domain/instant.ts';
import type { components } from '../../generated/types.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { readPage } from '../page.ts';
import { readSettled } from '../../workflows/tasks/due.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';

type Solution = components['schemas']['Solution'];

/** What a solution has at most beside its result. */
const SOLUTION_BYTES = 4_096;

export const solutions: Handler<'tasks.solutions'> = async (call, hub) => {
  const { id } = call.path;
  const { limit, after = '' } = call.query;
  await readSettled(hub, id);
  const { page, more } = await hub.store.read((db) =>
    readPage<OfferedResult>({
      limit,
      read: (last, count) => offeredResults(db, id, last?.attempt.id ?? after, count),
      weigh: ({ resultText = '' }) => SOLUTION_BYTES + Buffer.byteLength(resultText),
    }),
  );
  const last = page.at(-1)?.attempt.id;
  return {
    status: 200,
    body: {
      count: page.length,
      solutions: page.map(presentSolution),
      limit,
      ...(more && last !== undefined && { nextAfter: last }),
      ...UNTRUSTED_TEXTS,
    },
  };
};

function presentSolution({ attempt, digest, resultText }: OfferedResult): Solution {
  const { id, taskId, worker, agentId, reason, endedAt } = attempt;
  return {
    id,
    taskId,
    worker,
    ...(agentId !== undefined && { agentId }),
    state: solutionState(attempt.state),
    ...(resultText !== undefined && { result: JSON.parse(resultText) as unknown }),
    resultDigest: digest,
    ...(reason !== undefined && { reason }),
    offeredAt: iso(attempt.deliveredAt ?? attempt.startedAt),
    ...(endedAt !== undefined && { decidedAt: iso(endedAt) }),
  };
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
