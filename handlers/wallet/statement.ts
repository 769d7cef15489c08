import type { Handler } from '../../workflows/kernel/handler.ts';
import { statementPage } from './present/statement.ts';

/** Newest first. The account's own numbers have no gaps, so no page loses an entry. */
export const statement: Handler<'wallet.statement'> = async (call, hub) => ({
  status: 200,
  body: await statementPage(hub, call.path.owner, call.query),
});
