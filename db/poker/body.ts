import type { Table } from '../../domain/poker/table.ts';

/**
 * A table as JSON: chips are decimal strings here, integers in the hand under way, bigints
 * elsewhere. Chip members are a closed list, so that no text of a player is taken for a number.
 */
const CHIPS = {
  table: ['minBuyIn', 'maxBuyIn', 'buyIn'],
  blinds: ['smallBlind', 'bigBlind'],
  player: ['stack', 'topUp', 'boughtIn', 'cashedOut'],
  refusal: ['amount'],
  hand: ['smallBlind', 'bigBlind', 'currentBet', 'lastFullRaise'],
  seat: ['startStack', 'stack', 'bet', 'total', 'facedAt'],
  action: ['bet'],
} as const;

type Members = Readonly<Record<string, unknown>>;
interface Body extends Members {
  readonly blinds?: Members;
  readonly players: readonly Members[];
  readonly refusals: readonly Members[];
  readonly dealt?: Members & {
    readonly hand: Members & { readonly seats: readonly Members[] };
    readonly actions: readonly Members[];
  };
}
interface Codec {
  /** Chips of a hand. */
  readonly small: (value: unknown) => unknown;
  /** Other chips. */
  readonly large: (value: unknown) => unknown;
}

export function tableText(table: Table): string {
  return JSON.stringify(
    converted({ ...table } as unknown as Body, { small: String, large: String }),
  );
}

export function tableFrom(text: string): Table {
  const read: Codec = { small: Number, large: (value) => BigInt(value as string) };
  return converted(JSON.parse(text) as Body, read) as unknown as Table;
}

function converted(body: Body, { small, large }: Codec): Members {
  const { blinds, dealt } = body;
  return {
    ...chips(body, CHIPS.table, large),
    ...(blinds !== undefined && { blinds: chips(blinds, CHIPS.blinds, large) }),
    players: body.players.map((each) => chips(each, CHIPS.player, large)),
    refusals: body.refusals.map((each) => chips(each, CHIPS.refusal, large)),
    ...(dealt !== undefined && {
      dealt: {
        ...dealt,
        hand: {
          ...chips(dealt.hand, CHIPS.hand, small),
          seats: dealt.hand.seats.map((each) => chips(each, CHIPS.seat, small)),
        },
        actions: dealt.actions.map((each) => chips(each, CHIPS.action, small)),
      },
    }),
  };
}

function chips(from: Members, names: readonly string[], convert: Codec['small']): Members {
  const into: Record<string, unknown> = { ...from };
  for (const name of names) if (into[name] !== undefined) into[name] = convert(into[name]);
  return into;
}
