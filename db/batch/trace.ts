import type { Asked } from './asked.ts';
import type { Need } from './need.ts';
import type { Transaction } from './transaction.ts';
import type { Effect } from './write.ts';

/** Gets one pass of a batch in words, to follow the machine by (docs/batches.md). */
export type Trace = (pass: Readonly<Record<string, string | number>>) => void;

/** The begin of a pass; the function adds how it ended, once. */
export function tracePass(
  trace: Trace | undefined,
  begin: () => Readonly<Record<string, string | number>>,
): (end: () => Readonly<Record<string, string | number>>) => void {
  if (trace === undefined) return () => undefined;
  const began = performance.now();
  return (end) => {
    const ms = Math.round((performance.now() - began) * 100) / 100;
    trace({ ...begin(), ...end(), ms });
  };
}

/** Such as "wallet.pay, tasks.claim 2". */
export function unitsText(units: readonly Transaction<unknown>[]): string {
  return countsText(units.map(({ name = 'other' }) => [name, 1]));
}

export function askedText(asked: Asked): string {
  return countsText([...asked].map(([{ name }, keys]) => [name, keys.size]));
}

export function needsText(needs: readonly Pick<Need, 'table'>[]): string {
  return countsText(needs.map(({ table }) => [table.name, 1]));
}

/** The names without what `writeObject` adds. */
export function effectsText(effects: readonly Effect[]): string {
  return countsText(
    effects.map(({ name, rows }) => [name.replace(/^effect_|_[0-9a-f]{10}$/g, ''), rows.length]),
  );
}

function countsText(each: readonly (readonly [name: string, count: number])[]): string {
  const counts = new Map<string, number>();
  for (const [name, count] of each) counts.set(name, (counts.get(name) ?? 0) + count);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} ${count}`)).join(', ');
}
