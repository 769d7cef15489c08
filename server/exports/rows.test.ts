import assert from 'node:assert/strict';
import { csvOf } from './rows.ts';

/** Matches a text that a spreadsheet takes for the start of a formula once widths and signs are folded. */
const FORMULA = /^[\s\p{Cc}\p{Cf}\p{Z}"]*[=+\-@\u2212\ufb29]/u;

function cellOf(value: unknown): string {
  const [, line = ''] = csvOf(['a'], [{ a: value }]).split('\r\n');
  return /^".*"$/su.test(line) ? line.slice(1, -1).replaceAll('""', '"') : line;
}

describe('a cell of a CSV export', () => {
  const starts = [...'=+-@＝＋－＠﹢﹣﹦﹫⁺⁻⁼₊₋₌−﬩'];
  const before = ['', ' ', '\u00a0', '\u3000', '\ufeff', '\u200b', '\u200f', '\u202e', '"', '\t'];

  it('is no formula in any script, behind nothing that is skipped or invisible', () => {
    for (const start of starts) {
      for (const skipped of before) {
        const cell = cellOf(`${skipped}${start}HYPERLINK("x")`);
        assert.ok(!FORMULA.test(cell.normalize('NFKC')), JSON.stringify(cell));
      }
    }
  });

  it('has no formula in a part that another locale takes for a cell', () => {
    for (const separator of [';', '\t', ',', '\n', '|']) {
      for (const start of starts) {
        const parts = cellOf(`a${separator}${start}1+1`).split(separator);
        for (const part of parts) assert.ok(!FORMULA.test(part.normalize('NFKC')), part);
      }
    }
  });

  it('has no formula in JSON either, whose value stays as it is', () => {
    for (const separator of [';', ',', '|']) {
      for (const start of starts) {
        const text = `a${separator} ${start}1+1`;
        const value = { 'a.b': text, list: [text, `${start}x`], '-k': null };
        const cell = cellOf(value);
        assert.deepEqual(JSON.parse(cell), value);
        const parts = cell.split(separator).map((part) => part.normalize('NFKC'));
        assert.ok(!parts.some((part) => FORMULA.test(part)), cell);
      }
    }
  });

  it('stays as it is when it is a number or other text', () => {
    for (const text of ['-100', '+5', '1.5', '-0.25', 'a=b', 'a - b', 'مرحبا', '你好', '👍', "'"]) {
      assert.equal(cellOf(text), text);
    }
    assert.equal(cellOf(['-1']), '["-1"]');
    assert.equal(cellOf(-5), '-5');
  });

  it('has nothing that ends a line but a quoted line feed', () => {
    const ends = ['\r', '\v', '\f', '\u001c', '\u001d', '\u001e', '\u0085', '\u2028', '\u2029'];
    for (const end of ends) {
      const code = end.charCodeAt(0).toString(16).padStart(4, '0');
      assert.equal(cellOf(`a${end}b`), `a\\u${code}b`);
      assert.equal(cellOf({ b: `a${end}` }).includes(end), false);
    }
    assert.equal(cellOf('a\nb'), 'a\nb');
    assert.equal(csvOf(['a'], [{ a: 'a\nb' }]), 'a\r\n"a\nb"\r\n');
  });
});
