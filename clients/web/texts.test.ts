import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { reasons } from './texts/names.ts';

const here = import.meta.dirname;
/** Attributes whose text is shown or read aloud. */
const SPOKEN = [
  'aria-label',
  'title',
  'label',
  'name',
  'lead',
  'hint',
  'question',
  'yes',
  'placeholder',
];
/** Two letters together: signs such as `·` and `→` need no translation. */
const WORD = /[A-Za-z]{2}/;

describe('the texts of the pages', () => {
  it('are all in one place: no page has a word of its own', () => {
    const found = readdirSync(here, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.tsx'))
      .flatMap((path) => wordsIn(path));
    assert.deepEqual(found, []);
  });

  it('have people’s words for every reason that moves money', () => {
    const path = join(here, '../../generated/openapi.json');
    const document = JSON.parse(readFileSync(path, 'utf8')) as {
      readonly components: { readonly schemas: Record<string, { readonly enum?: string[] }> };
    };
    const all = document.components.schemas['LedgerReason']?.enum ?? [];
    assert.ok(all.length > 30);
    assert.deepEqual(
      all.filter((reason) => !Object.hasOwn(reasons, reason)),
      [],
    );
  });
});

function wordsIn(path: string): readonly string[] {
  const text = readFileSync(join(here, path), 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && WORD.test(node.text)) found.push(`${path}: ${node.text.trim()}`);
    if (ts.isJsxAttribute(node) && SPOKEN.includes(node.name.getText())) {
      const { initializer: value } = node;
      const isWords = value !== undefined && ts.isStringLiteral(value) && WORD.test(value.text);
      if (isWords) found.push(`${path}: ${node.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
