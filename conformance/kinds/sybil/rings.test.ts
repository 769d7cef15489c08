import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { cellsOf, runRings, type Outcome } from './rings.ts';

const SUITE_MS_MAX = 300_000;

describe('rings that buy karma', function suite() {
  this.timeout(SUITE_MS_MAX);
  let outcomes: readonly Outcome[] = [];
  before(async () => {
    outcomes = await runRings();
  });
  /** One strategy at each of its sizes, the smallest first. */
  const named = (name: string): readonly Outcome[] => {
    const found = outcomes.filter(({ strategy }) => strategy.startsWith(name));
    assert.ok(found.length >= 2, name);
    return found;
  };

  it('keep nothing of what money that goes round and round gives, at any size', () => {
    for (const name of ['ring, least', 'ring, 1', 'every pair, least', 'back through markets']) {
      for (const { accounts, recorded, discounted } of named(name)) {
        assert.ok(recorded >= 5, `${name} of ${accounts} gains karma as it is recorded`);
        assert.ok(discounted < recorded / 100, `${name} of ${accounts}: ${discounted}`);
      }
    }
  });

  it('keep 20 points at most of work without money', () => {
    for (const { discounted } of named('every pair, no')) assert.ok(discounted <= 20);
  });

  it('keep the karma when they keep the money, and their price shows how little it cost', () => {
    for (const [nth, small] of named('one keeps, least').entries()) {
      const large = named('one keeps, 1')[nth];
      assert.ok(large !== undefined);
      assert.deepEqual([small.discounted, large.discounted], [small.recorded, large.recorded]);
      for (const { fees, price } of [small, large]) assert.ok(price > fees && price < fees * 2);
      assert.ok(large.price > 990 * small.price && large.price < 1_010 * small.price);
    }
  });

  it('have the figures that the page on karma prints', () => {
    const page = readFileSync(new URL('../../../docs/karma.md', import.meta.url), 'utf8');
    for (const each of outcomes) {
      const cells = cellsOf(each);
      const row = page
        .split('\n')
        .find((line) => cells.slice(0, 2).every((cell) => hasCell(line, cell)));
      assert.ok(row !== undefined, `${each.strategy} of ${each.accounts} is not on the page`);
      for (const cell of cells) assert.ok(hasCell(row, cell), `${cell} in ${row}`);
    }
  });
});

function hasCell(row: string, text: string): boolean {
  return row.split('|').some((cell) => cell.trim() === text.trim());
}
