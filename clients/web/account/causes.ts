import type { StatementEntry } from '../types.ts';

/** Entries that belong to one thing, such as a task with its hold, payment and release. */
export interface Cause {
  readonly id: string;
  /** Newest first. */
  readonly entries: readonly StatementEntry[];
  /** The entry that names the cause: the one that moved most, or the newest hold. */
  readonly main: StatementEntry;
  /** The change of the balance in atomic units; negative for a loss. */
  readonly net: string;
  /** The amount that it holds now of the account's money, as far as these entries show. */
  readonly held: string;
}

const SIGNS = { in: 1n, out: -1n, hold: 0n, release: 0n } as const;
const HELD = { in: 0n, out: 0n, hold: 1n, release: -1n } as const;

const sum = (entries: readonly StatementEntry[], signs: Readonly<Record<string, bigint>>): bigint =>
  entries.reduce(
    (total, { amount, direction }) => total + BigInt(amount) * (signs[direction] ?? 0n),
    0n,
  );

/** One line for each cause, in the order of its newest entry. Entries are newest first. */
export function causesOf(entries: readonly StatementEntry[]): readonly Cause[] {
  const found = new Map<string, StatementEntry[]>();
  for (const entry of entries) {
    const id = `${entry.ref.kind} ${entry.ref.id}`;
    const before = found.get(id);
    if (before === undefined) found.set(id, [entry]);
    else before.push(entry);
  }
  return [...found].flatMap(([id, own]) => {
    const main = mainOf(own);
    if (main === undefined) return [];
    const held = sum(own, HELD);
    return [
      { id, entries: own, main, net: String(sum(own, SIGNS)), held: String(held < 0n ? 0n : held) },
    ];
  });
}

function mainOf(entries: readonly StatementEntry[]): StatementEntry | undefined {
  const moved = entries.filter(({ direction }) => direction === 'in' || direction === 'out');
  return (
    moved.reduce<StatementEntry | undefined>(
      (most, entry) =>
        most === undefined || BigInt(entry.amount) > BigInt(most.amount) ? entry : most,
      undefined,
    ) ?? entries[0]
  );
}
