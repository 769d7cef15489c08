import type { Account } from '../account.ts';
import type { Instant } from '../instant.ts';
import type { NetworkId } from '../network.ts';
import type { Before } from './button.ts';
import type { Hand, HandSeat, MoveName, Street } from './hand.ts';
import { blindsOfLevel, HANDS_PER_LEVEL, levelOf, type Blinds } from './tournament.ts';

/**
 * A table as one value (choices poker.tables, poker.clock). Invariant: the money at a cash table is
 * the stacks, the chips in the hand and the top-ups that wait for its end; at a tournament it is
 * the buy-ins, until the prizes are paid. What changes a table is in the files beside this one.
 */
export const ENGINE_VERSION = 1;
export type TableFormat = 'cash' | 'sng';
export type TableState = 'open' | 'running' | 'finished';
export type FinishedBecause = 'won' | 'idle' | 'not-filled';
export type PlayerState =
  'waiting' | 'ready' | 'inHand' | 'sittingOut' | 'leaving' | 'left' | 'busted';

export interface SeatedPlayer {
  readonly seat: number;
  readonly account: Account;
  readonly name?: string;
  readonly state: PlayerState;
  readonly stack: bigint;
  /** Bought in the middle of a hand; added when it ends. */
  readonly topUp: bigint;
  /** Moves in a row that the clock made. */
  readonly timeouts: number;
  /** The last move of the clock for it; absent once it moved by itself again. */
  readonly clockMove?: ClockMove;
  readonly joinedAt: Instant;
  readonly boughtIn: bigint;
  readonly cashedOut: bigint;
  /** When it began to sit out, or lost its last chip. */
  readonly since?: Instant;
  readonly place?: number;
}

export interface ClockMove {
  readonly hand: number;
  readonly move: 'check' | 'fold';
  readonly at: Instant;
}

/** Whose turn it is, and the token that is good for this one move. */
interface Turn {
  readonly seat: number;
  readonly token: string;
  readonly since: Instant;
  readonly deadline: Instant;
}

export interface LastRefusal {
  readonly seat: number;
  readonly code: 'illegal-move' | 'act-token';
  readonly says: string;
  readonly move: MoveName;
  readonly amount?: bigint;
  readonly at: Instant;
}

export interface RecordedAction {
  readonly seat: number;
  readonly street: Street;
  readonly move: MoveName | 'smallBlind' | 'bigBlind';
  readonly bet: number;
  readonly byClock?: true;
  readonly signatureDigest?: string;
  readonly at: Instant;
}

export interface Dealt {
  readonly hand: Hand;
  /** The seed as the keeper of secrets wrote it down; opened only to deal. */
  readonly seed: string;
  readonly commit: string;
  readonly entropy: string;
  readonly startedAt: Instant;
  readonly actions: readonly RecordedAction[];
  /** Seats in the order in which they were taken; with the first hand. */
  readonly sat?: readonly Sat[];
  readonly turn?: Turn;
}

export interface Sat {
  readonly seat: number;
  readonly account: Account;
}

export interface Table {
  readonly engine: number;
  readonly id: string;
  readonly name: string;
  readonly format: TableFormat;
  readonly network: NetworkId;
  readonly creator: Account;
  readonly seats: number;
  readonly blinds?: Blinds;
  readonly minBuyIn?: bigint;
  readonly maxBuyIn?: bigint;
  readonly buyIn?: bigint;
  readonly actSeconds: number;
  readonly createdAt: Instant;
  readonly state: TableState;
  /** The newest public event. */
  readonly seq: number;
  /** Grows with what concerns one seat alone, too. */
  readonly privateSeq: number;
  readonly players: readonly SeatedPlayer[];
  readonly hands: number;
  readonly dealt?: Dealt;
  readonly before?: Before;
  /** When the next hand is dealt; absent while it cannot be. */
  readonly dealAt?: Instant;
  readonly nextSeed: string;
  readonly nextCommit: string;
  /** Digest of the public record of the hand before. */
  readonly entropy?: string;
  readonly refusals: readonly LastRefusal[];
  readonly emptySince?: Instant;
  readonly everSat: boolean;
  readonly startedAt?: Instant;
  readonly finishedAt?: Instant;
  readonly finishedBecause?: FinishedBecause;
}

