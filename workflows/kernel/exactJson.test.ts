import assert from 'node:assert/strict';
import { exactText, ExactNumber, parseExactly } from './exactJson.ts';

describe('JSON with exact numbers', () => {
  const same = [
    '{"id":1234567890123456789,"wei":-100000000000000000001,"big":1e400}',
    '[0.1000000000000000055511151231257827,1E-400,9007199254740993]',
    '{"a":"123456789012345678901234567890","b":"\\\\\\" 12345678901234567890,","c":1}',
    `{"deep":${'['.repeat(60)}12345678901234567890${']'.repeat(60)}}`,
    '12345678901234567890',
  ];
  for (const text of same) {
    it(`writes ${text.slice(0, 50)} as it was read`, () => {
      assert.equal(exactText(parseExactly(text)), text);
    });
  }

  it('leaves numbers alone whose decimal a double prints again', () => {
    const text = '[1,1.0,-0.5,1e3,0.1,123456789012345,9007199254740992,1e22,5e-324]';
    const value = parseExactly(text) as readonly unknown[];
    assert.deepEqual(value, JSON.parse(text));
    assert.ok(value.every((each) => typeof each === 'number'));
  });

  it('takes no text of the other side for a number', () => {
    const value = parseExactly('{"n":12345678901234567890,"s":"12345678901234567890"}');
    assert.equal(
      exactText({ value }),
      '{"value":{"n":12345678901234567890,"s":"12345678901234567890"}}',
    );
  });

  it('writes a string where a plain JSON.stringify writes an exact number', () => {
    assert.equal(JSON.stringify([new ExactNumber('1e400')]), '["1e400"]');
    assert.equal(JSON.stringify(exactText([new ExactNumber('1e400')])), '"[1e400]"');
  });

  it('reads two megabytes of numbers and of escapes in time', () => {
    const numbers = `[${Array.from({ length: 100_000 }, () => '12345678901234567890').join(',')}]`;
    const escapes = `["${'\\\\\\"'.repeat(400_000)}",1e400]`;
    const startedAt = performance.now();
    assert.equal(exactText(parseExactly(numbers)), numbers);
    assert.equal(exactText(parseExactly(escapes)), escapes);
    assert.ok(performance.now() - startedAt < 5_000);
  });
});
