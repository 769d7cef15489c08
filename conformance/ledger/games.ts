import type { Knex } from 'knex';

/**
 * Markets and tables against the books: stakes are held until settlement, a market gives out what
 * was staked, and a table's account has its players' chips.
 */
type Line = Readonly<Record<string, string>>;
export interface Games {
  readonly markets: readonly Line[];
  readonly positions: readonly Line[];
  readonly tables: readonly Line[];
}
interface Books {
  readonly accounts: readonly Line[];
  readonly commitments: readonly Line[];
  readonly games: Games;
}

export async function readGames(knex: Knex): Promise<Games> {
  return {
    markets: lines(await knex('markets').orderBy('id')),
    positions: lines(await knex('market_positions').orderBy(['market_id', 'place'])),
    tables: lines(await knex('poker_tables').orderBy('id')),
  };
}

function lines(rows: readonly Record<string, unknown>[]): readonly Line[] {
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value ?? '')])),
  );
}

export function gamesMatch(books: Books): string[] {
  return [...marketsMatch(books), ...tablesMatch(books)];
}

function of(line: Line | undefined, name: string): bigint {
  return BigInt(line?.[name] === '' ? 0 : (line?.[name] ?? 0));
}

function marketsMatch({ commitments, accounts, games }: Books): string[] {
  const wrong: string[] = [];
  const holds = new Map(commitments.map((line) => [line['id'], line]));
  const open = new Set<string>();
  for (const market of games.markets) {
    const mine = games.positions.filter((line) => line['market_id'] === market['id']);
    const ended = market['ended_at'] !== '';
    let back = 0n;
    const pots: Record<string, bigint> = { yes: 0n, no: 0n };
    for (const position of mine) {
      back += of(position, 'returned');
      for (const side of ['yes', 'no'] as const) {
        const stake = of(position, side);
        pots[side] = (pots[side] ?? 0n) + stake;
        if (stake === 0n) continue;
        const id = position[`${side}_hold`] ?? '';
        open.add(id);
        const remaining = of(holds.get(id), 'remaining');
        if (remaining !== (ended ? 0n : stake)) {
          wrong.push(`market ${market['id']}: ${remaining} held for a stake of ${stake}`);
        }
      }
    }
    for (const side of ['yes', 'no']) {
      if (pots[side] !== of(market, `${side}_pot`))
        wrong.push(`market ${market['id']}: ${side} pot`);
    }
    const whole = of(market, 'yes_pot') + of(market, 'no_pot');
    if (ended && back + of(market, 'judge_share') !== whole) {
      wrong.push(`market ${market['id']} gave out ${back} of ${whole}`);
    }
    const pot = accounts.find((line) => line['name'] === `hub:pot:market:${market['id']}`);
    if (of(pot, 'posted') !== 0n) wrong.push(`market ${market['id']} keeps ${of(pot, 'posted')}`);
  }
  for (const line of commitments) {
    if (line['kind'] !== 'bet' || of(line, 'remaining') === 0n || open.has(line['id'] ?? ''))
      continue;
    wrong.push(`a bet of ${line['remaining']} is held for no position`);
  }
  return wrong;
}

interface Chips {
  readonly players: readonly {
    readonly seat: number;
    readonly stack: string;
    readonly topUp: string;
  }[];
  readonly dealt?: {
    readonly hand: {
      readonly seats: readonly {
        readonly seat: number;
        readonly stack: string;
        readonly total: string;
      }[];
    };
  };
}

/** At a cash table every chip is money; a tournament holds its buy-ins until it is finished. */
function tablesMatch({ accounts, games }: Books): string[] {
  const wrong: string[] = [];
  for (const line of games.tables) {
    const { players, dealt } = JSON.parse(line['body'] ?? '{}') as Chips;
    let chips = 0n;
    for (const player of players) {
      const seat = dealt?.hand.seats.find((each) => each.seat === player.seat);
      chips += BigInt(player.topUp);
      chips += seat === undefined ? BigInt(player.stack) : BigInt(seat.stack) + BigInt(seat.total);
    }
    const { buyIn } = JSON.parse(line['body'] ?? '{}') as { readonly buyIn?: string };
    const money =
      line['format'] === 'cash'
        ? chips
        : line['state'] === 'finished'
          ? 0n
          : BigInt(buyIn ?? 0) * BigInt(players.length);
    const all = 1_500n * BigInt(players.length);
    if (line['format'] === 'sng' && players.length > 0 && chips !== all) {
      wrong.push(`tournament ${line['id']} has ${chips} chips of ${all}`);
    }
    const pot = accounts.find((each) => each['name'] === `hub:pot:poker:${line['id']}`);
    if (of(pot, 'posted') !== money) {
      wrong.push(`table ${line['id']} has ${of(pot, 'posted')} for ${money}`);
    }
  }
  return wrong;
}
