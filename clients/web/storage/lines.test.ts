import assert from 'node:assert/strict';
import { isWhole, piecesOf } from './lines.ts';

describe('lines of a space that is imported', () => {
  it('go in pieces of a hundred, and of the letters that one call takes', () => {
    assert.deepEqual(piecesOf('\n \n'), []);
    assert.deepEqual(piecesOf('{"a":1}\r\n\n{"b":2}\n'), [
      { lines: '{"a":1}\r\n{"b":2}', count: 2 },
    ]);
    const many = Array.from({ length: 250 }, (_, n) => `{"n":${n}}`).join('\n');
    assert.deepEqual(
      piecesOf(many).map(({ count }) => count),
      [100, 100, 50],
    );
    const large = ['ä'.repeat(300_000), 'b'.repeat(600_000), 'c'.repeat(300_000)].join('\n');
    assert.deepEqual(
      piecesOf(large).map(({ count }) => count),
      [1, 2],
    );
  });

  it('are whole when the last one says so', () => {
    assert.ok(isWhole('{"line":"space"}\n{"line":"end","notes":0}\n'));
    for (const text of ['', '{"line":"note"}\n', '{"line":"end"', 'null']) {
      assert.equal(isWhole(text), false, text);
    }
  });
});
