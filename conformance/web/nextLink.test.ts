import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { cursorOf } from '../../clients/web/account/nextLink.ts';

describe('the next page of a file', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  it('is where the link of a real statement leads, until there is none', async () => {
    const { alice } = world;
    await world.fund(alice, '1000000');
    const read = async (path: string): Promise<Response> =>
      fetch(await alice.signed('GET', path, undefined, { accept: 'text/csv' }));
    for (let nth = 0; nth < 3; nth += 1) {
      mustOk(
        await alice.post(`/api/v1/wallet/${alice.account}/pay`, {
          to: world.bob.account,
          amount: '1000',
          idempotencyKey: `payment ${nth}`,
        }),
      );
    }
    const path = `/api/v1/wallet/${alice.account}/statement?limit=2`;
    const first = await read(path);
    const cursor = cursorOf(first.headers.get('link'));
    assert.ok(cursor !== undefined, 'a second page');
    const second = await read(`${path}&cursor=${encodeURIComponent(cursor)}`);
    assert.equal(cursorOf(second.headers.get('link')), undefined);
  });

  it('is missing in every other link', () => {
    for (const link of [null, '', '<>', '</x>; rel="next"', '</x?cursor=1>; rel="prev"', 'x']) {
      assert.equal(cursorOf(link), undefined, String(link));
    }
    assert.equal(cursorOf('</x?limit=2&cursor=12.4%40sandbox>; rel="next"'), '12.4@sandbox');
  });
});
