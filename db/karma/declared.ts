import { strict as assert } from 'node:assert';
import type { Account } from '../../domain/account.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import {
  COUNTERPARTY_SEEN_MAX,
  COUNTERPARTY_WINDOW,
  type Earlier,
  type KarmaMoney,
  type KarmaSubject,
  type StandingCause,
  type Weighed,
} from '../../domain/karma.ts';
import { utcDay } from '../../domain/walletFaucet.ts';
import { lockOf, rowsByText, textCell, wholeCell, type Table } from '../declared/table.ts';
import { PARTY_OF } from '../tasks/links.ts';

type Occasion = Pick<StandingCause, 'subject' | 'reason' | 'occasion'>;

/** Occasions that have their entry already, for units that write none. */
export const KARMA_GIVEN: Table<Occasion, true> = {
  name: 'karma_given',
  read: {
    sqlite: `SELECT json_group_array(json_array(e.subject, e.reason, e.occasion))
      FROM json_each(?) k CROSS JOIN karma_entries e ON e.subject = k.value ->> 0
      AND e.reason = k.value ->> 1 AND e.occasion = k.value ->> 2`,
    postgres: `SELECT json_agg(json_build_array(e.subject, e.reason, e.occasion))::text
      FROM jsonb_array_elements(?::jsonb) AS k (value)
      JOIN karma_entries e ON e.subject = k.value ->> 0
      AND e.reason = k.value ->> 1 AND e.occasion = k.value ->> 2`,
  },
  id: ({ subject, reason, occasion }) => `${subject} ${reason} ${occasion}`,
  keyCells: ({ subject, reason, occasion }) => [subject, reason, occasion],
  found: (cells) => [[0, 1, 2].map((at) => textCell(cells, at)).join(' '), true],
  inserted: () => assert.fail('an entry gives its own occasion'),
};

export interface Total {
  readonly subject: KarmaSubject;
  readonly total: number;
  readonly fromTest: number;
  /**
   * An earlier unit of the batch gave or took some: what the batch has read of entries is no longer
   * all that there are.
   */
  readonly isChanged?: boolean;
}
/** Locked before entries are counted, so that of two causes at once the second is weighed last. */
export const KARMA_TOTALS: Table<KarmaSubject, Total> = {
  name: 'karma_totals',
  read: rowsByText('karma_totals', 'subject', ['subject', 'total', 'from_test'], {
    isLocked: false,
  }),
  lock: lockOf('karma_totals', ['subject']),
  id: (subject) => subject,
  keyCells: (subject) => [subject],
  found(cells) {
    const subject = textCell(cells, 0) as KarmaSubject;
    return [subject, { subject, total: wholeCell(cells, 1), fromTest: wholeCell(cells, 2) }];
  },
  inserted: ({ subject, total, fromTest }) => [subject, total, fromTest],
  updated: ({ subject, total, fromTest }, before) => [
    ...[subject, total, fromTest],
    ...[before.total, before.fromTest],
  ],
};

/** A cause at a moment: what counts against it depends on the day. */
export type CauseAt = StandingCause & { readonly at: Instant };
export interface Heard {
  /** The occasion has its entry already. */
  readonly isGiven: boolean;
  readonly earlier: Omit<Earlier, 'fromTestNetworks'>;
}
const SUBJECT = '(k.value ->> 0)';
const PARTY = (counterparty: string): string =>
  `(SELECT ${counterparty} AS account UNION ${PARTY_OF(`substr(${counterparty}, 5)`, counterparty)})`;
const gains = (since: string): string =>
  `FROM karma_entries WHERE subject = ${SUBJECT} AND full_delta > 0 AND at ${since}`;
const heard = (int: string): string => {
  const party = PARTY('(k.value ->> 3)');
  const [since, today] = [`(k.value ->> 4)${int}`, `(k.value ->> 5)${int}`];
  return [
    ...[SUBJECT, 'k.value ->> 1', 'k.value ->> 2'],
    `(SELECT count(*) FROM karma_entries WHERE subject = ${SUBJECT}
      AND reason = (k.value ->> 1) AND occasion = (k.value ->> 2))`,
    `CASE WHEN ${SUBJECT} IN ${party} THEN 1 ELSE 0 END`,
    `(SELECT count(*) FROM (SELECT 1 ${gains(`> ${since}`)} AND counterparty IN ${party}
      LIMIT ${COUNTERPARTY_SEEN_MAX}) AS seen)`,
    `(SELECT coalesce(sum(delta), 0) ${gains(`>= ${today}`)} AND reason = (k.value ->> 1))`,
    `(SELECT coalesce(sum(delta), 0) ${gains(`>= ${today}`)} AND counterparty LIKE 'hub:%')`,
  ].join(', ');
};
/** What the entries of a subject say to a cause; its total is needed beside it. */
export const KARMA_HEARD: Table<CauseAt, Heard> = {
  name: 'karma_heard',
  read: {
    sqlite: `SELECT json_group_array(json_array(${heard('')})) FROM json_each(?) k`,
    postgres: `SELECT json_agg(json_build_array(${heard('::bigint')}))::text
      FROM jsonb_array_elements(?::jsonb) AS k (value)`,
  },
  id: ({ subject, reason, occasion }) => `${subject} ${reason} ${occasion}`,
  keyCells: ({ subject, reason, occasion, counterparty, at }) => [
    ...[subject, reason, occasion, counterparty ?? null],
    ...[instant(at - COUNTERPARTY_WINDOW * 1000), utcDay(at)],
  ],
  found(cells) {
    const earlier = {
      ownParty: cells[4] === 1,
      fromCounterparty: wholeCell(cells, 5),
      todayByReason: wholeCell(cells, 6),
      todayFromHouse: wholeCell(cells, 7),
    };
    const id = [0, 1, 2].map((at) => textCell(cells, at)).join(' ');
    return [id, { isGiven: wholeCell(cells, 3) > 0, earlier }];
  },
  inserted: () => assert.fail('every cause is heard'),
};

export interface EntryRow extends CauseAt, Weighed {
  readonly id: string;
  readonly money: KarmaMoney;
}
export const KARMA_ENTRIES: Table<string, EntryRow> = {
  name: 'karma_entries',
  id: (id) => id,
  keyCells: (id) => [id],
  inserted: ({ id, subject, at, delta, fullDelta, loweredBy, ...cause }) => [
    ...[id, subject, at, delta, fullDelta, loweredBy ?? null],
    ...[cause.reason, cause.ref.kind, cause.ref.id, cause.occasion],
    ...[cause.counterparty ?? null, cause.money],
  ],
};

/** Accounts whose listings show their new standing. */
export const KARMA_SHOWN: Table<KarmaSubject, KarmaSubject> = {
  name: 'karma_shown',
  id: (subject) => subject,
  keyCells: (subject) => [subject],
  inserted: (subject) => [subject],
};

/** The sum of an account's entries, as it is read without a lock; none for one that has no entry. */
export const KARMA_SUMS: Table<Account, number> = {
  name: 'karma_sums',
  read: rowsByText('karma_totals', 'subject', ['subject', 'total'], { isLocked: false }),
  id: (subject) => subject,
  keyCells: (subject) => [subject],
  found: (cells) => [textCell(cells, 0), wholeCell(cells, 1)],
  inserted: () => assert.fail('a sum follows from its entries'),
};
