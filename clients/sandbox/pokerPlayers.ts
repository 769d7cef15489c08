import { unwrap, type components, type Hub } from '../typescript/index.ts';

/**
 * House players for whoever is alone on a sandbox: three styles, clients like everybody. They sit
 * at cash tables whose name begins with `[house]`, and play whenever a look finds them on turn.
 */
export const STYLES = ['tight', 'loose', 'absent'] as const;
export type Style = (typeof STYLES)[number];
export const HOUSE_TABLE = '[house]';
const NETWORK = 'sandbox';
/** The house leaves tables at which one sitting costs more than this. */
const BUY_IN_MAX = 10_000_000n;
const RANKS = '23456789TJQKA';

type View = components['schemas']['PokerSeatView'];
type Table = components['schemas']['PokerTable'];

export interface Choice {
  readonly move: components['schemas']['PokerMoveName'];
  readonly amount?: string;
}

/** What a style does with what it sees; undefined lets the clock run out. */
export function choose(style: Style, view: Pick<View, 'cards' | 'legal'>): Choice | undefined {
  if (style === 'absent') return undefined;
  const moves = view.legal.map(({ move }) => move);
  const raise = view.legal.find(({ move }) => move === 'bet' || move === 'raise');
  const free = moves.includes('check');
  const good = isGood(view.cards);
  if (good && raise?.minimum !== undefined) return { move: raise.move, amount: raise.minimum };
  if (free) return { move: 'check' };
  if ((good || style === 'loose') && moves.includes('call')) return { move: 'call' };
  return { move: 'fold' };
}

/** A pair from eights up, or two cards from the queen up. */
function isGood(cards: readonly string[]): boolean {
  const [first = 0, second = 0] = cards.map((card) => RANKS.indexOf(card.charAt(0)));
  const queen = RANKS.indexOf('Q');
  return first === second ? first >= RANKS.indexOf('8') : first >= queen && second >= queen;
}

/** One look of a player: sits where it is wanted and acts where it is on turn. */
export function pokerPlayer(hub: Hub, account: string, style: Style): () => Promise<void> {
  return async () => {
    const query = { format: 'cash' as const, network: NETWORK };
    const { tables } = unwrap(await hub.GET('/api/v1/games/poker/tables', { params: { query } }));
    for (const table of tables.filter(isWanted)) {
      const here = table.players.find((player) => player.account === account);
      if (here === undefined) await sit(hub, table, style);
      else if (table.hand?.toAct?.seat === here.seat) await play(hub, table.id, style);
    }
  };
}

function isWanted({ name, state, minBuyIn }: Table): boolean {
  return (
    name.startsWith(HOUSE_TABLE) && state !== 'finished' && BigInt(minBuyIn ?? 0) <= BUY_IN_MAX
  );
}

/** Sits while a seat is left for somebody else. */
async function sit(hub: Hub, { id, taken, seats, minBuyIn = '0' }: Table, style: Style) {
  if (taken >= seats - 1) return;
  const body = { buyIn: minBuyIn, name: `House player, ${style}` };
  unwrap(await hub.POST('/api/v1/games/poker/tables/{id}/sit', { params: { path: { id } }, body }));
}

async function play(hub: Hub, id: string, style: Style): Promise<void> {
  const params = { path: { id } };
  const view = unwrap(await hub.GET('/api/v1/games/poker/tables/{id}/seat', { params }));
  const choice = view.yourTurn ? choose(style, view) : undefined;
  if (choice === undefined || view.token === undefined) return;
  const body = { token: view.token, ...choice };
  unwrap(await hub.POST('/api/v1/games/poker/tables/{id}/act', { params, body }));
}
