import { strict as assert } from 'node:assert';
import { linkOf, type Link, type Reader } from '../connection.ts';
import { openLedgerMemory, type LedgerMemory } from '../ledger/memory.ts';
import { askedBy } from './asked.ts';
import { endingOf, PASSES_ALONE_MAX } from './attempts.ts';
import { effectsOf } from './effects.ts';
import { readAsked } from './reads.ts';
import { writeOrder } from './tables.ts';
import type { View } from './transaction.ts';
import { WorkingSet } from './workingSet.ts';

/** Answers a view within the snapshot of a reader, beside other reads of it. */
export function viewIn<T>(db: Reader, view: View<T>): Promise<T> {
  return answerView(linkOf(db), view, openLedgerMemory());
}

/**
 * Answers a view from one statement, which takes no lock and sees one snapshot. A view that looks up
 * more than it named reads everything again with it, so that its rows always agree.
 */
export async function answerView<T>(link: Link, view: View<T>, ledger: LedgerMemory): Promise<T> {
  const needs = [...view.needs];
  for (let passes = 1; ; passes += 1) {
    const asked = askedBy(needs);
    const { row } = await readAsked(link, asked, true);
    const set = new WorkingSet(link.dialect, ledger);
    set.expect(asked);
    for (const table of asked.keys()) set.load(table, row?.[table.name], true);
    const attempt = set.run(view);
    const ended = endingOf(attempt, passes === PASSES_ALONE_MAX);
    if (ended === undefined) {
      needs.push(...(attempt.ok === undefined ? attempt.missing : []));
      continue;
    }
    assert.equal(effectsOf(set, writeOrder).length, 0, 'a view writes nothing');
    if (!ended.ok) throw ended.error;
    // The answer is what this view's own `decide` gave.
    return ended.answer as T;
  }
}
