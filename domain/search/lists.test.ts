import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openHeap } from './heap.ts';
import { openLists } from './lists.ts';

describe('sorted lists in typed arrays', () => {
  it('hold what plain arrays hold, whatever is put in, dropped and cleared', () => {
    const step = fc.record({
      list: fc.nat(5),
      value: fc.nat(300),
      act: fc.constantFrom('put', 'put', 'put', 'put', 'drop', 'clear'),
      isMeant: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 600 }), (steps) => {
        const lists = openLists();
        const plain: number[][] = Array.from({ length: 6 }, () => {
          lists.open();
          return [];
        });
        for (const { list, value, act, isMeant } of steps) {
          const all = plain[list] ?? [];
          if (act === 'put' && !all.includes(value)) {
            lists.put(list, value);
            plain[list] = [...all, value].sort((a, b) => a - b);
          } else if (act === 'drop' && all.includes(value)) {
            lists.drop(list, value);
            plain[list] = all.filter((each) => each !== value);
          } else if (act === 'clear' && isMeant) {
            lists.clear(list);
            plain[list] = [];
          }
        }
        for (const [list, all] of plain.entries()) {
          assert.deepEqual([...lists.of(list)], all);
          assert.equal(lists.length(list), all.length);
          const start = lists.start(list);
          const stood = lists.slab(list).subarray(start, start + all.length);
          assert.deepEqual([...stood], all);
        }
      }),
    );
  });

  it('hold long ones beside many short ones', () => {
    const lists = openLists();
    const [long, other] = [lists.open(), lists.open()];
    const COUNT = 600_000;
    for (let value = 0; value < COUNT; value += 1) lists.put(long, 2 * value);
    for (let value = 0; value < 1_000; value += 1) lists.put(other, value);
    lists.put(long, 777);
    const values = lists.of(long);
    assert.equal(values.length, COUNT + 1);
    assert.deepEqual([...values.subarray(388, 391)], [776, 777, 778]);
    assert.equal(values[COUNT], 2 * COUNT - 2);
    assert.equal(lists.of(other)[999], 999);
  });
});

describe('a heap', () => {
  it('keeps the first of an order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50)), fc.nat(12), (all, count) => {
        const heap = openHeap<number>(count + 1, (a, b) => a - b);
        for (const each of all) heap.offer(each);
        const first = [...all].sort((a, b) => a - b).slice(0, count + 1);
        assert.deepEqual(
          heap.all().sort((a, b) => a - b),
          first,
        );
        assert.equal(heap.last() === undefined, all.length <= count);
      }),
    );
  });
});
