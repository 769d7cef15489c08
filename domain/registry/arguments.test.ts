import assert from 'node:assert/strict';
import { argumentLine } from './arguments.ts';

describe('the line of arguments', () => {
  it('names the required ones first, with their types', () => {
    const schema = {
      type: 'object',
      properties: {
        limit: { type: 'integer' },
        query: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
        when: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        what: { type: ['string', 'number'] },
        any: {},
      },
      required: ['query'],
    };
    assert.equal(
      argumentLine(schema),
      'query*: string, limit: integer, tags: string[], when: string|null, what: string|number, any: any',
    );
  });

  it('is empty without arguments', () => {
    for (const schema of [undefined, {}, { properties: {} }, { properties: [] }]) {
      assert.equal(argumentLine(schema), '');
    }
  });

  it('stays in its length for every published schema', () => {
    const names = Array.from({ length: 500 }, (_, n) => `${'x'.repeat(300)}${n}`);
    const line = argumentLine({
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    });
    assert.ok(line.length > 0 && line.length <= 4000);
    assert.equal(
      argumentLine({ properties: { a: 1, b: null, c: { type: {} } }, required: 'a' }),
      'a: any, b: any, c: any',
    );
  });
});
