import assert from 'node:assert/strict';
import { cut, head, shorten, shownName } from './text.ts';

const FACE = '\u{1f600}';

describe('a text of limited length', () => {
  it('is counted in characters and not in halves of them', () => {
    assert.equal(cut('abc', 3), 'abc');
    assert.equal(cut('abcd', 3), 'abc');
    assert.equal(cut(FACE.repeat(3), 3), FACE.repeat(3));
    assert.equal(cut(FACE.repeat(4), 3), FACE.repeat(3));
    assert.equal(cut('ab  cd', 4), 'ab');
    assert.equal(cut('ab  ', 4), 'ab  ', 'a text that fits stays as it is');
  });

  it('never ends in half of a surrogate pair, wherever it is cut', () => {
    for (let before = 0; before < 3; before += 1) {
      const text = `${'a'.repeat(before)}${FACE.repeat(4)}b`;
      for (let max = 0; max <= text.length + 1; max += 1) {
        const cutText = head(text, max);
        assert.ok(cutText.length <= max && cutText.length >= Math.min(text.length, max) - 1);
        assert.ok(text.startsWith(cutText));
        assert.doesNotThrow(() => encodeURIComponent(cutText), `${before} before, ${max}`);
      }
    }
    assert.equal(head('abc', 2), 'ab');
  });

  it('ends in an ellipsis where it is shortened', () => {
    assert.equal(shorten('abc', 3), 'abc');
    assert.equal(shorten('abcd', 3), 'ab\u2026');
    assert.equal(shorten(FACE.repeat(3), 3), FACE.repeat(3));
    assert.equal(shorten(FACE.repeat(4), 3), `${FACE.repeat(2)}\u2026`);
    assert.equal(shorten('a'.repeat(1_000), 4), 'aaa\u2026');
  });
});

describe('a name as it is shown', () => {
  it('is one line without what hides or turns it', () => {
    assert.equal(shownName('  Anna \n\t of\u2028Kiel '), 'Anna of Kiel');
    assert.equal(shownName('An\u202ena'), 'An na');
    assert.equal(shownName('a\u0000\u200b\ufeffb'), 'a b');
    assert.equal(shownName('\u062f\u200c\u0627'), '\u062f\u200c\u0627', 'a letter needs it');
  });

  it('is nothing where nothing of it is seen', () => {
    for (const text of ['', ' \n', '\u200b\u202e']) assert.equal(shownName(text), undefined);
  });
});
