import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { cellsOf, RINGS, runRing, type Outcome } from './rings.ts';

describe('rings that buy karma', function suite() {
  this.timeout(120_000);
  const outcomes = new Map(RINGS.map((size) => [size, [] as readonly Outcome[]]));
  before(() => {
    for (const size of RINGS) outcomes.set(size, runRing(size));
  });
  const named = (size: number, name: string): Outcome => {
    const found = outcomes.get(size as 5)?.find(({ strategy }) => strategy.startsWith(name));
    assert.ok(found !== undefined);
    return found;
  };

  it('keep nothing of what money that goes round and round gives, at any size', () => {
    for (const size of RINGS) {
      for (const name of ['ring, least', 'ring, 1', 'every pair, least']) {
        const { recorded, discounted } = named(size, name);
        assert.ok(recorded >= 5, `${name} of ${size} gains karma as it is recorded`);
        assert.ok(discounted < recorded / 100, `${name} of ${size}: ${discounted}`);
      }
    }
  });

  it('keep 20 points at most of work without money', () => {
    for (const size of RINGS) assert.ok(named(size, 'every pair, no').discounted <= 20);
  });

  it('that keep the money keep the karma, and their price shows how little it cost', () => {
    for (const size of RINGS) {
      const [small, large] = [named(size, 'one keeps, least'), named(size, 'one keeps, 1')];
      assert.deepEqual([small.discounted, large.discounted], [small.recorded, large.recorded]);
      const feesOf = ({ fees, price }: Outcome): void =>
        assert.ok(price > fees && price < fees * 2);
      feesOf(small);
      feesOf(large);
      assert.ok(large.price > 990 * small.price && large.price < 1_010 * small.price);
    }
  });

  it('have the figures that the page on karma prints', () => {
    const page = readFileSync(new URL('../../docs/karma.md', import.meta.url), 'utf8');
    for (const each of [...outcomes.values()].flat()) {
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
