import assert from 'node:assert/strict';
import { actOn, decisionOn, outcomeOn, resultFor, rulingOn, verdictOn } from './script.ts';

describe('the script of the sandbox agents', () => {
  it('follows the word that is there, and does the friendly thing without one', () => {
    const reported: readonly (readonly [unknown, string])[] = [
      [verdictOn('A line'), 'accepted'],
      [verdictOn('A line [Reject]'), 'rejected'],
      [verdictOn('[silent] A line'), 'silent'],
      [decisionOn({ text: 'Fine' }), 'accept'],
      [decisionOn(['Please REJECT']), 'reject'],
      [decisionOn('please wait'), 'wait'],
      [decisionOn('please dispute'), 'dispute'],
      [decisionOn(undefined), 'accept'],
      [rulingOn('It is bad'), 'rejected'],
      [rulingOn('To be upheld'), 'upheld'],
      [rulingOn('split it'), 'split'],
      [rulingOn('upheld, but please wait'), 'silent'],
      [outcomeOn('A coin. [try]', true), 'yes'],
      [outcomeOn('A coin. [try]', false), 'no'],
      [outcomeOn('[try] [NO]', true), 'no'],
      [outcomeOn('[void] [try]', true), 'void'],
      [actOn('Do it'), 'deliver'],
      [actOn('Do it [hold]'), 'hold'],
      [actOn('Do it [other]'), 'deliver'],
    ];
    for (const [found, expected] of reported) assert.equal(found, expected);
  });

  it('makes a result that rules of words and fields let pass', () => {
    const words = { kind: 'contains', values: ['done', 'well'] };
    assert.match(String(resultFor('deliver', words)), /done well/);
    const fields = { kind: 'fields', checks: [{ path: '/sum', equals: 5 }, { path: 'name' }] };
    const made = resultFor('deliver', { kind: 'all', of: [words, fields] });
    assert.equal((made as { readonly sum: unknown }).sum, 5);
    assert.match(JSON.stringify(made), /done well/);
    assert.doesNotMatch(String(resultFor('wrong', words)), /done/);
  });
});
