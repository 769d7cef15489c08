import { modelCallPage } from '../../db/models/calls.ts';
import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { presentReceipt } from './present/model.ts';
import { cutPage, envelopeOf } from '../page.ts';

/** Returns the receipts of the caller's account, newest first; calls by its API keys included. */
export const receipts: Handler<'models.receipts'> = async ({ caller, query }, hub) => {
  const network = networkNamed(hub, query.network, 'query.network');
  const { limit, cursor: after } = query;
  const page = { limit, ...defined({ before: after }) };
  const found = await hub.store.read((db) =>
    modelCallPage(db, { payer: caller.account, network }, page),
  );
  const { rows, shown, more } = cutPage(found.receipts, limit, (each) => presentReceipt(each));
  const cut = { rows, more: more || found.next !== undefined };
  return {
    status: 200,
    body: {
      ...envelopeOf(cut, limit, ({ id }) => id),
      receipts: shown,
    },
  };
};
