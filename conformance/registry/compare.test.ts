import assert from 'node:assert/strict';
import { atomic } from '../../domain/money.ts';
import { plain } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { fill, listing, skill } from './_index.ts';

type Body = Record<string, unknown>;

const PRICE = { amount: atomic(2_000n), asset: 'USDC', network: 'base', payTo: '0x1' } as const;
const LONG = 'a: string, '.repeat(300);

const cheap = listing('cheap.example', { name: '<b>Cheap</b>', latencyMs: 20 }, [
  skill('convert', { access: 'paid', price: PRICE, argumentLine: LONG }),
  skill('convert', { access: 'closed' }),
]);
const gone = listing('gone.example', { availability: 'unreachable', uptimeBps: 5_000 }, [
  skill('convert', { access: 'open' }),
]);
const other = listing('other.example', {}, [skill('translate')]);
const many = Array.from({ length: 12 }, (_, place) =>
  listing(`many${place}.example`, { name: 'x'.repeat(400) }, [
    skill('popular', { argumentLine: LONG }),
  ]),
);

describe('registry.compare', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await fill(world, [cheap, gone, other, ...many]);
  });
  after(() => world.close());

  const ask = async (query: string): Promise<Body> =>
    mustOk(await world.anyone.get(`/api/v1/compare?${query}`));
  const idsOf = (body: Body): readonly unknown[] =>
    (body['servers'] as Body[]).map((server) => at(server, 'listing', 'id'));

  it('shows what was measured of each server with the tool, those that answer first', async () => {
    const body = await ask('tool=convert');
    assert.deepEqual(idsOf(body), [cheap.listing.id, gone.listing.id]);
    const [first, second] = body['servers'] as Body[];
    assert.deepEqual(first?.['price'], { amount: '2000', asset: 'USDC', network: 'base' });
    assert.deepEqual(
      [first?.['live'], first?.['toolAccess'], first?.['latencyMs']],
      [true, 'paid', 20],
    );
    assert.deepEqual(
      [second?.['live'], second?.['toolAccess'], second?.['uptime'], second?.['price']],
      [false, 'open', 0.5, undefined],
    );
  });

  it('compares the named servers in their order, and names those without the tool', async () => {
    const [a, b, c] = [gone, other, cheap].map(({ listing: { id } }) => id);
    const body = await ask(`tool=convert&ids=${a},${b},${c}`);
    assert.deepEqual(idsOf(body), [a, c]);
    assert.deepEqual(body['without'], [b]);
  });

  it('shows a server once when its code is given twice', async () => {
    const { id } = cheap.listing;
    assert.deepEqual(idsOf(await ask(`tool=convert&ids=${id},${id}`)), [id]);
  });

  it('answers at most ten servers and 100 kB, however long their texts are', async () => {
    const answer = await world.anyone.get('/api/v1/compare?tool=popular');
    assert.equal(idsOf(mustOk(answer)).length, 10);
    assert.ok(answer.text.length < 100_000, `${answer.text.length} bytes`);
  });

  it('is a page for a browser, in which no text of others is markup', async () => {
    const request = plain(world.hub, 'GET', '/api/v1/compare?tool=convert');
    request.headers.set('accept', 'text/html');
    const { status, text, headers } = await world.anyone.send(request);
    assert.equal(status, 200);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.match(text, /&lt;b&gt;Cheap/);
    assert.doesNotMatch(text, /<b>/);
    for (const words of ['2000 atomic USDC on base', 'free', '50.00 %', 'no, unreachable']) {
      assert.ok(text.includes(words), words);
    }
  });

  it('refuses a tool that no server has, and says where to look', async () => {
    const body = mustRefuse(await world.anyone.get('/api/v1/compare?tool=a%20b'), 404, 'not-found');
    assert.match(String(body['hint']), /GET \/api\/v1\/search\?q=a%20b /);
  });

  it('refuses a missing name, one code, eleven codes and a code that is none', async () => {
    const { id } = cheap.listing;
    const eleven = Array.from({ length: 11 }, () => id).join(',');
    const wrong = [
      ['', 'missing-field'],
      [`tool=${'x'.repeat(301)}`, 'bad-request'],
      [`tool=convert&ids=${id}`, 'bad-request'],
      [`tool=convert&ids=${eleven}`, 'bad-request'],
      [`tool=convert&ids=${id},%27`, 'bad-request'],
    ] as const;
    for (const [query, code] of wrong) {
      mustRefuse(await world.anyone.get(`/api/v1/compare?${query}`), 400, code);
    }
  });
});
