import assert from 'node:assert/strict';
import type { JsonObject } from '../jsonObject.ts';
import { wordCount, words } from './echo.ts';
import { echoed } from './echoed.ts';

describe('tokens of the echo', () => {
  const texts: readonly (readonly [text: string, tokens: readonly string[]])[] = [
    ['', []],
    ['say it  again', ['say ', 'it ', ' ', 'again']],
    ['x'.repeat(16), ['x'.repeat(16)]],
    [`${'x'.repeat(17)} y`, ['x'.repeat(16), 'x ', 'y']],
    [`a${' '.repeat(18)}b`, ['a ', ' '.repeat(16), ' ', 'b']],
    ['one\ntwo', ['one\n', 'two']],
  ];
  for (const [text, tokens] of texts) {
    it(`are ${tokens.length} for ${JSON.stringify(text)}`, () => {
      assert.deepEqual(words(text), tokens);
      assert.equal(wordCount(text), tokens.length);
    });
  }
});

describe('the answer of the echo', () => {
  const user = (content: unknown): JsonObject => ({ role: 'user', content });
  const answer = (messages: readonly JsonObject[], most = 100, options: JsonObject = {}) => {
    const parts = [...echoed({ messages, options }, most)];
    const finish = parts.find((part) => part.is === 'finish');
    const usage = parts.find((part) => part.is === 'usage');
    const text = parts.flatMap((part) => (part.is === 'text' ? [part.text] : []));
    return { text, reason: finish?.reason, usage: usage?.usage };
  };

  it('is the last message of a user, token by token, with what both cost', () => {
    const asked = [
      { role: 'system', content: 'Be brief.' },
      user('first'),
      { role: 'assistant', content: 'first' },
      user('say it again'),
      { role: 'assistant', content: 'Well' },
    ];
    // Five messages of four tokens each, three before the answer, and eight words.
    assert.deepEqual(answer(asked), {
      text: ['say ', 'it ', 'again'],
      reason: 'stop',
      usage: { input: 31, output: 3 },
    });
  });

  it('joins the parts of a message by lines', () => {
    const parts = [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ];
    assert.deepEqual(answer([user(parts)]).text, ['one\n', 'two']);
  });

  it('ends at the longest answer that was asked for, and says so', () => {
    const asked = [user('one two three')];
    const cut = answer(asked, 2);
    assert.deepEqual([cut.text, cut.reason, cut.usage?.output], [['one ', 'two '], 'length', 2]);
    assert.equal(answer(asked, 3).reason, 'stop');
  });

  it('ends before the first text at which it was asked to stop', () => {
    const asked = [user('one two three')];
    const stopped: readonly (readonly [stop: unknown, text: string])[] = [
      ['two', 'one '],
      [['three', 'two'], 'one '],
      [['four', 'three'], 'one two '],
      ['one', ''],
      ['', 'one two three'],
      [[null, 'four'], 'one two three'],
      [undefined, 'one two three'],
    ];
    for (const [stop, text] of stopped) {
      const { text: given, reason } = answer(asked, 100, { stop });
      assert.deepEqual([given.join(''), reason], [text, 'stop'], JSON.stringify(stop));
    }
  });

  it('is empty where no user said anything', () => {
    assert.deepEqual(answer([{ role: 'system', content: 'Be brief.' }]), {
      text: [],
      reason: 'stop',
      usage: { input: 9, output: 0 },
    });
  });
});

describe('the answer of letters', () => {
  const answer = (content: string, most = 1_000, options: JsonObject = {}) => {
    const prompt = { messages: [{ role: 'user', content }], options };
    const parts = [...echoed(prompt, most, 'letters')];
    return parts.flatMap((part) => (part.is === 'text' ? [part.text] : [])).join('');
  };

  it('is a bar for each word and their count', () => {
    assert.equal(
      answer('Name the sea.'),
      '████ 4 Name\n███ 3 the\n███ 3 sea\n3 words, 10 letters.',
    );
    assert.equal(answer(' … '), '0 words, 0 letters.');
    assert.equal(answer('Name the sea.', 2), '████ 4 ');
  });

  it('is bounded, whatever is sent', () => {
    const long = answer('a'.repeat(100_000));
    assert.equal(long.split('\n')[0]?.indexOf(' '), 15);
    const many = answer('ab '.repeat(10_000));
    assert.equal(many.split('\n').length, 41);
    assert.match(many, /10000 words, 20000 letters\.$/);
    assert.ok(answer('éß漢字 𝒳').endsWith('2 words, 5 letters.'));
  });
});
