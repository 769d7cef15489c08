import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { glossary } from './glossary.ts';

const web = join(import.meta.dirname, '..');
const textFiles = ['texts.ts', ...readdirSync(import.meta.dirname).map((name) => `texts/${name}`)]
  .filter((path) => path.endsWith('.ts') && !/(test|glossary)\.ts$/.test(path))
  .map((path) => [path, readFileSync(join(web, path), 'utf8')] as const);
const pages = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.tsx'))
  .map((path) => [path, readFileSync(join(web, path), 'utf8')] as const);

/** Terms of the contract and of trades that a page says in other words, with those words. */
const ORDINARY: readonly (readonly [term: RegExp, word: string])[] = [
  [/announce an attempt/i, 'Say that you work on it'],
  [/terms revision|revision of the terms/i, 'Version of this description'],
  [/silence accepts after/i, 'Accepted without an answer after'],
  [/'Looks'/, 'visits'],
  [/karma without links/i, 'karma that unlinked accounts gave'],
  [/calls that wait for you/i, 'approvals in words'],
  [/auto-?accept/i, 'Accepted without an answer after'],
  [/\bleases?\b/i, 'Time of a worker'],
  [/idempotency key for/i, 'the browser adds it'],
  [/basis points?|\bbps\b/i, 'percent'],
  [/\bpayee\b/i, 'who is paid'],
  [/\bnonce\b/i, 'random value'],
  [/\bbase58\b/i, 'the letters of a key'],
  [/\borphaned\b/i, 'dropped by the chain'],
  [/\bmandate\b/i, 'permission'],
  [/\bsuperseded\b/i, 'another result was accepted'],
  [/\brake\b/i, 'fee of the table'],
  [/\bearmarked\b/i, 'Kept for the judges'],
  [/\bp(50|90|99)\b/i, 'Nine of ten within'],
  [/conservation/i, 'recounted books'],
];

/** Reduces a file to what a page may show: quoted words, without the names of members, types and reason codes. */
function shown(text: string): string {
  return text
    .replaceAll(/^\s*(\/\*\*|\*|\/\/).*$/gm, '')
    .replaceAll(/^\s*(?:'[\w.:-]+'|[\w$]+)\s*:/gm, '')
    .replaceAll(/'[\w-]+(?:\.[\w-]+)+'/g, '')
    .replaceAll(/^import .*$/gm, '');
}

describe('terms that a first reader cannot know', () => {
  it('are thirty at least, explained or said in ordinary words', () => {
    assert.ok(Object.keys(glossary).length >= 30);
    for (const line of Object.values(glossary)) assert.match(line, /^[A-Z][^\n]{10,140}\.$/);
  });

  it('are explained under the very word that a page shows', () => {
    const all = textFiles.map(([, text]) => text).join('\n');
    const unused = Object.keys(glossary).filter((term) => !all.includes(`'${term}'`));
    assert.deepEqual(unused, []);
  });

  it('are explained on each page that shows one of them as a name', () => {
    const without = pages.flatMap(([path, text]) => {
      const tables = text
        .split('<Facts')
        .slice(1)
        .map((each) => each.split('/>\n')[0] ?? '');
      return tables
        .filter((table) => NAMED.test(table) && !text.includes('terms={glossary}'))
        .map(() => path);
    });
    assert.deepEqual(without, []);
  });

  it('are nowhere said by the word of the trade', () => {
    const found = textFiles.flatMap(([path, text]) =>
      ORDINARY.filter(([term]) => term.test(shown(text))).map(
        ([term, word]) => `${path}: ${String(term)}, say: ${word}`,
      ),
    );
    assert.deepEqual(found, []);
  });
});

/** Members of the texts whose values the glossary explains. */
const NAMED =
  /\.(karma|karmaDiscounted|karmaPrice|quality|violations|ceiling|draws|voidAt|root|velocity|nextCommit|earmarked)\b/;
