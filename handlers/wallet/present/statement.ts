import {
  searchStatement,
  statement as readPage,
  type StatementFilter,
} from '../../../db/ledger/statement.ts';
import type { Account } from '../../../domain/account.ts';
import { defined } from '../../../domain/defined.ts';
import { ASSET } from '../../../domain/network.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import type { Call } from '../../../workflows/kernel/call.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import { networkNamed } from '../../../workflows/wallet/network.ts';
import { presentEntry } from '../../../workflows/wallet/present.ts';
import { cutPage, envelopeOf, placeAt } from '../../page.ts';
import { spanOf } from '../../span.ts';
import { UNTRUSTED_TEXTS } from '../../untrusted.ts';

/** The account's own sequence, newest first, without gaps, so no page loses an entry. */
export async function statementPage(
  hub: Hub,
  owner: Account,
  query: Call<'wallet.statement'>['query'],
): Promise<Schemas['Statement']> {
  const network = networkNamed(hub, query.network, 'query.network');
  const place = { network, asset: ASSET };
  const { limit, cursor: after } = query;
  const page = { limit, ...(after !== undefined && { before: placeAt(after) }) };
  const filter = filterOf(query);
  const { entries, next } = await hub.store.read((db) =>
    Object.keys(filter).length === 0
      ? readPage(db, owner, place, page)
      : searchStatement(db, owner, place, { ...page, filter }),
  );
  const { rows, shown, more } = cutPage(entries, limit, presentEntry);
  const cut = { rows, more: more || next !== undefined };
  return {
    owner,
    ...place,
    ...envelopeOf(cut, limit, ({ seq }) => `${seq}`),
    entries: shown,
    ...UNTRUSTED_TEXTS,
  };
}

function filterOf(query: Call<'wallet.statement'>['query']): StatementFilter {
  const { reason, counterparty, from, to, minAmount, memo, task } = query;
  return defined({ reason, counterparty, ...spanOf({ from, to }), minAmount, memo, task });
}
