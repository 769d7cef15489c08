import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { isObject, listOf, type JsonObject } from '../jsonObject.ts';
import { schemaLines } from './schemaLines.ts';
import { SchemaTooLarge } from './schemaRefs.ts';
import { nameWord } from './schemaTypes.ts';

const lines = (schema: JsonObject): readonly string[] => schemaLines(schema).lines;

describe('a schema in lines', () => {
  it('says types, limits, values and meaning, required fields first', () => {
    assert.deepEqual(
      lines({
        type: 'object',
        required: ['city'],
        additionalProperties: false,
        properties: {
          days: { type: 'integer', minimum: 1, maximum: 7, default: 3 },
          city: { type: 'string', minLength: 1, description: 'City\n name' },
          units: { enum: ['c', 'f'] },
          tags: { type: 'array', items: { type: 'string' }, maxItems: 5, uniqueItems: true },
        },
      }),
      [
        'city*: string >=1 chars, City name',
        'days: integer 1..7, default 3',
        'units: "c","f"',
        'tags: [string] <=5 items unique',
        'no others',
      ],
    );
  });

  it('follows references: once where they are used, oftener or in circles by name', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } };
    const point = { type: 'object', required: ['x'], properties: { x: { type: 'number' } } };
    const properties = {
      list: { $ref: '#/$defs/Node' },
      from: { $ref: '#/$defs/Point' },
      to: { $ref: '#/$defs/Point' },
      only: { $ref: '#only', description: 'once' },
    };
    const $defs = { Node: node, Point: point, Only: { $anchor: 'only', type: 'boolean' } };
    assert.deepEqual(lines({ type: 'object', properties, $defs }), [
      'list: Node',
      'from: Point',
      'to: Point',
      'only: boolean, once',
      'Node = object',
      ' next: Node',
      'Point = object',
      ' x*: number',
    ]);
  });

  it('has words for unions, conditions and the rest, and names what it has none for', () => {
    const { lines: shown, omitted } = schemaLines({
      oneOf: [{ type: 'string' }, { type: 'object', required: ['a'], properties: {} }],
      not: { const: 1 },
      if: { minimum: 3 },
      then: { multipleOf: 2 },
      patternProperties: { '^x-': { type: 'string' } },
      dependentRequired: { a: ['b'] },
      prefixItems: [{ type: 'integer' }],
      items: false,
      contains: { exclusiveMinimum: 0 },
      'x-made-up': true,
      properties: { lost: { $ref: 'https://else.example/schema' } },
    });
    assert.deepEqual(shown, [
      'lost: any',
      '/^x-/: string',
      'with a: b*',
      'item 1: integer',
      'more: never',
      'contains: >0',
      'one of:',
      ' - string',
      ' - object',
      '  a*: any',
      'not: 1',
      'if: >=3',
      'then: multiple of 2',
    ]);
    assert.deepEqual(omitted, ['/x-made-up', '/properties/lost/$ref']);
  });

  it('takes fewer tokens than the schema, for each of 100 real tools', () => {
    const tools = JSON.parse(
      readFileSync(new URL('../../generated/mcpTools.json', import.meta.url), 'utf8'),
    ) as readonly { readonly name: string; readonly inputSchema: JsonObject }[];
    assert.ok(tools.length >= 50);
    for (const { name, inputSchema } of tools) {
      const { lines: shown, omitted } = schemaLines(inputSchema);
      assert.ok(tokens(shown.join('\n')) < tokens(JSON.stringify(inputSchema)), name);
      assert.deepEqual(omitted, [], name);
      assert.deepEqual(starred(shown), requiredIn(inputSchema), name);
    }
  });

  for (const { from, schemas } of toolsOfOthers()) {
    it(`takes fewer tokens than the schema, names and types all there, for ${from}`, () => {
      for (const [tool, schema] of schemas) {
        const { lines: shown, omitted } = schemaLines(schema);
        assert.ok(tokens(shown.join('\n')) < tokens(JSON.stringify(schema)), tool);
        assert.deepEqual(omitted, [], tool);
        // A part that several places refer to is written once, so names are compared as sets.
        assert.deepEqual(new Set(starred(shown)), new Set(requiredIn(used(schema))), tool);
        for (const [name, words] of typedFields(used(schema))) {
          const label = new RegExp(`^ *(?:- )?${escaped(nameWord(name))}\\*?:(?: |$)`);
          const isThere = shown.some(
            (line) => label.test(line) && words.every((word) => line.includes(word)),
          );
          assert.ok(isThere, `${tool}: ${name} is ${words.join(' or ')}`);
        }
      }
    });
  }

  it('knows 100 tools of others', () => {
    const count = toolsOfOthers().reduce((sum, { schemas }) => sum + schemas.length, 0);
    assert.ok(count >= 100, `${count}`);
  });

  it('loses nothing that is required, whatever the schema', () => {
    const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<JsonObject>({ type: 'string' }, { type: 'integer', minimum: 2 }, {}),
        fc
          .dictionary(fc.string({ minLength: 1, maxLength: 8 }), tie('schema'), { maxKeys: 4 })
          .chain((properties) =>
            fc
              .subarray(Object.keys(properties))
              .map((required) => ({ type: 'object', properties, required })),
          ),
        tie('schema').map((items) => ({ type: 'array', items })),
        fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
      ),
    }));
    fc.assert(
      fc.property(schema, (given) => {
        assert.deepEqual(starred(lines(given)), requiredIn(given));
      }),
      { numRuns: 500 },
    );
  });

  it('refuses what is too deep, too long or too entangled', () => {
    let deep: JsonObject = {};
    for (let n = 0; n < 40; n += 1) deep = { properties: { a: deep } };
    const properties = Object.fromEntries(Array.from({ length: 2_100 }, (_, n) => [`f${n}`, {}]));
    const $defs = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`d${n}`, {}]));
    const refs = Object.keys($defs).map((name) => ({ $ref: `#/$defs/${name}` }));
    for (const schema of [deep, { properties }, { $defs, anyOf: refs }]) {
      assert.throws(() => lines(schema), SchemaTooLarge);
    }
  });
});

