import { DEFAULT_AFTER } from '../../domain/credit.ts';
import { instant } from '../../domain/instant.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import { parseNetworkId } from '../../domain/network.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row } from '../connection.ts';

/** Loans of a network in atomic units. `advanced` is `repaid` + `open` + `due` + `defaulted`. */
export interface LoanSums {
  readonly network: NetworkId;
  readonly loans: number;
  readonly advanced: Atomic;
  readonly repaid: Atomic;
  /** Against claims that live. */
  readonly open: Atomic;
  readonly due: Atomic;
  readonly defaulted: Atomic;
  /** Loans that ever defaulted, those collected since among them. */
  readonly defaults: number;
  /** Origination that was collected. */
  readonly origination: Atomic;
}

/** A loan that is late counts as a default though no job has looked (choices pipeline.due). */
const STANDS = `CASE WHEN l.state = 'due' AND l.due_at <= ? THEN 'defaulted' ELSE l.state END`;
const LEFT_IN = (state: string): string =>
  `CAST(coalesce(sum(CASE WHEN s.stands = '${state}' THEN s.principal_left END), 0) AS TEXT) AS ${state}`;
const SUMS = statement(`
  SELECT n.id AS network, count(s.id) AS loans,
    CAST(coalesce(sum(s.principal), 0) AS TEXT) AS advanced,
    CAST(coalesce(sum(s.principal - s.principal_left), 0) AS TEXT) AS repaid,
    CAST(coalesce(sum(s.origination - s.origination_left), 0) AS TEXT) AS origination,
    ${LEFT_IN('open')}, ${LEFT_IN('due')}, ${LEFT_IN('defaulted')},
    count(CASE WHEN s.defaulted_at IS NOT NULL OR s.stands = 'defaulted' THEN 1 END) AS defaults
  FROM networks n LEFT JOIN (SELECT l.*, ${STANDS} AS stands FROM loans l) s ON s.network = n.id
  GROUP BY n.id ORDER BY n.id`);

/** Every network, in the order of their names, those without loans too. */
export async function loanBook(db: Reader, now: Instant): Promise<readonly LoanSums[]> {
  const late = instant(now - DEFAULT_AFTER * 1000);
  return (await linkOf(db).rows(SUMS, [late])).map(sumsOf);
}

function sumsOf(row: Row): LoanSums {
  const network = parseNetworkId(column.text(row, 'network'));
  if (network === undefined) throw new Error(`not a network: ${column.text(row, 'network')}`);
  return {
    network,
    loans: column.whole(row, 'loans'),
    advanced: column.amount(row, 'advanced'),
    repaid: column.amount(row, 'repaid'),
    open: column.amount(row, 'open'),
    due: column.amount(row, 'due'),
    defaulted: column.amount(row, 'defaulted'),
    defaults: column.whole(row, 'defaults'),
    origination: column.amount(row, 'origination'),
  };
}
