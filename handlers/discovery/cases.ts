import { listCases, type StoredCase } from '../../db/cases/cases.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentResult } from './present/cases.ts';
import { cutPage, envelopeOf, placeAt } from '../page.ts';

export const cases: Handler<'discovery.cases'> = async (call, hub) => {
  const { family, order, limit, cursor: after } = call.query;
  const offset = after === undefined ? call.query.offset : placeAt(after);
  const page = { ...(family && { family }), order, limit: limit + 1, offset };
  const found = await hub.store.read((db) => listCases(db, page));
  const { rows, shown, more } = cutPage(found, limit, summary);
  return {
    status: 200,
    body: {
      ...envelopeOf({ rows, more }, limit, () => `${offset + rows.length}`),
      cases: shown,
      offset,
    },
  };
};

function summary(found: StoredCase): Schemas['CaseSummary'] {
  const { id, family, networkKind, steps, times, accounts, firstAt, lastAt, best } = found;
  return {
    id,
    family,
    networkKind,
    stepCount: steps.length,
    operations: steps.map(({ op }) => op),
    times,
    accounts,
    firstAt,
    lastAt,
    best: presentResult(best),
  };
}
