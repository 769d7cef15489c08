import assert from 'node:assert/strict';
import { deref, operations, type DeclaredOperation, type Json } from '../../harness/contract.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { correctedIn, faultsIn, REFUSALS_MAX, snakeCase, type Fault } from './_guesses.ts';

/** Queries as a developer would guess them: names in snake case or the plural, values of another form. */
const ROUNDS_MAX = 6;
type Query = Readonly<Record<string, string>>;
/** More that is wrong at once than a refusal lists is no guess. */
const GUESSED_MAX = 8;
/** A standard has it leave out what it does not know. */
const OTHERS: readonly string[] = ['registry.servers'];
/** Values of parameters whose pattern has no example in the document. */
const RIGHT: Query = { ids: '3f9c1a7be4d20586,0b5e8d2c6f1a9473', pulse: '17' };
/** They name a place in a list, or hold the answer back. */
const LEFT: readonly string[] = ['cursor', 'after', 'stream', 'wait'];
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Json;
  readonly example?: unknown;
}

const queried = operations.flatMap((operation) => {
  const all = ((operation.raw['parameters'] ?? []) as readonly unknown[]).map(deref<Parameter>);
  const parameters = all.filter((each) => each.in === 'query' && !LEFT.includes(each.name));
  const isAsked = operation.method === 'GET' && !OTHERS.includes(operation.operationId);
  return isAsked ? partsOf(parameters).map((part) => ({ operation, parameters: part })) : [];
});

describe('a query that was guessed', function suite() {
  this.timeout(120_000);
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  it('is tried on most lists and reads', () => {
    assert.ok(queried.length >= 40, `${queried.length}`);
  });

  for (const { operation, parameters } of queried) {
    const names = parameters.map(({ name }) => name).join(', ');
    it(`is right after at most one refusal: ${operation.operationId} ${names}`, async () => {
      const right = Object.fromEntries(parameters.map((each) => [each.name, rightValue(each)]));
      let query: Query = Object.fromEntries(
        parameters.map((each) => [guessedName(each.name), guessedValue(each)]),
      );
      const seen: string[] = [];
      for (let round = 0; round < ROUNDS_MAX; round += 1) {
        const { faults, text } = await ask(operation, query);
        if (faults.length === 0) {
          assert.ok(seen.length <= REFUSALS_MAX, seen.join('\n'));
          assert.deepEqual(Object.keys(query).sort(), Object.keys(right).sort(), seen.join('\n'));
          return;
        }
        seen.push(text);
        query = correctedIn('query', query, faults, right);
      }
      assert.fail(seen.join('\n'));
    });
  }

  async function ask(operation: DeclaredOperation, query: Query) {
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => inPath(operation, name));
    const target = `${path}?${new URLSearchParams(query).toString()}`;
    const { body, text } = await world.alice.get(target);
    const faults: readonly Fault[] = faultsIn(body);
    return { faults, text };
  }

  function inPath({ raw }: DeclaredOperation, name: string): string {
    if (name === 'owner') return world.alice.account;
    const all = (raw['parameters'] as readonly unknown[]).map(deref<Parameter>);
    const { example } = all.find((each) => each.name === name) ?? {};
    return encodeURIComponent(String(example));
  }

  function rightValue({ name, schema: given, example: own }: Parameter): string {
    if (['owner', 'arbiter', 'judge'].includes(name)) return world.alice.account;
    const schema = deref<Json>(given);
    const example = RIGHT[name] ?? own ?? listed(schema, 'examples') ?? listed(schema, 'enum');
    const known = example ?? schema['default'] ?? schema['minimum'];
    return String(known ?? (isOf(schema, 'boolean') ? true : 'words'));
  }

  function guessedValue(parameter: Parameter): string {
    const right = rightValue(parameter);
    const schema = deref<Json>(parameter.schema);
    if (listed(schema, 'enum') !== undefined) return right.toUpperCase();
    if (isOf(schema, 'integer')) return `${right}.5`;
    if (isOf(schema, 'boolean')) return 'yes';
    return /^\d{4}-\d\d-\d\dT/.test(right) ? String(Date.parse(right) / 1_000) : right;
  }
});

/** Each part has what is required, so that it can be right by itself. */
function partsOf(all: readonly Parameter[]): readonly (readonly Parameter[])[] {
  const required = all.filter((each) => each.required === true);
  const others = all.filter((each) => each.required !== true);
  const size = GUESSED_MAX - required.length;
  const count = Math.ceil(others.length / size);
  const parts = Array.from({ length: count }, (_, n) => others.slice(n * size, (n + 1) * size));
  if (required.length > 0 && count === 0) return [required];
  return parts.map((part) => [...required, ...part]);
}

function guessedName(name: string): string {
  const snake = snakeCase(name);
  return snake === name && name.length > 3 && !name.includes('_') ? `${name}s` : snake;
}

function listed(schema: Json, member: 'examples' | 'enum'): unknown {
  return (schema[member] as readonly unknown[] | undefined)?.[0];
}

function isOf({ type }: Json, wanted: string): boolean {
  return type === wanted;
}
