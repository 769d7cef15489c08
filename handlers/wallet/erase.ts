import { PERSONAL_TABLES } from '../../db/personal/tables.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { eraseAccount } from '../../workflows/personal/erase.ts';

/** Erases a bounded part of what the account may erase, and says what stays. */
export const erase: Handler<'wallet.erase'> = async ({ caller, path }, hub) => {
  const { erased, left } = await eraseAccount(hub, caller);
  const stays = PERSONAL_TABLES.flatMap(({ table, stays: why }) =>
    why === undefined ? [] : [{ table, why }],
  );
  return { status: 200, body: { owner: path.owner, erased, left, stays } };
};
