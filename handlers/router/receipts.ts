import { callPage } from '../../db/router/calls.ts';
import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { presentReceipt } from './present.ts';
import { UNTRUSTED_ANSWERS } from '../untrusted.ts';
import { cutPage, envelopeOf } from '../page.ts';

export const receipts: Handler<'router.receipts'> = async ({ caller, query }, hub) => {
  const network = networkNamed(hub, query.network, 'query.network');
  const { limit, cursor: after, operation, agentId } = query;
  const page = { limit, ...defined({ before: after }) };
  const found = await hub.store.read((db) =>
    callPage(db, { caller: caller.account, network, ...defined({ operation, agentId }) }, page),
  );
  const { rows, shown, more } = cutPage(found.receipts, limit, presentReceipt);
  const cut = { rows, more: more || found.next !== undefined };
  return {
    status: 200,
    body: {
      ...envelopeOf(cut, limit, ({ id }) => id),
      receipts: shown,
      ...UNTRUSTED_ANSWERS,
    },
  };
};
