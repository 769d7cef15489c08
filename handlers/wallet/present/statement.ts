import { statement as readPage } from '../../../db/ledger/statement.ts';
import type { Account } from '../../../domain/account.ts';
import { ASSET } from '../../../domain/network.ts';
import type { Schemas } from '../../../server/hub/answered.ts';
import type { Hub } from '../../../server/hub/hub.ts';
import { networkNamed } from '../../../workflows/wallet/network.ts';
import { presentEntry } from '../../../workflows/wallet/present.ts';
import { cutPage, envelopeOf, placeAt } from '../../page.ts';
import { UNTRUSTED_TEXTS } from '../../untrusted.ts';

/** The account's own sequence, newest first, without gaps, so no page loses an entry. */
export async function statementPage(
  hub: Hub,
  owner: Account,
  query: { readonly network?: string; readonly limit: number; readonly cursor?: string },
): Promise<Schemas['Statement']> {
  const network = networkNamed(hub, query.network, 'query.network');
  const place = { network, asset: ASSET };
  const { limit, cursor: after } = query;
  const page = { limit, ...(after !== undefined && { before: placeAt(after) }) };
  const { entries, next } = await hub.store.read((db) => readPage(db, owner, place, page));
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
