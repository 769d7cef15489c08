import { modelCallPage } from '../../db/models/calls.ts';
import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { presentReceipt } from './present/model.ts';
import { cutPage } from '../page.ts';

/** What the caller's account paid for models, newest first; calls by its API keys included. */
export const receipts: Handler<'models.receipts'> = async ({ caller, query }, hub) => {
  const network = networkNamed(hub, query.network, 'query.network');
  const { limit, before } = query;
  const page = { limit, ...defined({ before }) };
  const found = await hub.store.read((db) =>
    modelCallPage(db, { payer: caller.account, network }, page),
  );
  const { shown, more } = cutPage(found.receipts, limit, (each) => presentReceipt(each));
  const next = more ? shown.at(-1)?.id : found.next;
  return {
    status: 200,
    body: {
      count: shown.length,
      limit,
      ...defined({ nextBefore: next }),
      receipts: shown,
    },
  };
};
