import assert from 'node:assert/strict';
import { plain, type Answer } from '../../harness/agents.ts';
import { deref, operations, type DeclaredOperation, type Json } from '../../harness/contract.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { at, mustOk } from '../../harness/must.ts';
import { correctedIn, faultsIn, REFUSALS_MAX, snakeCase } from './_guesses.ts';

/**
 * Requests that a developer would guess: names in snake case or shortened, numbers for digits, texts
 * for numbers, seconds for times, one required member forgotten. The refusals are followed as they
 * stand: a name becomes the nearest, and what is missing or wrong the value of the example.
 */
const ROUNDS_MAX = 6;
const SYNONYMS: Readonly<Record<string, string>> = { rewardAmount: 'amount', maxPrice: 'price' };

/** Why a walk of guesses says nothing about an operation. */
const OTHERS: Readonly<Record<string, string>> = {
  'hosted.connection': 'It waits for letters on a connection that stays open.',
};

const bodied = operations.flatMap((operation) => {
  const body = at(operation.raw, 'requestBody', 'content', 'application/json') as Json | undefined;
  const example = body?.['example'];
  return isJson(example) && !(operation.operationId in OTHERS)
    ? [{ operation, schema: deref<Json>(body?.['schema']), example }]
    : [];
});

describe('a request that was guessed', function suite() {
  this.timeout(120_000);
  let world: Fixture;
  let apiKey = '';
  const counts: [string, number, number][] = [];
  before(async () => {
    world = await openFixture();
    const { alice } = world;
    await world.fund(alice, '100000000');
    const minted = mustOk(await alice.post(`/api/v1/wallet/${alice.account}/api-keys`, {}));
    apiKey = String(minted['key']);
  });
  after(() => world.close());

  const send = (operation: DeclaredOperation, body: Json): Promise<Answer> => {
    const path = pathOf(operation, world);
    if (operation.raw['x-auth'] !== 'api-key') return world.alice.post(path, body);
    const request = plain(world.hub, 'POST', path, body);
    request.headers.set('authorization', `Bearer ${apiKey}`);
    return world.anyone.send(request);
  };

  for (const { operation, schema, example } of bodied) {
    const { operationId } = operation;
    it(`is right after at most one refusal: ${operationId}`, async () => {
      const right = ownedBy(world, operation, example);
      let body = guessOf(right, (schema['required'] ?? []) as readonly string[]);
      const seen: string[] = [];
      for (let round = 0; round < ROUNDS_MAX; round += 1) {
        const answer = await send(operation, body);
        const faults = faultsIn(answer.body);
        if (faults.length === 0) {
          counts.push([operationId, seen.length, answer.status]);
          assert.ok(seen.length <= REFUSALS_MAX, `${seen.join('\n')}\n${JSON.stringify(body)}`);
          assert.deepEqual(Object.keys(body).sort(), Object.keys(right).sort(), seen.join('\n'));
          return;
        }
        seen.push(answer.text);
        body = correctedIn('body', body, faults, right);
      }
      assert.fail(seen.join('\n'));
    });
  }

  for (const { operation, schema, example } of bodied) {
    if (schema['additionalProperties'] !== false) continue;
    it(`is refused with a member that is not read: ${operation.operationId}`, async () => {
      const answer = await send(operation, { ...ownedBy(world, operation, example), bounty: '5' });
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(at(answer.body, 'faults', 0, 'field'), 'body.bounty', answer.text);
    });
  }

  it('led to success where the state of the hub allows it', () => {
    assert.equal(counts.length, bodied.length);
    const served = counts.filter(([, , status]) => status === 200);
    assert.ok(served.length >= 25, `${served.length} were served`);
  });
});

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The path with the signer's account, and ids of the examples. */
function pathOf({ path, raw }: DeclaredOperation, { alice }: Fixture): string {
  const parameters = ((raw['parameters'] ?? []) as readonly unknown[]).map((each) =>
    deref<{ readonly name: string; readonly schema: Json; readonly example?: unknown }>(each),
  );
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'owner' || name === 'account') return alice.account;
    if (name === 'keyId') return alice.keyId;
    const found = parameters.find((each) => each.name === name);
    const schema = deref<Json>(found?.schema);
    const example = found?.example ?? at(schema, 'examples', 0) ?? schema['example'];
    return encodeURIComponent(String(example));
  });
}

/** The example with the signer in place of the account or key that it names. */
function ownedBy({ alice }: Fixture, { raw }: DeclaredOperation, example: Json): Json {
  const owner = /^body\.(.+)$/.exec(String(raw['x-owner']))?.[1];
  return { ...example, ...(owner !== undefined && { [owner]: alice.account }) };
}

function guessOf(right: Json, required: readonly string[]): Json {
  const forgotten = required.length > 1 ? required.find((name) => name in right) : undefined;
  const members = Object.entries(right).flatMap(([name, value]) =>
    name === forgotten ? [] : [[guessedName(name), guessedValue(value)] as const],
  );
  return Object.fromEntries(members);
}

function guessedName(name: string): string {
  return SYNONYMS[name] ?? snakeCase(name);
}

function guessedValue(value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return value;
  if (/^[0-9]+$/.test(value)) return Number(value);
  return /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) / 1_000 : value;
}
