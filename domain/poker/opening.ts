import type { Account } from '../account.ts';
import type { Instant } from '../instant.ts';
import { AMOUNT_MAX } from '../money.ts';
import type { NetworkId } from '../network.ts';
import { shownName } from '../text.ts';
import {
  ACT_SECONDS,
  BIG_BLIND_MINIMUM,
  ENGINE_VERSION,
  MAX_BUY_IN_BLINDS,
  MIN_BUY_IN_BLINDS,
  SNG_BUY_IN_MINIMUM,
  type Table,
} from './table.ts';

/** The terms of a new table, and the table that they make (choices poker.tables). */
interface Shared {
  readonly creator: Account;
  readonly network: NetworkId;
  readonly seats: number;
  readonly actSeconds?: number;
  readonly name?: string;
}
interface NewCash extends Shared {
  readonly format: 'cash';
  readonly bigBlind: bigint;
  readonly smallBlind?: bigint;
  readonly minBuyIn?: bigint;
  readonly maxBuyIn?: bigint;
}
interface NewSng extends Shared {
  readonly format: 'sng';
  readonly buyIn: bigint;
}
export type NewTable = NewCash | NewSng;

export interface Refused {
  readonly refused: 'below-minimum' | 'buyin-range' | 'not-together';
  readonly why: string;
  readonly field: string;
}

/** All stacks of a table together stay within one amount. */
const BUY_IN_MAX = AMOUNT_MAX / 9n;

export function openTable(
  wanted: NewTable,
  id: string,
  now: Instant,
  first: { readonly seed: string; readonly commit: string },
): Table | Refused {
  const terms = wanted.format === 'cash' ? cashTerms(wanted) : sngTerms(wanted);
  if ('refused' in terms) return terms;
  const { creator, network, seats, format } = wanted;
  return {
    engine: ENGINE_VERSION,
    id,
    format,
    network,
    creator,
    seats,
    ...terms,
    actSeconds: wanted.actSeconds ?? ACT_SECONDS.usual,
    createdAt: now,
    state: 'open',
    seq: 0,
    privateSeq: 0,
    players: [],
    hands: 0,
    nextSeed: first.seed,
    nextCommit: first.commit,
    refusals: [],
    everSat: false,
  };
}

type Terms = Pick<Table, 'name' | 'blinds' | 'minBuyIn' | 'maxBuyIn' | 'buyIn'>;

function cashTerms(wanted: NewCash): Terms | Refused {
  const { bigBlind, smallBlind = bigBlind / 2n } = wanted;
  if (bigBlind < BIG_BLIND_MINIMUM) {
    const why = `The big blind is at least ${BIG_BLIND_MINIMUM}.`;
    return { refused: 'below-minimum', why, field: 'body.bigBlind' };
  }
  if (smallBlind < 1n) {
    return {
      refused: 'below-minimum',
      why: 'The small blind is at least 1.',
      field: 'body.smallBlind',
    };
  }
  const { minBuyIn = bigBlind * MIN_BUY_IN_BLINDS, maxBuyIn = bigBlind * MAX_BUY_IN_BLINDS } =
    wanted;
  const range = rangeRefused({ bigBlind, smallBlind, minBuyIn, maxBuyIn }, wanted);
  return (
    range ?? {
      name: shownName(wanted.name ?? '') ?? `Hold'em ${smallBlind}/${bigBlind}`,
      blinds: { smallBlind, bigBlind },
      minBuyIn,
      maxBuyIn,
    }
  );
}

interface Stakes {
  readonly bigBlind: bigint;
  readonly smallBlind: bigint;
  readonly minBuyIn: bigint;
  readonly maxBuyIn: bigint;
}

/** A refusal names a field that was sent. */
function rangeRefused(terms: Stakes, sent: NewCash): Refused | undefined {
  const { bigBlind, smallBlind, minBuyIn, maxBuyIn } = terms;
  const named = (...fields: (keyof Stakes)[]): string =>
    fields.find((field) => sent[field] !== undefined) ?? 'bigBlind';
  const refused = (why: string, field: string): Refused => ({
    refused: 'not-together',
    why,
    field: `body.${field}`,
  });
  if (smallBlind > bigBlind) {
    return refused(`The small blind ${smallBlind} is above the big blind.`, 'smallBlind');
  }
  if (minBuyIn < bigBlind) {
    return refused(`minBuyIn is at least one big blind; got ${minBuyIn}.`, 'minBuyIn');
  }
  if (minBuyIn > maxBuyIn) {
    return refused(
      `minBuyIn ${minBuyIn} is above maxBuyIn ${maxBuyIn}.`,
      named('minBuyIn', 'maxBuyIn'),
    );
  }
  if (maxBuyIn <= BUY_IN_MAX) return undefined;
  const why = `maxBuyIn is at most ${BUY_IN_MAX}; got ${maxBuyIn}.`;
  return { refused: 'buyin-range', why, field: `body.${named('maxBuyIn')}` };
}

function sngTerms({ buyIn, name }: NewSng): Terms | Refused {
  if (buyIn < SNG_BUY_IN_MINIMUM) {
    const why = `The buy-in is at least ${SNG_BUY_IN_MINIMUM}; got ${buyIn}.`;
    return { refused: 'below-minimum', why, field: 'body.buyIn' };
  }
  if (buyIn > BUY_IN_MAX) {
    const why = `The buy-in is at most ${BUY_IN_MAX}; got ${buyIn}.`;
    return { refused: 'buyin-range', why, field: 'body.buyIn' };
  }
  return { name: shownName(name ?? '') ?? `Sit-and-go ${buyIn}`, buyIn };
}
