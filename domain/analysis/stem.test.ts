import assert from 'node:assert/strict';
import { stem } from './stem.ts';

describe('the stem of an English word', () => {
  it('is the word without its longest ending', () => {
    const rows = [
      ['organizations', 'organ'],
      ['translation', 'transl'],
      ['translator', 'transl'],
      ['payments', 'pay'],
      ['searching', 'search'],
      ['queries', 'quer'],
      ['query', 'quer'],
      ['quickly', 'quick'],
      ['prices', 'pric'],
      ['price', 'pric'],
    ] as const;
    for (const [word, expected] of rows) assert.equal(stem(word), expected, word);
  });

  it('has at least three letters', () => {
    const rows = [
      ['uses', 'use'],
      ['used', 'used'],
      ['sing', 'sing'],
      ['bing', 'bing'],
      ['does', 'doe'],
      ['map', 'map'],
      ['is', 'is'],
    ] as const;
    for (const [word, expected] of rows) assert.equal(stem(word), expected, word);
  });

  it('loses a doubled letter that the ending brought, and keeps one that was there', () => {
    const rows = [
      ['mapping', 'map'],
      ['scraper', 'scrap'],
      ['scrapper', 'scrap'],
      ['applies', 'appl'],
      ['adding', 'add'],
      ['trolls', 'troll'],
      ['gazelle', 'gazell'],
      ['buzzing', 'buzz'],
    ] as const;
    for (const [word, expected] of rows) assert.equal(stem(word), expected, word);
  });

  it('is the word itself when it ends in a double s or is not plain English', () => {
    for (const word of ['glass', 'address', 'straßes', 'cafés', 'w3cs', 'Plans', '東京s']) {
      assert.equal(stem(word), word);
    }
  });
});
