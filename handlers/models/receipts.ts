import { modelCallPage } from '../../db/models/calls.ts';
import { defined } from '../../domain/defined.ts';
import { instant, iso, type Instant } from '../../domain/instant.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { presentReceipt } from './present/model.ts';
import { cutPage, envelopeOf } from '../page.ts';

/** Returns the receipts of the caller's account, newest first; calls by its API keys included. */
export const receipts: Handler<'models.receipts'> = async ({ caller, query }, hub) => {
  const network = networkNamed(hub, query.network, 'query.network');
  const { limit, cursor: after, model, apiKeyHint, day } = query;
  const filters = { ...defined({ model, apiKeyHint }), ...(day !== undefined && daySpan(day)) };
  const page = { limit, ...defined({ before: after }) };
  const found = await hub.store.read((db) =>
    modelCallPage(db, { payer: caller.account, network, ...filters }, page),
  );
  const { rows, shown, more } = cutPage(found.receipts, limit, (each) => presentReceipt(each));
  const cut = { rows, more: more || found.next !== undefined };
  return {
    status: 200,
    body: {
      ...envelopeOf(cut, limit, ({ id }) => id),
      receipts: shown,
    },
  };
};

const DAY_MS = 86_400_000;

/** The moments of a UTC day. A date that no calendar has is no day of any receipt. */
function daySpan(day: string): { readonly from: Instant; readonly until: Instant } {
  const from = Date.parse(`${day}T00:00:00Z`);
  // 30 February is read as the second of March.
  if (Number.isNaN(from) || iso(instant(from)).slice(0, day.length) !== day) {
    const hint = 'Send a day of UTC such as 2026-11-20.';
    refuse('bad-request', { error: `${day} is no day of the calendar.`, hint, field: 'query.day' });
  }
  return { from: instant(from), until: instant(from + DAY_MS) };
}
