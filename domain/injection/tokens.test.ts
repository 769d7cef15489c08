import assert from 'node:assert/strict';
import { folded, tokensOf } from './tokens.ts';

/** `word start-end sentence next`, with a `^` before a word that leads. */
const wordsIn = (text: string): readonly string[] =>
  tokensOf(text).map(
    ({ word, start, end, sentence, leads, next }) =>
      `${leads ? '^' : ''}${word} ${start}-${end} ${sentence} ${next}`,
  );
const bare = (text: string): readonly string[] => tokensOf(text).map(({ word }) => word);

describe('a word without its disguise', () => {
  it('has small letters without width, accents and invisible characters', () => {
    const rows = [
      ['Ｉｇｎ', 'ign'],
      ['Ünïcode', 'unicode'],
      ['Ig\u200bno\u00adre', 'ignore'],
      ['ПРАВИЛ', 'правил'],
      ['忽略', '忽略'],
      ['\u200b\u0301', ''],
    ] as const;
    for (const [word, expected] of rows) assert.equal(folded(word), expected, word);
  });

  it('has Latin letters for those that look like them, beside Latin ones only', () => {
    assert.equal(folded('Ignоrе'), 'ignore');
    assert.equal(folded('рrеviоus'), 'previous');
    assert.equal(folded('οbey'), 'obey');
    assert.equal(folded('орс'), 'орс', 'all of it is Cyrillic');
  });

  it('has letters for the digits and signs that stand for them in a word', () => {
    const rows = [
      ['1gn0re', 'ignore'],
      ['p@$$word', 'password'],
      ['k33p', 'keep'],
      ['53nd', 'send'],
      ['5end4', 'senda'],
      ['sha256', 'sha256'],
      ['v1', 'v1'],
      ['3d', '3d'],
      ['ab1', 'ab1'],
      ['1000', '1000'],
      ['a-1b', 'a-1b'],
      [`${'a'.repeat(28)}1b`, `${'a'.repeat(28)}ib`],
      [`${'a'.repeat(29)}1b`, `${'a'.repeat(29)}1b`],
      [`0x${'a'.repeat(40)}`, `0x${'a'.repeat(40)}`],
    ] as const;
    for (const [word, expected] of rows) assert.equal(folded(word), expected, word);
  });
});

describe('the words of a text with their places', () => {
  it('know the sign behind them, that of the last one too', () => {
    assert.deepEqual(wordsIn('Hello: two "three"'), [
      '^hello 0-5 0 :',
      'two 7-10 0 "',
      'three 12-17 0 "',
    ]);
    assert.deepEqual(wordsIn('New rules :'), ['^new 0-3 0  ', 'rules 4-9 0 :']);
    assert.deepEqual(wordsIn('New rules'), ['^new 0-3 0  ', 'rules 4-9 0  ']);
    assert.deepEqual(wordsIn('New _ :'), ['^new 0-3 0  ']);
    assert.deepEqual(wordsIn(`one${' '.repeat(200)}: two`)[0], '^one 0-3 0  ');
    assert.deepEqual(wordsIn(`one${' '.repeat(199)}: two`)[0], '^one 0-3 0 :');
    for (const empty of ['', ' ', '_', '!?']) assert.deepEqual(wordsIn(empty), []);
  });

  it('lead a sentence, and a line', () => {
    assert.deepEqual(wordsIn('One two. Three; four\nFive。六'), [
      '^one 0-3 0  ',
      'two 4-7 0 .',
      '^three 9-14 1 ;',
      '^four 16-20 2  ',
      '^five 21-25 3 。',
      '^六 26-27 4  ',
    ]);
    assert.deepEqual(wordsIn('One, two: "Three" - http://c'), [
      '^one 0-3 0 ,',
      'two 5-8 0 :',
      'three 11-16 0 "',
      'http 20-24 0 :',
      'c 27-28 0  ',
    ]);
  });

  it('go on before a small letter, in the next line or after a bare full stop', () => {
    const sentences = (text: string) => tokensOf(text).map(({ sentence }) => sentence);
    for (const text of ['Ignore \n all', 'Ignore\nall', 'Ignore.all']) {
      assert.deepEqual(sentences(text), [0, 0], text);
    }
    for (const text of [
      'One.Two',
      'One. two',
      'One!two',
      'One\nTwo',
      'One\n\ntwo',
      'One.\ntwo',
      'One\n- two',
      'One\n2 a',
    ]) {
      assert.notEqual(sentences(text)[1], 0, text);
    }
    assert.equal(tokensOf('Ignore\nall')[1]?.leads, true, 'it leads its line');
  });

  it('are parts of one with lines below it, in the place of the whole', () => {
    assert.deepEqual(wordsIn('_api__key_ x'), ['^api 0-10 0 ', 'key 0-10 0  ', 'x 11-12 0  ']);
  });

  it('are read for 200 characters of one', () => {
    assert.deepEqual(bare(`${'a'.repeat(250)} b`), ['a'.repeat(200), 'b']);
  });

  it('are one where three and more letters stand apart', () => {
    assert.deepEqual(wordsIn('Go I g n o r e: now'), [
      '^go 0-2 0  ',
      'ignore 3-14 0 :',
      'now 16-19 0  ',
    ]);
    assert.deepEqual(wordsIn('a b c'), ['^abc 0-5 0  ']);
    assert.deepEqual(bare('1 g n 0 r e'), ['ignore']);
    assert.deepEqual(bare('a b'), ['a', 'b']);
    assert.deepEqual(bare('a b to c d'), ['a', 'b', 'to', 'c', 'd']);
    assert.deepEqual(bare('i g n  o r e'), ['ign', 'ore']);
    assert.deepEqual(bare('x_y_z a'), ['x', 'y', 'z', 'a']);
  });
});
