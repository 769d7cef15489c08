import { callPage } from '../../db/router/calls.ts';
import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { presentReceipt } from './present.ts';
import { UNTRUSTED_ANSWERS } from '../untrusted.ts';
import { cutPage } from '../page.ts';

/** The caller's own calls, newest first. */
export const receipts: Handler<'router.receipts'> = async ({ caller, query }, hub) => {
  const network = networkNamed(hub, query.network, 'query.network');
  const { limit, before } = query;
  const page = { limit, ...defined({ before }) };
  const found = await hub.store.read((db) =>
    callPage(db, { caller: caller.account, network }, page),
  );
  const { shown, more } = cutPage(found.receipts, limit, presentReceipt);
  const next = more ? shown.at(-1)?.id : found.next;
  return {
    status: 200,
    body: {
      count: shown.length,
      receipts: shown,
      limit,
      ...defined({ nextBefore: next }),
      ...UNTRUSTED_ANSWERS,
    },
  };
};
