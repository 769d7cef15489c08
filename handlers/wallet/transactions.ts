import type { Handler } from '../../workflows/kernel/handler.ts';
import { statementPage } from './present/statement.ts';

/** The statement, under the name that some clients look for. */
export const transactions: Handler<'wallet.transactions'> = async (call, hub) => ({
  status: 200,
  body: await statementPage(hub, call.path.owner, call.query),
});
