import { strict as assert } from 'node:assert';
import type { Account } from '../../domain/account.ts';
import type { StandingCause } from '../../domain/karma.ts';
import { textCell, wholeCell, type Table } from '../declared/table.ts';

type Occasion = Pick<StandingCause, 'subject' | 'reason' | 'occasion'>;

/** Occasions that have their entry already; a free unit writes the first (`recordKarma`). */
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
  inserted: () => assert.fail('karma is written by free units'),
};

/** The sum of an account's entries, as it is read without a lock; none for one that has no entry. */
export const KARMA_TOTALS: Table<Account, number> = {
  name: 'karma_totals',
  read: {
    sqlite: `SELECT json_group_array(json_array(t.subject, t.total)) FROM json_each(?) k
      CROSS JOIN karma_totals t ON t.subject = k.value ->> 0`,
    postgres: `SELECT json_agg(json_build_array(t.subject, t.total))::text
      FROM jsonb_array_elements(?::jsonb) AS k (value)
      JOIN karma_totals t ON t.subject = k.value ->> 0`,
  },
  id: (subject) => subject,
  keyCells: (subject) => [subject],
  found: (cells) => [textCell(cells, 0), wholeCell(cells, 1)],
  inserted: () => assert.fail('karma is written by free units'),
};
