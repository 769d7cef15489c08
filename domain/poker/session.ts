import type { Account } from '../account.ts';
import { instant, iso, type Instant } from '../instant.ts';
import { cardText } from './cards.ts';
import type { HandEvent, MoveName, Street } from './hand.ts';
import type { HandRecord } from './record.ts';
import type { Table } from './table.ts';

/**
 * A change of a table being worked out: the table so far, the public events, the money that goes to
 * balances and the hands that ended. Nothing outside sees it before it is whole.
 */
export type EventKind =
  | 'created'
  | 'sit'
  | 'topUp'
  | 'sitOut'
  | 'return'
  | 'leave'
  | 'bust'
  | 'start'
  | 'level'
  | 'deal'
  | 'blind'
  | MoveName
  | 'street'
  | 'refund'
  | 'show'
  | 'win'
  | 'handEnd'
  | 'handVoid'
  | 'prize'
  | 'finish';

export interface TableEvent {
  readonly seq: number;
  readonly at: string;
  readonly kind: EventKind;
  readonly hand?: number;
  readonly seat?: number;
  readonly amount?: string;
  readonly street?: Street;
  readonly cards?: string[];
  readonly byClock?: boolean;
}
export interface PayOut {
  readonly account: Account;
  readonly amount: bigint;
  readonly reason: 'poker.cashout' | 'poker.prize';
}

/** The only holder of what may not be seen: seeds at rest are closed, and tokens are random. */
export interface Secrets {
  open(seed: string): Uint8Array;
  fresh(): { readonly seed: string; readonly commit: string };
  token(): string;
}

export class Session {
  table: Table;
  readonly events: TableEvent[] = [];
  readonly payouts: PayOut[] = [];
  readonly records: HandRecord[] = [];
  readonly now: Instant;
  readonly secrets: Secrets;

  constructor(table: Table, now: Instant, secrets: Secrets) {
    this.table = table;
    this.now = now;
    this.secrets = secrets;
  }

  change(over: Partial<Table>): void {
    this.table = { ...this.table, ...over };
  }

  emit(kind: EventKind, about: Omit<TableEvent, 'seq' | 'at' | 'kind'> = {}): void {
    const seq = this.table.seq + 1;
    this.change({ seq });
    this.events.push({ seq, at: iso(this.now), kind, ...about });
  }

  /** The events of the engine, with the clock's mark on a move that it made. */
  emitHand(n: number, events: readonly HandEvent[], byClock: boolean): void {
    for (const [nth, event] of events.entries()) {
      const { kind } = event;
      this.emit(kind, {
        hand: n,
        ...('seat' in event && { seat: event.seat }),
        ...('amount' in event && { amount: `${event.amount}` }),
        ...('street' in event && { street: event.street }),
        ...('cards' in event && { cards: event.cards.map(cardText) }),
        ...(byClock && nth === 0 && { byClock: true }),
      });
    }
  }

  after(ms: number): Instant {
    return instant(this.now + ms);
  }

  /** Records an event that one seat alone can see. */
  whisper(): void {
    this.change({ privateSeq: this.table.privateSeq + 1 });
  }
}
