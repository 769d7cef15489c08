import type { Numbered } from './model/operations.ts';

/** Leaves out halves, then smaller pieces of a failing run; `fails` plays on a fresh database. */
const TRIES_MAX = 400;

export async function shrink(
  operations: readonly Numbered[],
  fails: (operations: readonly Numbered[]) => Promise<boolean>,
): Promise<readonly Numbered[]> {
  const close = related(operations);
  let kept = (await fails(close)) ? close : operations;
  let tries = 0;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = Math.floor(size / 2)) {
    let from = 0;
    while (from < kept.length && tries < TRIES_MAX) {
      const shorter = [...kept.slice(0, from), ...kept.slice(from + size)];
      tries += 1;
      if (shorter.length < kept.length && (await fails(shorter))) kept = shorter;
      else from += size;
    }
  }
  return kept;
}

/** Operations that may affect any task: time, and who judges. */
const FOR_ALL: ReadonlySet<string> = new Set([
  'wait',
  'restart',
  'next',
  'seat',
  'resign',
  'behave',
]);

/** The operations on the last one's task, and the clock's: most failures need no more. */
function related(operations: readonly Numbered[]): readonly Numbered[] {
  const tasks = new Map<string, string>();
  const taskOf = (op: Numbered): string | undefined => {
    if (op.do === 'publish') return `t${op.n}`;
    if (FOR_ALL.has(op.do)) return 'any';
    if ('task' in op) return op.task;
    if ('pitch' in op) return tasks.get(op.pitch);
    return 'attempt' in op ? tasks.get(op.attempt ?? '') : undefined;
  };
  for (const op of operations) {
    const task = taskOf(op);
    if (task === undefined) continue;
    tasks.set(`a${op.n}`, task);
    tasks.set(`p${op.n}`, task);
  }
  const last = operations.at(-1);
  const task = last && taskOf(last);
  const near = new Set(['any', task]);
  return operations.filter((op) => near.has(taskOf(op) ?? 'none'));
}
