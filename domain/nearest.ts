import { differencesOf } from './closest.ts';

/** The known name that an unknown one most likely stands for. */

/** Longer names are no typos, and comparing takes the product of the lengths. */
const NAME_MAX = 40;

/** Finds a name that differs by case, underscores, a missing part or a few letters. */
export function nearestName(unknown: string, known: readonly string[]): string | undefined {
  if (unknown.length === 0 || unknown.length > NAME_MAX) return undefined;
  const wanted = plain(unknown);
  const scored = known
    .filter((name) => name.length <= NAME_MAX)
    .map((name) => ({ name, score: distance(wanted, plain(name)) }))
    .filter(({ score }) => score < Infinity)
    .sort((a, b) => a.score - b.score);
  return scored[0]?.name;
}

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
}

/** One name within the other is nearer than letters that differ; what is too far is none. */
function distance(a: string, b: string): number {
  if (a === b) return 0;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (lettersOf(a) === lettersOf(b)) return 1;
  if (short.length >= 3 && long.includes(short)) return 1 + (long.length - short.length) / NAME_MAX;
  const letters = differencesOf(a, b);
  return letters <= Math.max(1, Math.floor(long.length / 3)) ? 1 + letters : Infinity;
}

function lettersOf(name: string): string {
  return [...name].sort().join('');
}
