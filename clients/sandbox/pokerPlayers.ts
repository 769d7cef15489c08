import { unwrap, type components, type Hub } from '../typescript/index.ts';
import { NETWORK, onEach } from './agents.ts';

/**
 * House players as opponents on a sandbox, in three styles. They are ordinary clients: they sit at
 * tables whose name begins with `[house]`, and act when a poll finds them on turn.
 */
export const STYLES = ['tight', 'loose', 'absent'] as const;
export type Style = (typeof STYLES)[number];
export const HOUSE_TABLE = '[house]';
/** The house leaves tables at which one sitting costs more than this. */
const BUY_IN_MAX = 10_000_000n;
const RANKS = '23456789TJQKA';

type View = components['schemas']['PokerSeatView'];
type Table = components['schemas']['PokerTable'];

export interface Choice {
  readonly move: components['schemas']['PokerMoveName'];
  readonly amount?: string;
}

/** Chooses the move of a style for a view. Undefined lets the clock run out. */
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

export interface HousePlayer {
  readonly hub: Hub;
  readonly account: string;
  readonly style: Style;
}

/** Until the next look, while a person sits at a house table and while none does. */
export const PLAYING_MS = 500;
export const QUIET_MS = 10_000;

/**
 * Polls for all house players and returns the milliseconds until the next poll. They sit where a
 * person sits, act on turn, and leave when alone, so that an abandoned table closes.
 */
export function pokerHouse(players: readonly HousePlayer[]): () => Promise<number> {
  const accounts = new Set(players.map(({ account }) => account));
  return async () => {
    const [first] = players;
    if (first === undefined) return QUIET_MS;
    const query = { network: NETWORK };
    const list = await first.hub.GET('/api/v1/games/poker/tables', { params: { query } });
    const wanted = unwrap(list).tables.filter(isWanted);
    let isPlayed = false;
    await onEach(wanted, async (table) => {
      const withPerson = table.players.some(({ account }) => !accounts.has(account));
      isPlayed ||= withPerson;
      await onEach(players, (player) => visit(player, table, withPerson));
    });
    return isPlayed ? PLAYING_MS : QUIET_MS;
  };
}

async function visit(player: HousePlayer, table: Table, withPerson: boolean): Promise<void> {
  const here = table.players.find(({ account }) => account === player.account);
  if (here === undefined) return withPerson ? sit(player, table) : undefined;
  if (table.hand?.toAct?.seat === here.seat) return play(player, table.id);
  const mayLeave = table.format === 'cash' && here.state !== 'leaving';
  if (!withPerson && mayLeave) await leave(player, table.id);
}

function isWanted({ name, state, minBuyIn, buyIn }: Table): boolean {
  const price = BigInt(minBuyIn ?? buyIn ?? 0);
  return name.startsWith(HOUSE_TABLE) && state !== 'finished' && price <= BUY_IN_MAX;
}

/** Fills a tournament. At a cash table with more than two seats, one is left for another person. */
async function sit({ hub, account, style }: HousePlayer, table: Table): Promise<void> {
  const { id, taken, seats, format, minBuyIn, buyIn } = await current(hub, table.id);
  const full = format === 'sng' ? seats : Math.max(seats - 1, 2);
  if (taken >= full || (format === 'sng' && table.state !== 'open')) return;
  await beFunded(hub, account);
  const name = `House ${style}`;
  const body = format === 'sng' ? { name } : { name, buyIn: minBuyIn ?? buyIn ?? '0' };
  unwrap(await hub.POST('/api/v1/games/poker/tables/{id}/sit', { params: { path: { id } }, body }));
}

/** As it is now: another house player may have sat down since the list was read. */
async function current(hub: Hub, id: string): Promise<Table> {
  return unwrap(await hub.GET('/api/v1/games/poker/tables/{id}', { params: { path: { id } } }));
}

async function beFunded(hub: Hub, owner: string): Promise<void> {
  const params = { path: { owner }, query: { network: NETWORK } };
  const { spendable } = unwrap(await hub.GET('/api/v1/wallet/{owner}', { params }));
  if (BigInt(spendable) >= BUY_IN_MAX) return;
  const body = { amount: `${BUY_IN_MAX}`, network: NETWORK };
  unwrap(await hub.POST('/api/v1/wallet/{owner}/credit', { params: { path: { owner } }, body }));
}

async function leave({ hub }: HousePlayer, id: string): Promise<void> {
  unwrap(await hub.POST('/api/v1/games/poker/tables/{id}/leave', { params: { path: { id } } }));
}

async function play({ hub, style }: HousePlayer, id: string): Promise<void> {
  if (style === 'absent') return;
  const params = { path: { id } };
  const view = unwrap(await hub.GET('/api/v1/games/poker/tables/{id}/seat', { params }));
  const choice = view.yourTurn ? choose(style, view) : undefined;
  if (choice === undefined || view.token === undefined) return;
  const body = { token: view.token, ...choice };
  unwrap(await hub.POST('/api/v1/games/poker/tables/{id}/act', { params, body }));
}