export const SEATS_MINIMUM = 2;
export const SEATS_MAXIMUM = 9;
export const BIG_BLIND_MINIMUM = 2n;
export const MIN_BUY_IN_BLINDS = 40n;
export const MAX_BUY_IN_BLINDS = 100n;
export const ACT_SECONDS = { minimum: 5, usual: 30, maximum: 120 } as const;
export const SNG_BUY_IN_MINIMUM = 1_000n;
export const TABLES_PER_CREATOR_MAX = 10;

export const DEAL_AFTER_MS = 1_000;
/** An absent tournament player's turn lasts this long. */
export const AUTO_ACT_MS = 1_000;
export const TIMEOUTS_MAX = 2;
export const SIT_OUT_MS = 10 * 60_000;
export const BUSTED_MS = 60_000;
export const IDLE_MS = 30 * 60_000;
/** A tournament that does not fill. */
export const UNFILLED_MS = 24 * 3_600_000;
export const GOING_SOUTH_MS = 30 * 60_000;
/**
 * Clocks are applied every second. One that ran out longer ago than this did so while the hub was
 * away, so its seat gets a full clock and does not lose the hand (choices poker.recovery).
 */
export const AWAY_MS = 15_000;

/** The players who have a seat, which no other player can take. */
export function seated({ players }: Table): readonly SeatedPlayer[] {
  return players.filter(({ state }) => state !== 'left');
}

export function playerOf(table: Table, account: Account): SeatedPlayer | undefined {
  return seated(table).find((player) => player.account === account);
}

export function playerAt(table: Table, seat: number): SeatedPlayer {
  const found = seated(table).find((player) => player.seat === seat);
  if (found === undefined) throw new RangeError(`no player sits at ${seat}`);
  return found;
}

export function withPlayer(table: Table, changed: SeatedPlayer): Table {
  const players = table.players.map((each) => (each.account === changed.account ? changed : each));
  return { ...table, players };
}

/** The blinds of the next hand, or of the one under way. */
/** The amount that a table is chosen by: its big blind, or the buy-in of a tournament. */
export function stakeOf({ blinds, buyIn }: Table): bigint {
  return buyIn ?? blinds?.bigBlind ?? 0n;
}

export function blindsOf(table: Table): Blinds {
  return table.blinds ?? blindsOfLevel(levelNow(table));
}

/** The level of the hand under way, else of the next one. */
export function levelNow({ hands, dealt }: Table): number {
  return levelOf(dealt === undefined ? hands + 1 : hands);
}

export function levelUpAt(table: Table): number {
  return levelNow(table) * HANDS_PER_LEVEL + 1;
}

/** Chips of one player, those in the hand included. */
export function chipsOf(table: Table, player: SeatedPlayer): bigint {
  const inHand = handSeatOf(table, player);
  if (inHand === undefined) return player.stack + player.topUp;
  return BigInt(inHand.stack + inHand.total) + player.topUp;
}

/** The seat in the hand under way; undefined for a player who is not in it. */
export function handSeatOf({ dealt }: Table, { seat, state }: SeatedPlayer): HandSeat | undefined {
  if (state !== 'inHand' && state !== 'leaving') return undefined;
  return dealt?.hand.seats.find((each) => each.seat === seat);
}

/** Money in atomic units that stands at the table. */
export function moneyAt(table: Table): bigint {
  const players = seated(table);
  if (table.format === 'cash') {
    return players.reduce((sum, player) => sum + chipsOf(table, player), 0n);
  }
  if (table.state === 'finished') return 0n;
  return (table.buyIn ?? 0n) * BigInt(players.length);
}

/** An absent tournament player is not waited for; at a cash table it sits out after the hand. */
export function isAbsent({ format }: Table, { timeouts }: SeatedPlayer): boolean {
  return format === 'sng' && timeouts >= TIMEOUTS_MAX;
}

/** Those who are dealt in: with chips, and neither waiting nor away. */
export function readySeats(table: Table): readonly number[] {
  return table.players
    .filter(({ state, stack }) => state === 'ready' && stack > 0n)
    .map(({ seat }) => seat);
}

export function waitingSeats(table: Table): readonly number[] {
  return table.players.filter(({ state }) => state === 'waiting').map(({ seat }) => seat);
}
