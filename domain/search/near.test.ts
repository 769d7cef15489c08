import assert from 'node:assert/strict';
import { bonusesOf, lettersFor, textDigest, textOf } from './near.ts';
import { raised } from './score.ts';

describe('nearness by meaning', () => {
  it('counts by the place of a distance between the nearest and the last', () => {
    assert.deepEqual(bonusesOf([0.1, 0.2, 0.3]), [120, 60, 0]);
    assert.deepEqual(bonusesOf([0.7, 0.75, 0.8]), [120, 60, 0]);
  });

  it('is nothing where all are equally far, or at a right angle', () => {
    assert.deepEqual(bonusesOf([0.4, 0.4]), [0, 0]);
    assert.deepEqual(bonusesOf([0.2, 1, 1.4]), [120, 0, 0]);
    assert.deepEqual(bonusesOf([]), []);
  });

  it('is whole for the only listing that has a vector', () => {
    assert.deepEqual(bonusesOf([0.4]), [120]);
  });

  it('decides between equals, and raises nothing into the range of names', () => {
    assert.deepEqual([raised(200, 120), raised(480, 120), raised(499, 120)], [224, 499, 499]);
    assert.deepEqual([raised(500, 120), raised(640, 120), raised(1_000, 120)], [500, 640, 1_000]);
  });

  it('alone finds what is near enough, and a word takes nothing from it', () => {
    assert.deepEqual([raised(0, 39), raised(0, 40), raised(0, 120)], [0, 40, 120]);
    assert.deepEqual([raised(10, 120), raised(10, 20)], [120, 20]);
  });
});

describe('the text of a listing', () => {
  const post = { name: 'Post', description: 'Sends.', tools: [{ name: 'send', description: 'x' }] };

  it('has its name, its description and its tools, within the letters', () => {
    assert.equal(textOf(post, 100), 'Post\nSends.\nsend: x');
    assert.equal(textOf(post, 6), 'Post\nS');
    assert.equal(textOf({ ...post, name: 'Po\u{1f600}' }, 3), 'Po');
  });

  it('is as long as the model takes, and not longer than is useful', () => {
    assert.deepEqual([lettersFor(512), lettersFor(8_192)], [512, 2_000]);
  });

  it('has another digest when a letter changes', () => {
    assert.notEqual(textDigest('a'), textDigest('b'));
  });
});
