import { statement as readPage, type StatementEntry } from '../../../db/ledger/statement.ts';
import type { Account } from '../../../domain/account.ts';
import { defined } from '../../../domain/defined.ts';
import { iso } from '../../../domain/instant.ts';
import { ASSET } from '../../../domain/network.ts';
import type { components } from '../../../generated/types.ts';
import type { Hub } from '../../../server/hub/hub.ts';
import { networkNamed } from '../../../workflows/wallet/network.ts';
import { cutPage } from '../../page.ts';

type Schemas = components['schemas'];

/**
 * The account's own sequence, newest first; its numbers have no gaps, so no page loses an entry.
 */
export async function statementPage(
  hub: Hub,
  owner: Account,
  query: { readonly network?: string; readonly limit: number; readonly before?: number },
): Promise<Schemas['Statement']> {
  const network = networkNamed(hub, query.network, 'query.network');
  const place = { network, asset: ASSET };
  const { limit, before } = query;
  const page = { limit, ...defined({ before }) };
  const { entries, next } = await hub.store.read((db) => readPage(db, owner, place, page));
  const { shown, more } = cutPage(entries, limit, presentEntry);
  const nextBefore = more ? shown.at(-1)?.seq : next;
  return {
    owner,
    ...place,
    count: shown.length,
    limit,
    ...defined({ nextBefore }),
    entries: shown,
  };
}

export function presentEntry(entry: StatementEntry): Schemas['StatementEntry'] {
  const { seq, direction, reason, counterparty, ref, memo, transferId } = entry;
  return {
    seq,
    at: iso(entry.at),
    direction,
    reason,
    amount: `${entry.amount}`,
    balanceAfter: `${entry.balanceAfter}`,
    heldAfter: `${entry.heldAfter}`,
    spendableAfter: `${entry.spendableAfter}`,
    ...defined({ counterparty }),
    ref,
    ...defined({ memo }),
    transferId,
  };
}
