import assert from 'node:assert/strict';
import { document, operations } from '../harness/contract.ts';
import { at, mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

type Row = Readonly<Record<string, unknown>>;

describe('discovery.index', () => {
  let world: Fixture;
  let routes: readonly Row[];
  let answer: Row;
  before(async () => {
    world = await openFixture();
    answer = mustOk(await world.anyone.get('/api/v1'));
    routes = answer['routes'] as Row[];
  });
  after(() => world.close());

  it('lists exactly what the document declares, in its order', () => {
    const declared = operations.map(({ operationId, method, path, raw }) => ({
      operationId,
      method,
      path,
      summary: raw['summary'],
      area: at(raw, 'tags', 0),
      auth: raw['x-auth'],
      owner: raw['x-owner'],
      onceOnly: raw['x-idempotency'] === undefined ? undefined : true,
      waits: raw['x-wait'] === undefined ? undefined : true,
      price: priceOf(raw),
      mcp: at(raw, 'x-door', 'mcp'),
      a2a: at(raw, 'x-door', 'a2a'),
    }));
    const listed = routes.map((route) => declared[0] && pick(route, Object.keys(declared[0])));
    assert.deepEqual(listed, declared);
    assert.equal(answer['count'], declared.length);
  });

  it('has no name twice, at any door', () => {
    for (const name of ['operationId', 'mcp']) {
      const names = routes.map((route) => route[name]).filter((each) => each !== undefined);
      assert.equal(new Set(names).size, names.length, name);
    }
  });

  it('names the hub and leads on to addresses that answer', async () => {
    const { info } = document as unknown as { readonly info: Row };
    assert.deepEqual([answer['hub'], answer['version']], [info['title'], info['version']]);
    assert.equal(answer['baseUrl'], world.hub.url);
    for (const link of ['openapi', 'docs', 'quickstart', 'errors']) {
      const address = String(answer[link]);
      assert.ok(address.startsWith(`${world.hub.url}/`), address);
      mustOk(await world.anyone.get(address.slice(world.hub.url.length)));
    }
  });
});

function pick(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

/** Returns the price in the contract as one line. */
function priceOf(raw: Row): string | undefined {
  const parts = at(raw, 'x-charge', 'parts') as Readonly<Record<string, Row>> | undefined;
  if (parts === undefined) return undefined;
  const texts = Object.values(parts).map(
    ({ amount = '', unit }) => `${String(amount)} ${String(unit)}`,
  );
  return texts.map((text) => text.trim()).join(' + ');
}
