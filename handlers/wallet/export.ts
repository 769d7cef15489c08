import { personalRows, placeOf, readPlace, type PersonalRow } from '../../db/personal/rows.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { envelopeOf, jsonBytes, readPage } from '../page.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';

/** The rows of one account, table by table, in one snapshot for each page. */
export const exportAccount: Handler<'wallet.export'> = async ({ path, query, caller }, hub) => {
  const { limit, cursor: after } = query;
  const start = after === undefined ? undefined : readPlace(after);
  if (after !== undefined && start === undefined) {
    return refuse('bad-request', {
      error: 'query.cursor is not a cursor of this operation.',
      hint: 'Send the `nextCursor` of the page before, or leave `cursor` out to begin with the first page.',
      field: 'query.cursor',
    });
  }
  const page = await hub.store.read((db) =>
    readPage<PersonalRow>({
      limit,
      read: (last, count) => {
        const place = last === undefined ? start : readPlace(placeOf(last));
        return personalRows(db, caller.account, place, count);
      },
      weigh: jsonBytes,
    }),
  );
  return {
    status: 200,
    body: {
      owner: path.owner,
      ...envelopeOf(page, limit, placeOf),
      rows: page.rows.map(({ table, row }) => ({ table, row: { ...row } })),
      ...UNTRUSTED_TEXTS,
    },
  };
};
