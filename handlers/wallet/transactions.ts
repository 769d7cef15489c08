import type { Handler } from '../../server/handler.ts';
import { pageOf } from './statement.ts';

/** The statement, under the name that some clients look for. */
export const transactions: Handler<'wallet.transactions'> = async (call, hub) => ({
  status: 200,
  body: await pageOf(hub, call.path.owner, call.query),
});
