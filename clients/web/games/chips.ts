import { count } from '../format.ts';
import type { Table } from '../types.ts';

/** Chips are never written as money; at a cash table one is one atomic unit, as its terms say. */
export function chipsText(chips: string): string {
  return count(Number(chips));
}

export function blindsText({ smallBlind, bigBlind }: Pick<Table, 'smallBlind' | 'bigBlind'>) {
  return [smallBlind, bigBlind].map(chipsText).join(' / ');
}

/** The number of chips that a person typed, with or without commas; undefined when it is none. */
export function chipsOf(text: string): string | undefined {
  const plain = text.trim().replaceAll(',', '');
  return /^\d{1,15}$/.test(plain) ? String(BigInt(plain)) : undefined;
}

interface Street {
  /** The chips of all pots, with the bets of this street. */
  readonly pot: bigint;
  /** The largest bet of this street, and the own one. */
  readonly highest: bigint;
  readonly own: bigint;
}

/** The total bet of this street that raises by a part of the pot, after a call, within the limits. */
export function sizeByPot(
  { pot, highest, own }: Street,
  halves: bigint,
  { minimum, maximum }: { readonly minimum: string; readonly maximum: string },
): string {
  const total = highest + ((pot + highest - own) * halves) / 2n;
  const [least, most] = [BigInt(minimum), BigInt(maximum)];
  return String(total < least ? least : total > most ? most : total);
}
