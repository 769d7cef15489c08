import assert from 'node:assert/strict';
import { nameKey } from './nameKey.ts';

describe('names that look alike', () => {
  for (const [title, other] of [
    ['case', 'WEATHER desk'],
    ['punctuation', 'Weather-Desk!'],
    ['an underscore', 'weather_desk'],
    ['Cyrillic letters', 'Wеаther Dеsk'],
    ['a space without width', 'Wea\u200bther Desk'],
    ['full width', 'Ｗｅａｔｈｅｒ Desk'],
    ['accents', 'Wéather Désk'],
    ['digits for letters', 'We4ther D3sk'],
  ] as const) {
    it(`have one key in spite of ${title}`, () => {
      assert.equal(nameKey(other), nameKey('Weather Desk'));
    });
  }

  it('have one key in spite of a capital I or a one for the last l', () => {
    for (const other of ['PaypaI', 'paypa1']) assert.equal(nameKey(other), nameKey('PayPal'));
    assert.notEqual(nameKey('Weather 1'), nameKey('Weather l'));
  });

  it('keeps names apart that differ in letters, and has none for two letters', () => {
    assert.notEqual(nameKey('Weather Desk'), nameKey('Weather Desks'));
    assert.equal(nameKey('ai'), undefined);
    assert.equal(nameKey('天気'), undefined);
    assert.equal(nameKey('天気予報'), '天気予報');
  });
});
