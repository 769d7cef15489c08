import type { Cards } from './handModel.ts';

/** The input of the models of tables: terms, players, and what chance decided. */
export interface Player {
  readonly account: string;
  seat: number;
  stack: number;
  topUp: number;
  state: 'waiting' | 'ready' | 'inHand' | 'sittingOut' | 'leaving' | 'busted';
  timeouts: number;
  since: number | undefined;
}
export interface Terms {
  readonly seats: number;
  readonly bigBlind: number;
  readonly minBuyIn: number;
  readonly maxBuyIn: number;
  readonly actMs: number;
}
/** Values that only the hub can know. */
export interface Chance {
  firstButton(): Promise<number>;
  cards(hand: number): Promise<Cards>;
  /** Where a tournament seated an account. */
  seats(): Promise<ReadonlyMap<string, number>>;
}
export type SitRefusal =
  | 'buyin-range'
  | 'already-seated'
  | 'started'
  | 'table-full'
  | 'insufficient-funds'
  | 'wrong-state';