/** Names of required fields in the order of the alphabet, once for each place. */
function requiredIn(value: unknown): readonly string[] {
  const found: string[] = [];
  const walk = (each: unknown): void => {
    if (Array.isArray(each)) each.forEach(walk);
    if (!isObject(each)) return;
    const { properties, required, ...rest } = each;
    found.push(...listOf(required).map((name) => nameWord(String(name))));
    if (isObject(properties)) Object.values(properties).forEach(walk);
    Object.values(rest).forEach(walk);
  };
  walk(value);
  return found.sort();
}

function starred(shown: readonly string[]): readonly string[] {
  return shown
    .flatMap((line) => /^ *(?:- )?("(?:[^"\\]|\\.)*"|[^\s":]+)\*:(?: |$)/.exec(line)?.[1] ?? [])
    .sort();
}

const tokens = (text: string): number => countTokens(text);

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

interface Published {
  readonly package: string;
  readonly version: string;
  readonly licence: string;
  readonly tool: string;
  readonly schema: JsonObject;
}

/** As packages of others published them over MCP; where each is from is in `fixtures/tools.md`. */
function toolsOfOthers() {
  const file = new URL('fixtures/tools.ndjson', import.meta.url);
  const rows = readFileSync(file, 'utf8').trim().split('\n');
  const byPackage = new Map<string, (readonly [string, JsonObject])[]>();
  for (const row of rows) {
    const { package: name, version, tool, schema } = JSON.parse(row) as Published;
    const from = `${name} ${version}`;
    byPackage.set(from, [...(byPackage.get(from) ?? []), [tool, schema]]);
  }
  return [...byPackage].map(([from, schemas]) => ({ from, schemas }));
}

/** Without definitions that nothing reaches, which are no part of what the schema says. */
function used({ $defs, ...schema }: JsonObject): JsonObject {
  const all = isObject($defs) ? $defs : {};
  const matched = new Set<string>();
  const reach = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      if (matched.has(name)) continue;
      matched.add(name);
      reach(all[name]);
    }
  };
  reach(schema);
  return { ...schema, $defs: Object.fromEntries([...matched].map((name) => [name, all[name]])) };
}

/** Every field at every place, with what its line has to say of its type. */
function typedFields(root: JsonObject): readonly (readonly [string, readonly string[]])[] {
  const found: (readonly [string, readonly string[]])[] = [];
  // A field may be called `properties` itself.
  const walk = (each: unknown, isFields: boolean): void => {
    if (Array.isArray(each)) each.forEach((one) => walk(one, false));
    if (!isObject(each)) return;
    for (const [name, inside] of Object.entries(each)) {
      if (isFields) found.push([name, isObject(inside) ? typesIn(inside) : []]);
      walk(inside, !isFields && name === 'properties');
    }
  };
  walk(root, false);
  return found;
}

function typesIn(schema: JsonObject): readonly string[] {
  const values = schema['const'] === undefined ? listOf(schema['enum']) : [schema['const']];
  if (values.length > 0) return values.map((value) => JSON.stringify(value));
  const { type } = schema;
  return (typeof type === 'string' ? [type] : listOf(type).map(String)).map((word) =>
    // A list of plain values is written as `[string]`.
    word === 'array' && isObject(schema['items']) ? '' : word,
  );
}
