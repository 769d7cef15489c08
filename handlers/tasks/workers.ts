import { atWork, CHOSEN_FROM_MAX, workersOf } from '../../db/tasks/workerFigures.ts';
import { defined } from '../../domain/defined.ts';
import { ALL_WORK, labelled } from '../../domain/tasks/figures.ts';
import { inOrder, isWanted } from '../../domain/tasks/workerSearch.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { cutPage, envelopeOf, placeAt } from '../page.ts';
import { foundWorker, presentWorker } from './present/worker.ts';

/** Measured workers of a skill; accounts that the operator banned are in no list. */
export const workers: Handler<'tasks.workers'> = async ({ query }, hub) => {
  const { skill, sort, limit, cursor: after } = query;
  const network = networkNamed(hub, query.network, 'query.network');
  const label = skill === undefined ? ALL_WORK : labelled(skill);
  const offset = after === undefined ? 0 : placeAt(after);
  const found = await hub.store.read(async (db) => {
    const rows = await workersOf(db, { network, label, limit: CHOSEN_FROM_MAX });
    const listed = rows.filter(({ worker }) => hub.moderation.against(worker) === undefined);
    const now = await atWork(
      db,
      listed.map(({ worker }) => worker),
    );
    return listed.map((row) => foundWorker(row, now.get(row.worker)));
  });
  const wanted = inOrder(
    found.filter((each) => isWanted(each, query)),
    sort,
  );
  const { rows, shown, more } = cutPage(wanted.slice(offset), limit, presentWorker);
  return {
    status: 200,
    body: {
      ...defined({ skill }),
      network,
      ...envelopeOf({ rows, more }, limit, () => `${offset + rows.length}`),
      workers: shown,
    },
  };
};
