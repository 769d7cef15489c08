import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { sources } from './tree.ts';

/**
 * A function with a Reader or a Writer runs inside a transaction, and a transaction opens no other
 * (db/nesting.ts). The handle proves it, so the rule can be checked in the code.
 */
const OPENS =
  /(?:^|\.)(?:store\.(?:read(?:One)?|write|decide)|hub\.(?:act|once|transact(?:Once)?))$/;
const HANDLE = /^(?:Reader|Writer)$/;

describe('units of work', () => {
  it('are not opened by code that holds the handle of one', () => {
    const found = sources
      .filter((path) => /^(?:db|workflows|handlers|server)\/.*(?<!\.test)\.ts$/.test(path))
      .flatMap((path) => nestedIn(path, readFileSync(path, 'utf8')));
    assert.deepEqual(found, []);
  });

  it('are seen where they nest', () => {
    const unit = 'hub.store.write(async (tx) => hub.store.read((db) => db));';
    const given = 'function f(tx: Writer) { return store.write(() => tx); }';
    assert.equal(nestedIn('a.ts', unit).length, 1);
    assert.equal(nestedIn('a.ts', given).length, 1);
    assert.deepEqual(nestedIn('a.ts', 'await store.read(f); await store.write(g);'), []);
  });
});

function nestedIn(path: string, text: string): readonly string[] {
  const found: string[] = [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node, isInside: boolean): void => {
    const opens = ts.isCallExpression(node) && OPENS.test(node.expression.getText());
    if (opens && isInside) found.push(`${path}: ${node.getText().slice(0, 60)}`);
    const isGiven =
      ts.isFunctionLike(node) &&
      node.parameters.some(({ type }) => type !== undefined && HANDLE.test(type.getText()));
    ts.forEachChild(node, (child) => visit(child, isInside || opens || isGiven));
  };
  visit(file, false);
  return found;
}
