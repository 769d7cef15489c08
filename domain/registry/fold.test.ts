import assert from 'node:assert/strict';
import { foldPage, originalsFirst, type Foldable } from './fold.ts';

const of = (id: string, more: Partial<Foldable> = {}): Foldable => ({
  id,
  operatorId: `of ${id}`,
  ...more,
});
const ids = (some: readonly Foldable[]): string => some.map(({ id }) => id).join(' ');

describe('a page that no one operator fills', () => {
  it('shows three of one operator, and counts the rest under the first of them', () => {
    const many = Array.from({ length: 18 }, (_, nth) => of(`p${nth}`, { operatorId: 'one' }));
    const { shown, folded, used } = foldPage([...many, of('a'), of('b')], 20);
    assert.equal(ids(shown), 'p0 p1 p2 a b');
    assert.deepEqual(folded, [{ under: 'p0', by: 'operator', count: 15 }]);
    assert.equal(used, 20);
  });

  it('shows three of one passport and of one group of copies', () => {
    const held = ['h1', 'h2', 'h3', 'h4'].map((id) => of(id, { holder: 'key' }));
    const copies = ['c1', 'c2', 'c3'].map((id) => of(id, { standsUnder: 'original' }));
    const { shown, folded } = foldPage([...held, of('original'), ...copies], 20);
    assert.equal(ids(shown), 'h1 h2 h3 original c1 c2');
    assert.deepEqual(folded, [
      { under: 'h1', by: 'holder', count: 1 },
      { under: 'original', by: 'copies', count: 1 },
    ]);
  });

  it('ends where the next one that it shows begins, so that no page repeats another', () => {
    const many = ['p0', 'p1', 'p2', 'p3', 'p4'].map((id) => of(id, { operatorId: 'one' }));
    const { shown, used } = foldPage([...many, of('a'), of('b')], 3);
    assert.deepEqual([ids(shown), used], ['p0 p1 p2', 5]);
  });

  it('puts an original where the first of its copies stands', () => {
    const copy = (id: string): Foldable => of(id, { standsUnder: 'original' });
    const ranked = [of('a'), copy('c1'), copy('c2'), of('original'), of('b')];
    assert.equal(ids(originalsFirst(ranked)), 'a original c2 c1 b');
    assert.equal(ids(originalsFirst([of('original'), copy('c1')])), 'original c1');
    assert.equal(ids(originalsFirst([copy('c1'), of('b')])), 'c1 b', 'it does not fit the query');
  });
});
