import assert from 'node:assert/strict';
import { isWordClass, symbolsOf, vocabularyOf } from './vocabulary.ts';

describe('the words that a pattern may name', () => {
  const known = vocabularyOf(['root', 'your', 'config*', 'Règles', 'con*']);
  const symbols = (word: string): readonly string[] => symbolsOf(known, word);

  it('are those of classes, and single ones beside them', () => {
    assert.deepEqual(symbols('ignore'), ['FORGET']);
    assert.deepEqual(symbols('your'), ['OWN', 'YOURS', 'your']);
    assert.deepEqual(symbols('root'), ['root']);
    assert.deepEqual(symbols('pump'), []);
    assert.deepEqual(symbols(''), []);
  });

  it('have any ending behind a star, and none without it', () => {
    assert.deepEqual(symbols('policies'), ['RULES']);
    assert.deepEqual(symbols('configuration'), ['con*', 'config*']);
    assert.deepEqual(symbols('config'), ['con*', 'config*']);
    assert.deepEqual(symbols('confi'), ['con*']);
    assert.deepEqual(symbols('con'), ['con*']);
    assert.deepEqual(symbols('roots'), []);
  });

  it('are folded like the words of a text', () => {
    assert.deepEqual(symbols('regles'), ['Règles', 'RULES']);
    assert.deepEqual(symbols('règles'), []);
  });

  it('are classes by their names alone', () => {
    assert.deepEqual(['FORGET', 'SYSTEM_PROMPT'].map(isWordClass), [true, true]);
    assert.deepEqual(['forget', 'root', ''].map(isWordClass), [false, false, false]);
  });
});
