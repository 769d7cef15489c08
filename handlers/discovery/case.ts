import { readCase } from '../../db/cases/cases.ts';
import { NAMED_FROM } from '../../domain/cases/shape.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentResult } from './present/cases.ts';

/** One way of earning; whose record it is stays unsaid while few did the same. */
export const oneCase: Handler<'discovery.case'> = async (call, hub) => {
  const found = await hub.store.readOne((db) => readCase(db, call.path.id));
  if (found === undefined) {
    return refuse('not-found', {
      error: 'There is no case with this id.',
      hint: 'GET /api/v1/cases lists the cases.',
      field: 'path.id',
    });
  }
  const { id, family, networkKind, times, accounts, firstAt, lastAt, best, cut, steps } = found;
  const { account, transferId, startedAt, endedAt, result } = found.source;
  return {
    status: 200,
    body: {
      id,
      family,
      networkKind,
      times,
      accounts,
      firstAt,
      lastAt,
      best: presentResult(best),
      cut,
      steps: steps.map((step, place) => ({ n: place + 1, ...step })),
      source: {
        ...(accounts >= NAMED_FROM && { account, transferId }),
        startedAt,
        endedAt,
        result: presentResult(result),
      },
    },
  };
};
