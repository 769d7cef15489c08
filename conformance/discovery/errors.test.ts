import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { plain } from '../harness/agents.ts';
import { operations } from '../harness/contract.ts';
import { at, mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

type Body = Record<string, unknown>;

describe('discovery.errors', () => {
  let world: Fixture;
  let codes: readonly Body[];
  before(async () => {
    world = await openFixture();
    codes = mustOk(await world.anyone.get('/errors'))['errors'] as Body[];
  });
  after(() => world.close());

  it('is the closed list of the contract, with its words and in its order', () => {
    const source = readFileSync('spec/common/error-codes.yaml', 'utf8');
    const declared = parse(source) as readonly Body[];
    const listed = codes.map(({ operations: _, url: __, ...rest }) => rest);
    assert.deepEqual(
      listed,
      // The list has the hint of calls; that of a read is in its answer alone.
      declared.map(({ readHint: _, ...each }) => ({ retry: 'never', ...each })),
    );
  });

  it('says of every code which operations give it, as the document does', () => {
    for (const { code, applies, operations: named } of codes) {
      const declaring = operations
        .filter(({ raw }) => (raw['x-errors'] as string[]).includes(String(code)))
        .map(({ operationId }) => operationId);
      assert.deepEqual(named, applies === 'specific' ? declaring : [], String(code));
    }
  });

  it('is a page for a browser, JSON for everything else, and says that it varies', async () => {
    const ask = async (accept: string) => {
      const request = plain(world.hub, 'GET', '/errors');
      request.headers.set('accept', accept);
      return world.anyone.send(request);
    };
    const browser = await ask('text/html,application/xhtml+xml,*/*;q=0.8');
    assert.equal(browser.headers.get('content-type'), 'text/html');
    for (const { code } of codes) assert.ok(browser.text.includes(`href="errors/${String(code)}"`));
    for (const accept of ['*/*', 'application/json', 'application/json, text/html']) {
      const answer = await ask(accept);
      assert.equal(answer.headers.get('content-type'), 'application/json', accept);
      assert.equal(at(answer.body, 'count'), codes.length);
      assert.equal(answer.headers.get('vary'), 'accept, accept-encoding');
    }
    assert.equal(browser.headers.get('vary'), 'accept, accept-encoding');
  });
});
