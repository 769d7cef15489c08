import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { publish, submit, type Body } from './_work.ts';

const RULE = {
  kind: 'all',
  of: [
    { kind: 'fields', checks: [{ path: 'summary', minLength: 10 }] },
    { kind: 'contains', mode: 'all', values: ['October'] },
  ],
};
const GOOD = { summary: 'Prices rose by two percent in October.' };
const SHORT = { summary: 'short' };

describe('tasks.rehearse', () => {
  let world: Fixture;
  const rehearse = async (acceptance: unknown, results: unknown): Promise<Body> =>
    mustOk(await world.anyone.post('/api/v1/tasks/rehearse', { acceptance, results }));
  before(async () => {
    world = await openFixture({ env: { HUB_TRUSTED_PROXIES: '127.0.0.0/8' } });
  });
  after(() => world.close());

  it('says of each result whether it passes, and of the others why not', async () => {
    const rehearsed = await rehearse(RULE, [GOOD, SHORT, null]);
    assert.deepEqual([rehearsed['count'], rehearsed['accepted']], [3, 1]);
    assert.deepEqual(at(rehearsed, 'verdicts', 0), { accepted: true });
    assert.equal(at(rehearsed, 'verdicts', 1, 'accepted'), false);
    assert.equal(at(rehearsed, 'verdicts', 1, 'refused', 0, 'rule'), 'fields.minLength');
    assert.equal(at(rehearsed, 'verdicts', 1, 'refused', 0, 'path'), '/summary');
    assert.ok(String(at(rehearsed, 'verdicts', 2, 'refused', 0, 'text')).length > 0);
  });

  it('judges with a schema as a delivery is judged', async () => {
    const rule = {
      kind: 'json_schema',
      schema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
      description: 'a number',
    };
    const rehearsed = await rehearse(rule, [{ n: 1 }, { n: 'one' }, {}]);
    assert.deepEqual(
      [0, 1, 2].map((nth) => at(rehearsed, 'verdicts', nth, 'accepted')),
      [true, false, false],
    );
  });

  it('judges what no other keyword evaluated, and decimals as they are written', async () => {
    const cases: readonly (readonly [unknown, readonly unknown[], readonly boolean[]])[] = [
      [
        { unevaluatedItems: { type: 'boolean' }, anyOf: [{ items: { type: 'string' } }, true] },
        [
          ['yes', 'no'],
          ['yes', false],
        ],
        [true, false],
      ],
      [
        { prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: false },
        [
          [1, 'foo'],
          [1, 2, 'foo'],
        ],
        [true, false],
      ],
      [
        {
          allOf: [{ contains: { multipleOf: 2 } }, { contains: { multipleOf: 3 } }],
          unevaluatedItems: { multipleOf: 5 },
        },
        [
          [2, 3, 4, 5, 6],
          [2, 3, 4, 7, 8],
        ],
        [true, false],
      ],
      [
        {
          type: 'object',
          if: { properties: { foo: { const: 'then' } }, required: ['foo'] },
          else: { properties: { baz: { type: 'string' } }, required: ['baz'] },
          unevaluatedProperties: false,
        },
        [{ foo: 'then' }, { foo: 'else', baz: 'b' }],
        [true, false],
      ],
      [
        { multipleOf: 0.01 },
        [0.07, 19.99, 1.1, 4.35, 0.075, 1e300],
        [true, true, true, true, false, true],
      ],
      [{ multipleOf: 0.1 }, [0.3, 1.15], [true, false]],
      [{ type: 'integer', minimum: -9.3e18 }, [1, -4, 1.5], [true, true, false]],
      [
        { const: 0.1, 'x-shown-as': 'a tenth', markdownDescription: 'A *tenth*.' },
        [0.1, 0.2],
        [true, false],
      ],
    ];
    for (const [schema, results, wanted] of cases) {
      const rehearsed = await rehearse({ kind: 'json_schema', schema }, results);
      const accepted = results.map((_, nth) => at(rehearsed, 'verdicts', nth, 'accepted'));
      assert.deepEqual(accepted, wanted, JSON.stringify(schema));
    }
  });

  it('takes the bounds of 64 bits that generators of schemas write', async () => {
    const schema =
      '{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}';
    const body = `{"acceptance":{"kind":"json_schema","schema":${schema}},"results":[1,-1.5,9007199254740991]}`;
    const headers = { 'content-type': 'application/json' };
    const url = new URL('/api/v1/tasks/rehearse', world.hub.url);
    const answer = await world.anyone.send(new Request(url, { method: 'POST', headers, body }));
    const rehearsed = mustOk(answer);
    const accepted = [0, 1, 2].map((nth) => at(rehearsed, 'verdicts', nth, 'accepted'));
    assert.deepEqual(accepted, [true, false, true]);
    const other = body.replace('"maximum"', '"const"');
    const refused = await world.anyone.send(
      new Request(url, { method: 'POST', headers, body: other }),
    );
    mustRefuse(refused, 400, 'bad-json');
  });

  it('refuses a pattern that it would not read as ECMA-262 does', async () => {
    for (const pattern of ['(?i)abc', '^[[:alpha:]]$', '^\\Qa.b\\E$', '(?=a)b']) {
      const acceptance = { kind: 'json_schema', schema: { pattern } };
      const answer = await world.anyone.post('/api/v1/tasks/rehearse', {
        acceptance,
        results: ['x'],
      });
      mustRefuse(answer, 400, 'bad-acceptance');
    }
  });

  it('says what the task itself then says', async () => {
    await world.fund(world.alice, '1000000');
    const { id } = await publish(world.alice, { acceptance: RULE });
    const delivered = mustOk(await submit(world.bob, id, SHORT));
    const rehearsed = await rehearse(RULE, [SHORT]);
    assert.deepEqual(at(rehearsed, 'verdicts', 0, 'refused'), delivered['refused']);
  });

  it('refuses a rule that cannot be judged, and names the place', async () => {
    const acceptance = { kind: 'json_schema', schema: { type: 'nothing' }, description: 'x' };
    const answer = await world.anyone.post('/api/v1/tasks/rehearse', {
      acceptance,
      results: [GOOD],
    });
    const { field } = mustRefuse(answer, 400, 'bad-acceptance');
    assert.match(String(field), /^body\.acceptance/);
  });

  it('serves another address while one address rehearses many slow patterns', async () => {
    const from = (ip: string, pattern: string, results: readonly unknown[]) => {
      const body = JSON.stringify({
        acceptance: { kind: 'json_schema', schema: { pattern } },
        results,
      });
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': ip };
      const url = new URL('/api/v1/tasks/rehearse', world.hub.url);
      return world.anyone.send(new Request(url, { method: 'POST', headers, body }));
    };
    let ended = 0;
    const text = 'a'.repeat(16_000);
    const flood = Array.from({ length: 12 }, async (_, nth) => {
      await from('203.0.113.7', '\\p{L}{1,900}\\p{N}{1,900}$', [`${nth}${text}`]);
      ended += 1;
    });
    mustOk(await from('198.51.100.7', '^a$', ['a', 'b', 'c']));
    assert.ok(ended < 4, `${ended} of 12 slow rehearsals were served before another address`);
    await Promise.all(flood);
  }).timeout(180_000);

  it('states the budget of a rule, in a rehearsal and at publication', async () => {
    const acceptance = { kind: 'json_schema', schema: { pattern: '^[a-z]{1,40}$' } };
    const { budget } = await rehearse(acceptance, ['a']);
    assert.equal(at(budget, 'runMs'), 250);
    const instructions = Number(at(budget, 'patternInstructions'));
    assert.equal(at(budget, 'patternCharacters'), Math.floor(64_000_000 / instructions));
    await world.fund(world.alice, '1000000');
    const published = await publish(world.alice, { acceptance });
    assert.deepEqual(published['budget'], budget);
    assert.equal(at(await rehearse(RULE, [GOOD]), 'budget', 'patternCharacters'), undefined);
  });

  it('takes one to ten results', async () => {
    for (const results of [[], Array.from({ length: 11 }, () => GOOD), 'text', undefined]) {
      const body = { acceptance: RULE, ...(results !== undefined && { results }) };
      const answer = await world.anyone.post('/api/v1/tasks/rehearse', body);
      assert.equal(answer.status, 400, answer.text);
      assert.match(String(answer.body['error']), /results/);
    }
    assert.equal(
      (
        await rehearse(
          RULE,
          Array.from({ length: 10 }, () => GOOD),
        )
      )['accepted'],
      10,
    );
  });
});
