import assert from 'node:assert/strict';
import { codePoints, judge } from './judge.ts';
import { lookup, parsePath, pointerOf } from './path.ts';
import { usesSchema, type AcceptanceRule } from './rule.ts';
import { identity, jsonEqual, measure, preview, stringLeaves } from './values.ts';

describe('a place in a result', () => {
  const at = (path: string, root: unknown): unknown => {
    const { steps } = parsePath(path);
    return steps === undefined ? 'no path' : lookup(root, steps)?.value;
  };

  it('is found through own members alone', () => {
    const root = { a: { b: null, text: 'four' }, list: ['x', 'y'] };
    assert.equal(at('a.b', root), null);
    assert.equal(at('/list/1', root), 'y');
    for (const path of ['a.b.c', 'a.text.length', 'a.text.0', 'list.length', 'list.2', '/a/']) {
      assert.equal(at(path, root), undefined, path);
    }
    assert.deepEqual(at('', root), root);
  });

  it('is written as a JSON Pointer', () => {
    assert.equal(pointerOf(['a/b', '~', '', '0']), '/a~1b/~0//0');
    assert.equal(pointerOf([]), '');
  });
});

describe('a result', () => {
  const rule: AcceptanceRule = { kind: 'contains', values: ['x'] };
  const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)]);
  const noSchema = (): never => {
    throw new Error('a pure rule asked for a schema');
  };

  it('nests 64 levels at most', () => {
    assert.deepEqual(judge(rule, nested(64), noSchema), { accepted: true });
    assert.deepEqual(judge(rule, nested(65), noSchema), {
      accepted: false,
      refused: [
        {
          path: '',
          rule: 'result.depth',
          expected: 'at most 64 levels of nesting',
          got: 'more',
          text: 'result: expected at most 64 levels of nesting, got more (result.depth)',
        },
      ],
    });
  });

  it('needs the compiler of schemas when any part of its rule is one', () => {
    const schema: AcceptanceRule = { kind: 'json_schema', schema: {} };
    const all = (...of: readonly AcceptanceRule[]): AcceptanceRule => ({ kind: 'all', of });
    assert.deepEqual(
      [rule, schema, all(rule), all(rule, schema), all(rule, all(schema)), all(all(rule))].map(
        usesSchema,
      ),
      [false, true, false, true, true, false],
    );
  });

  it('is asked for ten reasons at most, over all parts of a rule', () => {
    const checks = Array.from({ length: 9 }, (_, nth) => ({ path: `p${nth}`, equals: 1 }));
    const fields: AcceptanceRule = { kind: 'fields', checks };
    let asked = 0;
    const verdict = judge(
      { kind: 'all', of: [fields, fields, { kind: 'json_schema', schema: {} }] },
      {},
      () => {
        asked += 1;
        return [];
      },
    );
    assert.ok(!verdict.accepted);
    assert.deepEqual([verdict.refused.length, asked], [10, 0]);
  });
});

describe('a JSON value', () => {
  it('is counted with its nesting, no further than the limits', () => {
    const value = { a: [1, 2], b: 'x' };
    assert.deepEqual(measure(value, 99, 99), { nodes: 5, depth: 2 });
    assert.deepEqual(measure('x', 99, 99), { nodes: 1, depth: 0 });
    assert.deepEqual(measure([], 99, 99), { nodes: 1, depth: 1 });
    assert.deepEqual(measure([[[[1]]]], 99, 2), { nodes: 3, depth: 3 });
    assert.deepEqual(measure([[[[1]]]], 2, 99), { nodes: 3, depth: 3 });
  });

  it('is equal to another by its members, items and types', () => {
    const different = [
      [[1, 2], [12]],
      [[1], [1, 2]],
      [[1], { 0: 1 }],
      [{ a: 1 }, { b: 1 }],
      [{ a: 1 }, { a: 1, b: 2 }],
      [{ a: 1 }, { a: 2 }],
      [null, {}],
      [1, '1'],
      [[[]], []],
    ] as const;
    for (const [a, b] of different) {
      assert.equal(jsonEqual(a, b), false);
      assert.notEqual(identity(a), identity(b));
    }
    assert.equal(jsonEqual({ a: [1, null], b: {} }, { b: {}, a: [1, null] }), true);
    assert.equal(identity({ b: {}, a: [1, null] }), '{"a":[1,null],"b":{}}');
  });

  it('has its texts in the order of the document', () => {
    const value = { a: ['1', { b: '2' }], c: null, d: 7, e: '3' };
    assert.deepEqual(stringLeaves(value), ['1', '2', '3']);
    assert.deepEqual([stringLeaves('x'), stringLeaves(7)], [['x'], []]);
  });

  it('is shown up to a length, and ends in an ellipsis when it is cut', () => {
    const value = { a: [1, { b: null }], c: 'x' };
    const text = '{"a":[1,{"b":null}],"c":"x"}';
    assert.equal(preview(value), text);
    assert.equal(preview(value, text.length), text);
    for (let max = 1; max < text.length; max += 1) {
      assert.equal(preview(value, max), `${text.slice(0, max - 1)}…`, String(max));
    }
    assert.equal(preview('x'.repeat(78)), `"${'x'.repeat(78)}"`);
    assert.equal(preview('x'.repeat(79)), `"${'x'.repeat(78)}…`);
    assert.equal(preview({ ['k'.repeat(99)]: 1 }, 10), `{"${'k'.repeat(7)}…`);
    assert.equal(preview('😀'.repeat(20), 10), `"${'😀'.repeat(8)}…`);
    assert.equal(
      preview(
        Array.from({ length: 9 }, () => 1),
        6,
      ),
      '[1,1,…',
    );
  });

  it('has as many characters as code points', () => {
    assert.deepEqual(['', 'a', '\uffff', '\u{10000}', 'é😀', '\ud800'].map(codePoints), [
      ...[0, 1, 1, 1, 2, 1],
    ]);
  });
});
