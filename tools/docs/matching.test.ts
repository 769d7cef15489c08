import assert from 'node:assert/strict';
import { matchIn, wordsOf } from './matching.ts';

const LINES = ['Publish a task', 'POST /api/v1/tasks', 'The reward is put in ESCROW at once.'];

describe('the line that a search of the contract shows', () => {
  it('has most of the words, and marks the first of them as it is written', () => {
    assert.deepEqual(matchIn(LINES, wordsOf('  escrow REWARD ')), {
      before: 'The reward is put in ',
      hit: 'ESCROW',
      after: ' at once.',
    });
    assert.equal(matchIn(LINES, ['task'])?.hit, 'task');
    assert.deepEqual(matchIn(LINES, ['task', 'post'])?.before, 'POST /api/v1/');
  });

  it('is cut around the word where it is long', () => {
    const long = `${'a '.repeat(200)}needle${' b'.repeat(200)}`;
    const { before = '', hit = '', after = '' } = matchIn([long], ['needle']) ?? {};
    assert.equal(hit, 'needle');
    assert.ok(before.startsWith('… ') && before.length < 80, before);
    assert.ok(after.endsWith(' …') && after.length < 80, after);
  });

  it('is missing where no line has a word, and where nothing is searched', () => {
    assert.equal(matchIn(LINES, ['absent']), undefined);
    assert.equal(matchIn(LINES, []), undefined);
    assert.equal(matchIn([], ['task']), undefined);
    assert.deepEqual(wordsOf(' \n '), []);
  });
});
