import type { Table } from '../../domain/poker/table.ts';

/**
 * A table as JSON. Chips are bigints inside and decimal strings here; which members are chips is a
 * closed list, so that no text of a player is ever taken for a number.
 */
const CHIPS: ReadonlySet<string> = new Set([
  'stack',
  'topUp',
  'boughtIn',
  'cashedOut',
  'smallBlind',
  'bigBlind',
  'minBuyIn',
  'maxBuyIn',
  'buyIn',
  'startStack',
  'bet',
  'total',
  'facedAt',
  'currentBet',
  'lastFullRaise',
  'amount',
]);

export function tableText(table: Table): string {
  return JSON.stringify(table, (_name, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}

/** Reads what `tableText` wrote. */
export function tableFrom(text: string): Table {
  return JSON.parse(text, (name, value: unknown) =>
    CHIPS.has(name) && typeof value === 'string' ? BigInt(value) : value,
  ) as Table;
}
