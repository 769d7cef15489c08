import { need } from '../../db/batch/need.ts';
import { TOTALS, totalsByReason, type Totals } from '../../db/wallet/totals.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { ASSET } from '../../domain/network.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { daysBefore, presentTotals } from './present/wallet.ts';

export const summary: Handler<'wallet.summary'> = async (call, hub) => {
  const network = networkNamed(hub, call.query.network, 'query.network');
  const { owner } = call.path;
  const { days } = call.query;
  const place = { network, asset: ASSET };
  const to = hub.clock.now();
  const from = daysBefore(to, days);
  const key = { account: owner, ...place, since: from };
  const lines = await hub.store.look({
    needs: [need(TOTALS, key)],
    decide: (db) => totalsByReason(db, key),
  });
  const total = (name: Exclude<keyof Totals, 'count'>): string =>
    `${lines.reduce((sum, line) => sum + line[name], 0n)}`;
  return {
    status: 200,
    body: {
      owner,
      ...place,
      days,
      from,
      to,
      totals: {
        in: total('in'),
        out: total('out'),
        held: total('held'),
        released: total('released'),
        count: lines.reduce((sum, { count }) => sum + count, 0),
      },
      byReason: lines.map(presentTotals),
    },
  };
};
