import { count, usdc } from '../format.ts';
import type { Table } from '../types.ts';

export type Format = Table['format'];

/** One chip of a cash table is one atomic unit, so its chips are shown as the money that they are. */
export function chipsText(chips: string, format: Format): string {
  return format === 'cash' ? usdc(chips) : count(Number(chips));
}

/** Chips of a tournament are no money, so its blinds are numbers. */
export function blindsText({
  format,
  smallBlind,
  bigBlind,
}: Pick<Table, 'format' | 'smallBlind' | 'bigBlind'>): string {
  return [smallBlind, bigBlind].map((chips) => chipsText(chips, format)).join(' / ');
}
