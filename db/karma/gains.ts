import type { Account } from '../../domain/account.ts';
import { KARMA_MONEY } from '../../domain/karma.ts';
import type { Gain } from '../../domain/karmaFigures.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row } from '../connection.ts';
import { linkGroups } from '../tasks/linkGroups.ts';
import { defined } from '../../domain/defined.ts';

/** As many gains are judged in one run; later ones wait. */
const GAINS_MAX = 2_000;

const GAINS = statement(`
  SELECT k.at, k.reason, k.delta, k.full_delta, k.money, k.counterparty, t.reward, t.hub_bps, t.judges_bps
    FROM karma_entries k LEFT JOIN tasks t ON k.ref_kind = 'task' AND t.id = k.ref_id
   WHERE k.subject = ? AND k.full_delta > 0 AND k.at > ? ORDER BY k.at, k.id LIMIT ?`);
const LATER = statement(`
  SELECT CAST(coalesce(sum(delta), 0) AS INTEGER) AS n FROM karma_entries
   WHERE subject = ? AND full_delta > 0 AND at > ?`);

export interface FoundGains {
  /** Oldest first. */
  readonly gains: readonly Gain[];
  /** Points of gains behind them. */
  readonly unmeasured: number;
  /** The accounts of each party, which are linked. */
  readonly groups: ReadonlyMap<Account, string>;
}

/** The gains of an account since a moment, each with its party by the links of today. */
export async function gainsOf(db: Reader, subject: Account, since: number): Promise<FoundGains> {
  const link = linkOf(db);
  const rows = await link.rows(GAINS, [subject, since, GAINS_MAX]);
  const parties = rows.flatMap((row) =>
    row['counterparty'] === null ? [] : [column.account(row, 'counterparty')],
  );
  const groups = await linkGroups(db, [...new Set([subject, ...parties])]);
  const gains = rows.map((row) => gainOf(row, groups, groups.get(subject)));
  const last = gains.at(-1);
  if (last === undefined || gains.length < GAINS_MAX) return { gains, unmeasured: 0, groups };
  const later = column.one(await link.rows(LATER, [subject, last.at]));
  return { gains, unmeasured: later === undefined ? 0 : column.whole(later, 'n'), groups };
}

function gainOf(row: Row, groups: ReadonlyMap<Account, string>, own: string | undefined): Gain {
  const party =
    row['counterparty'] === null ? undefined : groups.get(column.account(row, 'counterparty'));
  const fees =
    (column.wholeOrNull(row, 'hub_bps') ?? 0) + (column.wholeOrNull(row, 'judges_bps') ?? 0);
  return {
    at: column.whole(row, 'at'),
    delta: column.whole(row, 'delta'),
    fullDelta: column.whole(row, 'full_delta'),
    money: KARMA_MONEY.find((each) => each === row['money']) ?? 'none',
    ...defined({ party }),
    isOwn: party !== undefined && party === own,
    isSpent: row['reason'] === 'task.paid.requester',
    reward: column.wholeOrNull(row, 'reward') ?? 0,
    feeBps: fees,
  };
}
