import type { NetworkId } from './network.ts';

/**
 * A reader's position in an account's events. Invariant: nothing that commits late lies behind it.
 * Each part counts one sequence that has no gaps and becomes readable in its own order. One number
 * for all parts could not promise that, since the books of each network are locked apart.
 */
export interface EventCursor {
  /** Events seen, beside money. */
  readonly events: number;
  /** Entries seen, by network. */
  readonly money: ReadonlyMap<NetworkId, number>;
}

export const EVENTS_START: EventCursor = { events: 0, money: new Map() };
/** The word for the place behind all that has happened. */
export const EVENTS_NOW = 'now';

/** `12` or `12.40@sandbox.3@base`. */
export function cursorText({ events, money }: EventCursor): string {
  const books = [...money].filter(([, seq]) => seq > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  return [`${events}`, ...books.map(([network, seq]) => `${seq}@${network}`)].join('.');
}

/** Undefined for a text that is no cursor. */
export function parseCursor(text: string): EventCursor | undefined {
  const [events = '', ...books] = text.split('.');
  if (!isCount(events)) return undefined;
  const money = new Map<NetworkId, number>();
  for (const book of books) {
    const [seq = '', network = '', ...rest] = book.split('@');
    if (!isCount(seq) || rest.length > 0 || !/^[a-z][a-z0-9-]{0,31}$/.test(network))
      return undefined;
    money.set(network as NetworkId, Number(seq));
  }
  return { events: Number(events), money };
}

function isCount(text: string): boolean {
  return /^[0-9]{1,15}$/.test(text);
}
