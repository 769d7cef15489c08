import { marksOf } from '../../db/wallet/accountEvents.ts';
import { keyEnd } from '../../db/wallet/policies.ts';
import type { Account } from '../../domain/account.ts';
import {
  EVENTS_NOW,
  EVENTS_START,
  parseCursor,
  type EventCursor,
} from '../../domain/eventCursor.ts';
import { instant } from '../../domain/instant.ts';
import { wants } from '../../domain/webhooks/webhook.ts';
import type { Call, Signer } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { perHub } from '../../workflows/kernel/perHub.ts';
import { openPolls } from '../../workflows/kernel/polls.ts';
import {
  cursorOfNow,
  eventsPage,
  kindOf,
  type EventsPage,
  type Happening,
} from '../../workflows/wallet/events.ts';
import { waitForEvents } from '../../workflows/wallet/watch.ts';
import { eventStream } from '../models/present/stream.ts';
import { presentEvents } from './present/events.ts';
import { encode } from '../../workflows/kernel/encode.ts';

/** A stream ends after this long, and its reader goes on from the last cursor. */
const STREAM_MS = 600_000;
/** Pages that one answer looks at for a wanted event. */
const PAGES_MAX = 50;
/** A reader whose stream ended opens it again after this long (HTML 9.2.4). */
const RETRY_MS = 1_000;
/** Streams are long polls that stay open, so as many of each caller are let in. */
const streams = perHub(() => openPolls());

/** Returns the signer's events after a cursor: at once, at the next event, or as a stream. */
export const events: Handler<'wallet.events'> = async (call, hub) => {
  const { wait, limit, stream } = call.query;
  const { account } = call.caller;
  const after = await cursorOf(call, hub);
  if (stream === true) {
    const body = streamed(call, hub, after);
    return eventStream(body);
  }
  const reader = { account, limit, wants: wantedIn(call), gone: call.request.gone };
  const page = await nextPage(hub, reader, after, wait * 1_000);
  return { status: 200, body: presentEvents(page, limit) };
};

async function cursorOf(
  { query, header, caller: { account } }: Call<'wallet.events'>,
  hub: Hub,
): Promise<EventCursor> {
  const last = header['last-event-id'];
  const [after, field] =
    last === undefined ? [query.cursor, 'query.cursor'] : [last, 'header.last-event-id'];
  if (after === undefined) return EVENTS_START;
  if (after === EVENTS_NOW) return hub.store.read((db) => cursorOfNow(db, account));
  const cursor = parseCursor(after);
  return (
    cursor ??
    refuse('bad-request', {
      error: `${field} is no cursor of events.`,
      hint: 'Send the `nextCursor` of the answer before as it is, or `now` to begin.',
      field,
    })
  );
}

function wantedIn({ query: { types } }: Call<'wallet.events'>): EventReader['wants'] {
  const wanted = { types: types?.split(',') ?? [] };
  return (happening) => wants(wanted, kindOf(happening));
}

interface EventReader {
  readonly account: Account;
  readonly wants: (happening: Happening) => boolean;
  readonly limit: number;
  readonly gone: AbortSignal;
}

/** The wanted events of the next page that has some; none when the wait is over. */
async function nextPage(
  hub: Hub,
  { account, limit, wants: isWanted, gone }: EventReader,
  after: EventCursor,
  waitMs: number,
): Promise<EventsPage> {
  const until = instant(hub.clock.now() + waitMs);
  let from = after;
  for (let pages = 1; ; pages += 1) {
    // The mark is of the same snapshot as the page, so nothing comes in between unheard.
    const { page, mark } = await hub.store.read(async (db) => ({
      page: await eventsPage(db, account, from, limit),
      mark: (await marksOf(db, [account])).get(account) ?? 0,
    }));
    const found = { ...page, happenings: page.happenings.filter(isWanted) };
    if (!isEmpty(found) || gone.aborted) return found;
    from = page.cursor;
    if (page.more && pages < PAGES_MAX) continue;
    const left = until - hub.clock.now();
    if (page.more || left <= 0) return found;
    if (!(await waitForEvents(hub, account, mark, left, gone))) return found;
  }
}

function isEmpty({ happenings, dropped }: EventsPage): boolean {
  return happenings.length === 0 && dropped === 0;
}

async function* streamed(call: Call<'wallet.events'>, hub: Hub, after: EventCursor) {
  const { limit } = call.query;
  const poll = streams(hub).enter(call.caller, call.request.gone);
  try {
    const { account } = call.caller;
    const reader = { account, limit, wants: wantedIn(call), gone: poll.ended };
    const until = instant(hub.clock.now() + STREAM_MS);
    for (let cursor = after; !poll.ended.aborted;) {
      const page = await nextPage(hub, reader, cursor, Math.max(0, until - hub.clock.now()));
      cursor = page.cursor;
      if (isEmpty(page) && page.more) continue;
      // An empty page says that the time is over, or that the hub shuts down.
      if (isEmpty(page)) return;
      if (await isEnded(hub, call.caller)) return;
      const presented = presentEvents(page, limit);
      const data = JSON.stringify(encode('AccountEvents', presented));
      yield { event: 'events', id: presented.nextCursor, retry: RETRY_MS, data } as const;
    }
  } finally {
    poll.leave();
  }
}

/** Whether the key of the reader was revoked, or has expired, since its stream began. */
async function isEnded(hub: Hub, { keyId, account }: Signer): Promise<boolean> {
  const end = await hub.store.read((db) => keyEnd(db, keyId, account, hub.clock.now()));
  return end !== undefined;
}
