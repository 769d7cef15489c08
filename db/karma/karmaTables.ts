import type { Account } from '../../domain/account.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import {
  COUNTERPARTY_SEEN_MAX,
  COUNTERPARTY_WINDOW,
  KARMA_MONEY,
  type KarmaReason,
  type KarmaSubject,
  type StandingCause,
  type Weighed,
} from '../../domain/karma.ts';
import { utcDay } from '../../domain/walletFaucet.ts';
import { account, flag, integer, moment, oneOf, text } from '../batch/columns.ts';
import { lookup } from '../batch/lookup.ts';
import { shaped, table } from '../batch/table.ts';
import { writeObject } from '../batch/writeObject.ts';
import { parentIn, type Table } from '../batch/need.ts';
import { PARTY_OF } from '../tasks/links.ts';

/** Occasions that have their entry already. */
export const KARMA_GIVEN = table(
  'karma_entries',
  {
    subject: text<KarmaSubject>().key(),
    reason: text<KarmaReason>().key(),
    occasion: text().key(),
  },
  { as: 'karma_given', use: 'read' },
);

/** Locked before entries are counted, so that of two causes at once the second is weighed last. */
export const KARMA_TOTALS = table(
  'karma_totals',
  {
    subject: text<KarmaSubject>().key(),
    total: integer().guard(),
    fromTest: integer().guard(),
  },
  { personal: { apart: 'sums of karma entries' }, lock: 'first' },
);

const PARTY = (counterparty: string): string =>
  `(SELECT ${counterparty} AS account UNION ${PARTY_OF(`substr(${counterparty}, 5)`, counterparty)})`;

const subjectOf = ({ subject }: { readonly subject: KarmaSubject }): KarmaSubject => subject;

/** The entries of a subject that count against a cause. */
export const KARMA_EARLIER = lookup('karma_earlier', {
  by: {
    subject: text<KarmaSubject>(),
    reason: text<KarmaReason>(),
    occasion: text(),
    counterparty: text<Account>().optional(),
    since: moment(),
    today: moment(),
  },
  found: {
    given: integer(),
    ownParty: flag(),
    fromCounterparty: integer(),
    todayByReason: integer(),
    todayFromHouse: integer(),
  },
  sql({ subject, reason, occasion, counterparty, since, today }) {
    const party = PARTY(counterparty);
    const gains = (at: string): string =>
      `FROM karma_entries WHERE subject = ${subject} AND full_delta > 0 AND at ${at}`;
    return {
      given: `(SELECT count(*) FROM karma_entries WHERE subject = ${subject}
        AND reason = ${reason} AND occasion = ${occasion})`,
      ownParty: `CASE WHEN ${subject} IN ${party} THEN 1 ELSE 0 END`,
      fromCounterparty: `(SELECT count(*) FROM (
        SELECT 1 ${gains(`> ${since}`)} AND counterparty IN ${party}
        LIMIT ${COUNTERPARTY_SEEN_MAX}) AS seen)`,
      todayByReason: `(SELECT coalesce(sum(delta), 0) ${gains(`>= ${today}`)}
        AND reason = ${reason})`,
      todayFromHouse: `(SELECT coalesce(sum(delta), 0) ${gains(`>= ${today}`)}
        AND counterparty LIKE 'hub:%')`,
    };
  },
  parent: parentIn(KARMA_TOTALS, subjectOf),
});

/** The key of what counts against a cause at a moment: it depends on the day. */
export function earlierKey(cause: StandingCause, at: Instant) {
  return { ...cause, since: instant(at - COUNTERPARTY_WINDOW * 1000), today: utcDay(at) };
}

export const KARMA_ENTRIES = shaped(
  table(
    'karma_entries',
    {
      id: text().key(),
      subject: text<KarmaSubject>().fixed(),
      at: moment().fixed(),
      delta: integer().fixed(),
      fullDelta: integer().fixed(),
      loweredBy: text<NonNullable<Weighed['loweredBy']>>().fixed().optional(),
      reason: text<KarmaReason>().fixed(),
      refKind: text<StandingCause['ref']['kind']>().fixed(),
      refId: text().fixed(),
      occasion: text().fixed(),
      counterparty: account().fixed().optional(),
      money: oneOf(KARMA_MONEY).fixed(),
    },
    {
      personal: { owner: 'subject', stays: 'Others decide by the record of the account.' },
      use: 'append',
      parent: parentIn(KARMA_TOTALS, subjectOf),
    },
  ),
  {
    of: ({ refKind: kind, refId: id, ...entry }) => ({ ...entry, ref: { kind, id } }),
    flat: ({ ref, ...entry }) => ({ ...entry, refKind: ref.kind, refId: ref.id }),
  },
);

/** Subjects whose listings show their new standing: those that an account holds, or its own. */
export const KARMA_SHOWN: Table<KarmaSubject, KarmaSubject> = {
  name: 'karma_shown',
  id: (subject) => subject,
  keyCells: (subject) => [subject],
  insert: writeObject('karma_shown', {
    statement: (rows) => `
      UPDATE listings SET karma = shown.total
        FROM (SELECT l.id, t.total FROM ${rows} JOIN karma_totals AS t ON t.subject = $0
            JOIN keys AS k ON k.account = $0 JOIN listings AS l ON l.passport_key_id = k.key_id
          UNION ALL SELECT l.id, t.total FROM ${rows} JOIN karma_totals AS t ON t.subject = $0
            JOIN listings AS l ON l.id = substr($0, 9) AND l.passport_key_id IS NULL) AS shown
       WHERE listings.id = shown.id AND listings.karma <> shown.total`,
    hits: (_, dialect) => (dialect === 'sqlite' ? 'changes()' : 'hit'),
  }),
  inserted: (subject) => [subject],
  // It shows the totals as the batch wrote them.
  under: [KARMA_TOTALS],
};

/** The sum of an account's entries, as it is read without a lock; none for one that has no entry. */
export const KARMA_SUMS = table(
  'karma_totals',
  { subject: text<KarmaSubject>().key(), total: integer().fixed() },
  { as: 'karma_sums', use: 'read' },
);
