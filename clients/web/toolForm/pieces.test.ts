import assert from 'node:assert/strict';
import { piecesOf } from './pieces.ts';

const kinds = (result: unknown): readonly string[] => piecesOf(result).map(({ kind }) => kind);
const PNG = 'iVBORw0KGgo=';
const picture = (data: string, mimeType = 'image/png') =>
  piecesOf({ content: [{ type: 'image', data, mimeType }] })[0];

describe('the answer of a tool', () => {
  it('is texts, pictures, tables and trees, whichever protocol has it', () => {
    const text = { kind: 'text', text: 'seven' };
    const table: readonly (readonly [unknown, readonly unknown[]])[] = [
      ['seven', [text]],
      [{ content: [{ type: 'text', text: 'seven' }] }, [text]],
      [{ parts: [{ kind: 'text', text: 'seven' }] }, [text]],
      [{ parts: [{ text: 'seven' }] }, [text]],
      [{ artifacts: [{ parts: [{ text: 'seven' }] }, { parts: 7 }, null] }, [text]],
      [{ status: { message: { parts: [{ text: 'seven' }] } } }, [text]],
      [{ content: [{ type: 'resource', resource: { text: 'seven' } }] }, [text]],
      [
        { content: [{ type: 'text', text: '{"a":{"b":1}}' }] },
        [{ kind: 'data', value: { a: { b: 1 } } }],
      ],
      [{ content: [{ type: 'text', text: '{no JSON' }] }, [{ kind: 'text', text: '{no JSON' }]],
      [{ parts: [{ kind: 'data', data: { a: [1] } }] }, [{ kind: 'data', value: { a: [1] } }]],
      [{ content: [] }, []],
      [undefined, []],
      [7, [{ kind: 'data', value: 7 }]],
    ];
    for (const [result, pieces] of table) assert.deepEqual(piecesOf(result), pieces);
  });

  it('shows structured content once, and pictures beside it', () => {
    const content = [
      { type: 'text', text: '{"a":{"b":1}}' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
    ];
    assert.deepEqual(kinds({ content, structuredContent: { a: { b: 1 } } }), ['picture', 'data']);
  });

  it('shows a list of flat objects as a table, bounded in rows, columns and letters', () => {
    const rows = Array.from({ length: 70 }, (_, n) => ({ n, name: 'x'.repeat(999), none: null }));
    for (const result of [
      rows,
      { rows },
      { content: [{ type: 'text', text: JSON.stringify(rows) }] },
    ]) {
      const [piece] = piecesOf(result);
      assert.ok(piece?.kind === 'table');
      assert.deepEqual(
        [piece.columns, piece.rows.length, piece.all],
        [['n', 'name', 'none'], 50, 70],
      );
      assert.equal(piece.rows[3]?.[1]?.length, 200);
    }
    const wide = [Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`c${n}`, n]))];
    const [piece] = piecesOf(wide);
    assert.ok(piece?.kind === 'table' && piece.columns.length === 8);
    assert.deepEqual(kinds([{ a: { b: 1 } }]), ['data']);
    assert.deepEqual(kinds([]), ['data']);
  });

  it('shows pictures of four types that are small, and never a document', () => {
    assert.deepEqual(picture(PNG), { kind: 'picture', source: `data:image/png;base64,${PNG}` });
    for (const type of ['image/svg+xml', 'image/png;x', 'image/png,<svg>', 'image/bmp']) {
      assert.deepEqual(picture(PNG, type), { kind: 'picture', source: undefined }, type);
    }
    assert.deepEqual(picture('not base64!'), { kind: 'picture', source: undefined });
    assert.deepEqual(picture('A'.repeat(3_000_004)), { kind: 'picture', source: undefined });
  });

  it('shows twenty pieces at most', () => {
    const content = Array.from({ length: 500 }, () => ({ type: 'text', text: 'x' }));
    assert.equal(piecesOf({ content }).length, 20);
  });
});
