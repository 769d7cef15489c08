import { strict as assert } from 'node:assert';
import { randomBytes, randomInt } from 'node:crypto';
import { bytesOf } from './packing.ts';
import { openTexts } from './texts.ts';

describe('texts of an index', () => {
  it('keeps each once, by number, like a map', () => {
    const [texts, ids] = [openTexts(), new Map<string, number>()];
    const letters = ['a', 'b', 'é', '語', '😀', '='];
    for (let n = 0; n < 20_000; n += 1) {
      const text =
        n % 2 === 0
          ? randomBytes(randomInt(20)).toString('hex')
          : Array.from({ length: randomInt(5) }, () => letters[randomInt(letters.length)]).join('');
      assert.equal(texts.idOf(text), ids.get(text), text);
      if (!ids.has(text)) ids.set(text, ids.size);
      assert.equal(texts.add(text), ids.get(text), text);
      assert.equal(texts.size, ids.size);
    }
    for (const [text, id] of ids) assert.equal(texts.of(id), text);
    assert.equal(texts.of(ids.size), '');
    assert.equal(texts.idOf('never added'), undefined);
  });

  it('orders them by their bytes', () => {
    const texts = openTexts();
    const all = ['b', '', 'ab', 'a', 'é', 'aé', 'z', '語', '😀'];
    const ids = all.map((text) => texts.add(text)).sort((a, b) => texts.compare(a, b));
    const ordered = [...all].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    for (const id of ids) {
      for (const text of [...all, 'aa', 'ｚ']) {
        const expected = Buffer.compare(Buffer.from(texts.of(id)), Buffer.from(text));
        assert.equal(Math.sign(texts.compareTo(id, text)), expected, text);
      }
    }
    assert.deepEqual(
      ids.map((id) => texts.of(id)),
      ordered,
    );
  });

  it('takes little more than the letters', () => {
    const texts = openTexts();
    const count = 100_000;
    for (let n = 0; n < count; n += 1) texts.add(`task_${randomBytes(16).toString('hex')}`);
    const each = bytesOf(texts.state()) / count;
    assert.ok(each < 2 * (37 + 12), `${each} bytes each`);
  });
});
