import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { sources } from './tree.ts';

/**
 * A title is read in a list of failures behind its `describe`, which names the subject. So it begins
 * with a verb in the third person ("rejects …", "is …") or is a whole sentence, and never begins in
 * the middle of one.
 */
const MIDDLE = new RegExp(
  `^(?:${[
    'of|with|for|in|by|from|on|at|to|against|beside|between|into|over|under|through|about|within',
    'without|during|among|like|per|as|and|but|or|than|also|even|only|still|again|too|so|then|not',
    'when|if|before|after|while|until|unless|because|since|once|where',
    'who|whose|which|that',
  ].join('|')})(?![\\w-])`,
  'i',
);

describe('the titles of tests', () => {
  it('begin with a verb or are whole sentences', () => {
    const tests = sources.filter((path) => path.endsWith('.test.ts'));
    const titles = tests.flatMap(titlesOf);
    assert.ok(titles.length > 4_000, `${titles.length} titles were found`);
    const faults = titles.filter(({ title }) => MIDDLE.test(title));
    assert.deepEqual(
      faults.map(({ place, title }) => `${place}: ${title}`),
      [],
    );
  });

  it('are found in calls, and refused where they begin in the middle', () => {
    assert.ok(MIDDLE.test('of a key are cut') && MIDDLE.test('without TLS serve a name'));
    assert.ok(!MIDDLE.test('is refused') && !MIDDLE.test('often answers'));
  });
});

interface Title {
  readonly place: string;
  readonly title: string;
}

/** The titles of the calls of `it` that are written where the test is. */
function titlesOf(path: string): readonly Title[] {
  const source = readFileSync(path, 'utf8');
  return [...source.matchAll(/(?<![\w.])it\(\s*['"`]([^\n]*)/g)].map(
    ({ 1: title = '', index }) => ({
      place: `${path}:${source.slice(0, index).split('\n').length}`,
      title,
    }),
  );
}
