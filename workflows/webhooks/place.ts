import type { Reader } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { EVENTS_NOW, parseCursor, type EventCursor } from '../../domain/eventCursor.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { isOwn } from '../hosted/given.ts';
import { cursorOfNow } from '../wallet/events.ts';

/** The address of a webhook as it is stored; one that could never be dialled is refused. */
export function addressGiven(hub: Hub, url: string): string {
  const field = 'body.url';
  const verdict = hub.outbound.judge(url);
  const hint =
    'Send an https address that the public internet reaches, without user name, password or fragment.';
  if (!verdict.ok) return refuse('endpoint-refused', { error: verdict.message, hint, field });
  if (url.includes('#')) {
    return refuse('endpoint-refused', { error: 'The address has a fragment.', hint, field });
  }
  if (isOwn(hub, verdict.target.url)) {
    const error = 'The address is one of this hub, which takes no messages of its own.';
    return refuse('endpoint-refused', { error, hint, field });
  }
  return verdict.target.url;
}

/** The caller's cursor, but not ahead of the events: the webhook would be silent until then. */
export async function cursorGiven(
  db: Reader,
  account: Account,
  after: string = EVENTS_NOW,
): Promise<EventCursor> {
  const now = await cursorOfNow(db, account);
  if (after === EVENTS_NOW) return now;
  const given = parseCursor(after);
  if (given === undefined) {
    return refuse('bad-request', {
      error: 'body.after is no cursor of events.',
      hint: 'Send the `next` of `GET /api/v1/me/events` as it is, `0` or `now`.',
      field: 'body.after',
    });
  }
  const money = [...now.money].flatMap(([network, seq]) => {
    const from = Math.min(given.money.get(network) ?? 0, seq);
    return from > 0 ? [[network, from] as const] : [];
  });
  return { events: Math.min(given.events, now.events), money: new Map(money) };
}
