import assert from 'node:assert/strict';
import type { JsonObject } from '../jsonObject.ts';
import { refTargets, SchemaTooLarge } from './schemaRefs.ts';

const namesIn = (root: JsonObject): readonly string[] =>
  refTargets(root).named.map(({ name, pointer }) => `${name} ${pointer}`);
const to = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const TEXT = { type: 'string' };

describe('references of a schema', () => {
  it('are followed in place where they are used once', () => {
    const root = { anyOf: [to('A')], $defs: { A: TEXT } };
    const targets = refTargets(root);
    assert.deepEqual(targets.named, []);
    assert.deepEqual(targets.inlined(to('A')), TEXT);
    assert.equal(targets.nameOf(to('A')), undefined);
    assert.deepEqual(targets.inlined(TEXT), TEXT, 'there is nothing to follow');
  });

  it('have a name where they are used twice, in the order in which they are met', () => {
    const root = {
      properties: { a: to('B'), b: to('A'), c: to('A'), d: to('B') },
      $defs: { A: TEXT, B: { type: 'number' } },
    };
    const targets = refTargets(root);
    assert.deepEqual(targets.named, [
      { name: 'B', schema: { type: 'number' }, pointer: '/$defs/B' },
      { name: 'A', schema: TEXT, pointer: '/$defs/A' },
    ]);
    assert.equal(targets.nameOf(to('A')), 'A');
    assert.deepEqual(targets.inlined(to('A')), to('A'), 'it stands below');
  });

  it('have a name where they lead back to themselves, over others too', () => {
    const A = { properties: { b: to('B') } };
    const B = { items: to('A') };
    assert.deepEqual(namesIn({ ...to('A'), $defs: { A, B } }), ['A /$defs/A', 'B /$defs/B']);
    const C = { properties: { d: to('D'), d2: to('E') } };
    assert.deepEqual(namesIn({ ...to('C'), $defs: { C, D: TEXT, E: TEXT } }), []);
    const targets = refTargets({ properties: { child: { $ref: '#' } } });
    assert.deepEqual([targets.named, targets.nameOf({ $ref: '#' })], [[], 'this']);
  });

  it('are found behind pointers with signs, percent signs, anchors and list places', () => {
    const root = {
      anyOf: [{ $ref: '#/$defs/a~1b~0c' }, { $ref: '#/$defs/d%20e' }, { $ref: '#anchor' }],
      allOf: [{ $ref: '#/anyOf/0' }, { $dynamicRef: '#dynamic' }],
      $defs: {
        'a/b~c': { type: 'string' },
        'd e': { type: 'number' },
        A: { $anchor: 'anchor', type: 'boolean' },
        D: { $dynamicAnchor: 'dynamic', type: 'null' },
      },
    };
    const targets = refTargets(root);
    const typeAt = (schema: JsonObject): unknown => targets.inlined(schema)['type'];
    assert.deepEqual(
      [...root.anyOf, ...root.allOf].map((each) => typeAt(each)),
      ['string', 'number', 'boolean', 'string', 'null'],
    );
  });

  it('are lost where they lead out of the schema or to nothing', () => {
    const targets = refTargets({ $defs: { A: TEXT, text: 'x' } });
    const lost = [
      'https://else.example/a',
      'a',
      '',
      '#b',
      '#/$defs/B',
      '#/$defs/A/type/x',
      '/$defs',
    ];
    for (const $ref of [...lost, '#/$defs/toString', '#/$defs/%ZZ']) {
      assert.equal(targets.isLost({ $ref }), true, $ref);
      assert.deepEqual(targets.inlined({ $ref }), { $ref });
    }
    for (const schema of [to('A'), { $ref: '#' }, {}, { $ref: 7 }]) {
      assert.equal(targets.isLost(schema), false, JSON.stringify(schema));
    }
    assert.deepEqual(targets.inlined({ $ref: '#/$defs/text' }), { $ref: '#/$defs/text' });
  });

  it('have the words beside them, and both where two say something else', () => {
    const targets = refTargets({
      anyOf: [to('A')],
      $defs: { A: { type: 'string', description: 'old', minLength: 1 } },
    });
    const inlined = (beside: JsonObject) => targets.inlined({ ...to('A'), ...beside });
    assert.deepEqual(inlined({ description: 'new', maxLength: 5 }), {
      type: 'string',
      description: 'new',
      minLength: 1,
      maxLength: 5,
    });
    const old = { type: 'string', description: 'old', minLength: 1 };
    assert.deepEqual(inlined({ description: 'new', title: 'T', default: 'd', minLength: 2 }), {
      description: 'new',
      title: 'T',
      default: 'd',
      allOf: [old, { minLength: 2 }],
    });
  });

  it('are followed over several, and no further than 32', () => {
    const chain = (count: number): JsonObject => ({
      ...Object.fromEntries(Array.from({ length: count }, (_, n) => [`d${n}`, to(`d${n + 1}`)])),
      [`d${count}`]: TEXT,
    });
    const end = (count: number) =>
      refTargets({ anyOf: [to('d0')], $defs: chain(count) }).inlined(to('d0'));
    assert.deepEqual(end(31), TEXT);
    assert.deepEqual(end(32), to('d32'));
  });

  it('are not counted in data, in definitions that nothing uses, or in names of fields', () => {
    const twice = { anyOf: [to('A'), to('A')] };
    const $defs = { A: TEXT, Unused: twice };
    for (const name of ['enum', 'const', 'default', 'examples', 'example']) {
      assert.deepEqual(namesIn({ [name]: [twice], $defs }), [], name);
    }
    assert.deepEqual(namesIn({ anyOf: [to('A')], $defs }), []);
    assert.deepEqual(namesIn({ properties: { $ref: to('A'), default: to('A') }, $defs }), [
      'A /$defs/A',
    ]);
    assert.deepEqual(namesIn({ definitions: { B: twice }, anyOf: [twice], $defs }), ['A /$defs/A']);
  });

  it('have names of their own, where two targets end alike', () => {
    const pairs = (...refs: readonly string[]) =>
      refs.flatMap(($ref) => [{ $ref }, { $ref }] as const);
    const root = {
      anyOf: pairs('#/$defs/A', '#/definitions/A', '#/x/A', '#named', '#/$defs/a b', '#/$defs/'),
      $defs: { A: TEXT, 'a b': TEXT, N: { $anchor: 'named' }, '': TEXT },
      definitions: { A: TEXT },
      x: { A: TEXT },
    };
    assert.deepEqual(namesIn(root), [
      'A /$defs/A',
      'A2 /definitions/A',
      'A3 /x/A',
      'named /$defs/N',
      '"a b" /$defs/a b',
      'type /$defs/',
    ]);
  });

  it('are at most 200 different ones', () => {
    const root = (count: number): JsonObject => ({
      anyOf: Array.from({ length: count }, (_, n) => to(`d${n}`)),
      $defs: Object.fromEntries(Array.from({ length: count }, (_, n) => [`d${n}`, TEXT])),
    });
    assert.deepEqual(refTargets(root(200)).named, []);
    assert.throws(() => refTargets(root(201)), SchemaTooLarge);
  });
});
