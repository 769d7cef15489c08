import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { mayBeRejected, rejectedWords } from './prose.ts';
import { tracked } from './tree.ts';

/**
 * Comments, titles of tests and texts inside the code are plain English: no rejected word, comments
 * that say what something does and not "What …" or "Of …", and no comment that names what does not exist.
 */
const files = tracked.filter(
  (path) => /\.(ts|tsx|mjs|cjs)$/.test(path) && !path.startsWith('generated/'),
);
/** These files have the rejected words as data. */
const VOCABULARY =
  /^(tools\/(prose|comments\.test|pages\.test)|domain\/injection\/(vocabulary|patterns))\.ts$/;
const CODE = files.filter((path) => !VOCABULARY.test(path));
const NAMED_ELSEWHERE = tracked.filter((path) => /\.(ya?ml|json|md|css|env|py|go|sh)$/.test(path));
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/gm;
const NOUN_CLAUSE = /^\/[/*]+[\s*]*(?:What|Of)\b/;
const IDENTIFIER = /[A-Za-z_$][\w$]*/g;

interface Text {
  readonly line: number;
  readonly text: string;
}

describe('the English of the code', () => {
  it('has no rejected word in comments, titles and texts', () => {
    assert.ok(CODE.length > 1_000);
    const faults = CODE.flatMap((path) => {
      const source = readFileSync(path, 'utf8');
      const texts = [...commentsOf(source), ...stringsOf(path, source)];
      return texts.flatMap(({ line, text }) =>
        rejectedWords(text).map((word) => `${path}:${line}: the word "${word}"`),
      );
    });
    mustBeEmpty(faults);
  });

  it('says in a sentence what something does', () => {
    const faults = CODE.flatMap((path) =>
      commentsOf(readFileSync(path, 'utf8'))
        .filter(({ text }) => NOUN_CLAUSE.test(text))
        .map(({ line }) => `${path}:${line}: a comment that begins with "What" or "Of"`),
    );
    mustBeEmpty(faults);
  });

  it('names in comments only what exists', () => {
    const known = new Set<string>();
    const learn = (text: string): void => {
      for (const [name] of text.matchAll(IDENTIFIER)) known.add(name);
    };
    for (const path of files) learn(readFileSync(path, 'utf8').replace(COMMENT, ' '));
    for (const path of NAMED_ELSEWHERE) learn(readFileSync(path, 'utf8'));
    const faults = CODE.flatMap((path) =>
      commentsOf(readFileSync(path, 'utf8')).flatMap(({ line, text }) =>
        [...text.matchAll(/`([A-Za-z_$][\w$.]*)`/g)]
          .map(([, name = '']) => name)
          .filter((name) => !name.split('.').every((part) => part === '' || known.has(part)))
          .map((name) => `${path}:${line}: nothing is named ${name}`),
      ),
    );
    mustBeEmpty(faults);
  });
});

function mustBeEmpty(faults: readonly string[]): void {
  // An assertion on the list would show the first fifty of it.
  assert.ok(faults.length === 0, `${faults.length} faults:\n${faults.join('\n')}`);
}

function commentsOf(source: string): readonly Text[] {
  return [...source.matchAll(COMMENT)].map(({ 0: text, index }) => ({
    line: lineAt(source, index),
    text,
  }));
}

function lineAt(source: string, index: number): number {
  return source.slice(0, index).split('\n').length;
}

/** Texts of more than one word: titles, errors and texts of the pages. */
function stringsOf(path: string, source: string): readonly Text[] {
  if (!mayBeRejected(source)) return [];
  const found: Text[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) {
      if (/\s/.test(node.text)) found.push({ line: lineAt(source, node.pos), text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, false));
  return found;
}
