import assert from 'node:assert/strict';
import { errorTable } from '../../../generated/errors.ts';
import { exampleIds } from '../examples/ids.ts';
import { deref, document, operations, type Json } from '../../harness/contract.ts';
import { at } from '../../harness/must.ts';

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

describe('ids in examples and refusals', () => {
  it('are one of each kind in the requests, and of no other kind', () => {
    assert.ok(exampleIds.length > 40, String(exampleIds.length));
    const kinds = unique(exampleIds.map(({ kind }) => kind));
    for (const kind of kinds) {
      const ids = unique(exampleIds.filter((each) => each.kind === kind).map(({ id }) => id));
      assert.equal(ids.length, 1, `${kind}: ${ids.join(' ')}`);
      const same = exampleIds.filter((each) => each.id === ids[0]);
      assert.deepEqual(unique(same.map((each) => each.kind)), [kind], ids[0]);
    }
  });

  it('have the form of the one component for ids, in the path and in the body', () => {
    const { pattern } = document.components['schemas']?.['Uuid'] as Json;
    const others = operations.flatMap(({ operationId, raw }) => {
      const body = at(raw, 'requestBody', 'content', 'application/json', 'schema');
      const members = Object.entries((deref<Json>(body)?.['properties'] ?? {}) as Json);
      const parameters = (raw['parameters'] ?? []) as readonly unknown[];
      const all = [
        ...members.map(([name, schema]) => [name, deref<Json>(schema)] as const),
        ...parameters.map((each) => {
          const { name, schema } = deref<Json>(each);
          return [String(name), deref<Json>(schema)] as const;
        }),
      ];
      const wanted = exampleIds.filter((each) => each.operationId === operationId);
      return all.flatMap(([name, schema]) =>
        wanted.some(({ kind }) => kind === name) && schema['pattern'] !== pattern
          ? [`${operationId} ${name}`]
          : [],
      );
    });
    assert.deepEqual(others, []);
  });

  for (const { operationId, responses } of operations) {
    const examples = at(responses, '404', 'content', 'application/json', 'examples');
    const value = at(deref<Json>(at(examples, 'not-found')), 'value');
    if (value === undefined) continue;
    it(`name their kind when they are unknown: ${operationId}`, () => {
      const error = String(at(value, 'error'));
      assert.notEqual(error, errorTable['not-found'].says);
      assert.doesNotMatch(error, /\bno such\b/i);
    });
  }
});
