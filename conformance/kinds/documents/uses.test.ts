import assert from 'node:assert/strict';
import { document as read } from '../../harness/contract.ts';
import { eachOperation, type Document } from '../../../tools/generate/document.ts';

const operations = eachOperation(read as unknown as Document).map(({ operation }) => operation);
const ids = new Set(operations.map(({ operationId }) => operationId));

/** The sentences that say when an operation is used. */
const USE = /(?:^|[.] )(?:Use|Call) it [^`]*(?:`[^`]*`[^`]*)*?[.](?: |$)/;

/** The operations that a text names, other than its own. */
function namedIn(text: string, own: string): readonly string[] {
  const names = [...text.matchAll(/`([a-z]+\.[A-Za-z0-9]+)`/g)].map(([, name = '']) => name);
  return names.filter((name) => ids.has(name) && name !== own);
}

describe('the description of an operation', () => {
  it('says when to use it', () => {
    const silent = operations.filter(({ description }) => !USE.test(description));
    assert.deepEqual(
      silent.map(({ operationId }) => operationId),
      [],
    );
  });

  it('names another operation: the next one, or the one for another case', () => {
    const ends = operations.filter(
      ({ operationId, description }) => namedIn(description, operationId).length === 0,
    );
    assert.deepEqual(
      ends.map(({ operationId }) => operationId),
      [],
    );
  });

  it('names no operation that does not exist', () => {
    const areas = new Set([...ids].map((id) => id.split('.')[0]));
    const unknown = operations.flatMap(({ operationId, description }) =>
      [...description.matchAll(/`([a-z]+)\.([a-z][A-Za-z0-9]+)`/g)].flatMap(([text, area, verb]) =>
        areas.has(area) && !ids.has(`${area}.${verb}`) && !NO_OPERATIONS.has(text)
          ? [`${operationId}: ${text}`]
          : [],
      ),
    );
    assert.deepEqual(unknown, []);
  });

  it('says so of each operation in its own words', () => {
    const uses = operations.map(({ description }) => USE.exec(description)?.[0].trim());
    assert.equal(new Set(uses).size, operations.length);
  });
});

/** Kinds of messages, which are written as operations are. */
const NO_OPERATIONS = new Set(['`webhook.test`']);
