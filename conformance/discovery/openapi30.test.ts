import assert from 'node:assert/strict';
import { at, mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

type Node = Readonly<Record<string, unknown>>;

/** Places of schemas, and the words of a schema that the contract uses (OpenAPI 3.0.3, 4.7.24). */
const SCHEMA =
  /(?:\/schema|\/components\/schemas\/[^/]+|\/properties\/[^/]+|\/items|\/additionalProperties|\/oneOf\/\d+)$/;
const WORDS = new Set([
  ...['title', 'description', 'type', 'format', 'enum', 'default', 'example', 'nullable'],
  ...['pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum'],
  ...['exclusiveMaximum', 'multipleOf', 'items', 'minItems', 'maxItems', 'uniqueItems'],
  ...['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  ...['allOf', 'oneOf', 'anyOf', 'not', 'discriminator', 'deprecated', 'readOnly', 'writeOnly'],
]);

describe('discovery.openapi of version 3.0', () => {
  let world: Fixture;
  let old: Node;
  let whole: Node;
  before(async () => {
    world = await openFixture();
    old = mustOk(await world.anyone.get('/api/v1/openapi.json?version=3.0'));
    whole = mustOk(await world.anyone.get('/api/v1/openapi.json'));
  });
  after(() => world.close());

  it('has every operation of the contract under the same paths and names', () => {
    assert.equal(old['openapi'], '3.0.3');
    assert.deepEqual(old['servers'], [{ url: world.hub.url, description: 'This hub.' }]);
    const named = ({ paths }: Node): unknown =>
      Object.entries(paths as Record<string, Record<string, Node>>).map(([path, item]) => [
        path,
        Object.entries(item).map(([method, { operationId }]) => [method, operationId]),
      ]);
    assert.deepEqual(named(old), named(whole));
  });

  it('has no word that OpenAPI 3.0 does not know, and no reference that leads nowhere', () => {
    const faults: string[] = [];
    const visit = (value: unknown, place: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { $ref, type } = value as Node;
      const at30 = place.endsWith('/properties') ? {} : (value as Node);
      if (Array.isArray(type) || type === 'null') faults.push(`${place}: several types`);
      const isSchema = SCHEMA.test(place) && $ref === undefined;
      const strange = isSchema ? Object.keys(at30).filter((word) => !WORDS.has(word)) : [];
      faults.push(...strange.map((word) => `${place}: ${word}`));
      if (typeof $ref === 'string') {
        if (Object.keys(value).length > 1) faults.push(`${place}: beside a reference`);
        if (at(old, ...$ref.split('/').slice(1)) === undefined) faults.push(`${place}: ${$ref}`);
      }
      for (const [key, each] of Object.entries(value)) {
        if (!['example', 'enum', 'default', 'mapping'].includes(key))
          visit(each, `${place}/${key}`);
      }
    };
    visit(old, '');
    assert.deepEqual(faults, []);
  });

  it('says of a value that may be null that it may, and of a fixed one what it is', () => {
    const of = (name: string): Node => at(old, 'components', 'schemas', name) as Node;
    const rule = at(of('ContainsRule'), 'properties', 'kind');
    assert.deepEqual(at(rule, 'enum'), ['contains']);
    const none = at(of('Pulse'), 'properties', 'body', 'properties', 'gap');
    assert.deepEqual([at(none, 'type'), at(none, 'nullable')], ['object', true]);
    const file = at(of('FileContent'), 'properties', 'contentBase64');
    assert.equal(at(file, 'format'), 'byte');
  });

  it('has one form of each answer, which its generators make one type of', () => {
    for (const item of Object.values(old['paths'] as Record<string, Record<string, Node>>)) {
      for (const { operationId, responses } of Object.values(item)) {
        const answers = Object.entries(responses as Record<string, Node>);
        const successes = answers.filter(([status]) => status.startsWith('2'));
        assert.equal(successes.length, 1, String(operationId));
        const { content = {} } = successes[0]?.[1] ?? {};
        assert.ok(Object.keys(content as Node).length <= 1, String(operationId));
        const refusals = answers.filter(([status]) => /^[45]/.test(status));
        const types = new Set(refusals.map(([, answer]) => jsonTypeOf(answer)));
        assert.ok(types.size <= 1, `${String(operationId)}: ${[...types].join()}`);
      }
    }
  });

  function jsonTypeOf({ $ref, ...answer }: Node): string {
    const whole = typeof $ref === 'string' ? at(old, ...$ref.split('/').slice(1)) : answer;
    return JSON.stringify(at(whole, 'content', 'application/json', 'schema'));
  }
});
