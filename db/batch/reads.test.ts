import assert from 'node:assert/strict';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { linkOf, type Link, type Statement } from '../connection.ts';
import type { Store } from '../store.ts';
import { openReads, readAsked } from './reads.ts';
import { readOrder } from './tables.ts';

const SETS_MAX = 5;
const SETS = 40;

onBothDatabases('the reading of a batch', (open) => {
  let store: Store;
  before(async () => {
    store = await open();
  });

  /** Every table whose place has its bit in `nth`, and one more; all for no key. */
  const asked = (nth: number) =>
    new Map(
      readOrder
        .filter((_, place) => place === nth % readOrder.length || ((nth >> (place % 6)) & 1) === 1)
        .map((table) => [table, new Map()] as const),
    );

  it('has few statements, whatever sets of tables come, and each answers what was asked', async () => {
    const reads = openReads(SETS_MAX);
    const texts = new Set<string>();
    await store.write(async (tx) => {
      const link: Link = Object.assign(Object.create(linkOf(tx)) as Link, {
        rows(text: Statement, values: Parameters<Link['rows']>[1]) {
          texts.add(text[linkOf(tx).dialect]);
          return linkOf(tx).rows(text, values);
        },
      });
      for (let nth = 0; nth < SETS; nth += 1) {
        const { row } = await readAsked(link, asked(nth), reads);
        for (const { name } of asked(nth).keys()) assert.ok(row !== undefined && name in row, name);
      }
    });
    assert.ok(texts.size <= 2 * (SETS_MAX + 1), `${texts.size} statements`);
  });

  it('asks nothing when no table is asked for', async () => {
    const { row } = await store.read((db) => readAsked(linkOf(db), new Map()));
    assert.equal(row, undefined);
  });
});
