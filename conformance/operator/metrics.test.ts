import assert from 'node:assert/strict';
import { freePort } from '../../clients/examples/freePort.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';

const TOKEN = 'a token that is never guessed';

/** The value of one series; undefined when the page has no such line. */
function valueIn(page: string, series: string): number | undefined {
  const line = page.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

describe('what operators see', () => {
  let world: Fixture;
  let ownPort: string;
  before(async () => {
    const port = await freePort();
    ownPort = `http://127.0.0.1:${port}`;
    const env = { HUB_METRICS_PORT: String(port), HUB_METRICS_TOKEN: TOKEN };
    world = await openFixture({ env });
  });
  after(() => world.close());

  const scrape = async (): Promise<string> => (await fetch(`${ownPort}/metrics`)).text();
  const get = (path: string, token?: string): Promise<Response> =>
    fetch(`${world.hub.url}${path}`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });

  it('counts each request once, by operation, status and code', async () => {
    const ok = 'hub_requests_total{operation="wallet.pay",status="200",code=""}';
    const poor =
      'hub_requests_total{operation="wallet.pay",status="400",code="insufficient-funds"}';
    const { alice, bob } = world;
    await world.fund(alice, '1000');
    const path = `/api/v1/wallet/${alice.account}/pay`;
    const first = await scrape();
    mustOk(await alice.post(path, { to: bob.account, amount: '7', idempotencyKey: 'a' }));
    mustOk(await alice.post(path, { to: bob.account, amount: '7', idempotencyKey: 'b' }));
    const much = { to: bob.account, amount: '999999', idempotencyKey: 'c' };
    mustRefuse(await alice.post(path, much), 400, 'insufficient-funds');
    await get('/nowhere');
    const page = await scrape();
    const grown = (series: string): number =>
      (valueIn(page, series) ?? 0) - (valueIn(first, series) ?? 0);
    assert.deepEqual([grown(ok), grown(poor)], [2, 1]);
    assert.equal(grown('hub_requests_total{operation="none",status="404",code="no-route"}'), 1);
    assert.equal(grown('hub_request_duration_seconds_count{operation="wallet.pay"}'), 3);
    assert.equal(grown('hub_money_moved_atomic_total{network="sandbox",reason="pay"}'), 14);
    assert.equal(grown('hub_money_entries_total{network="sandbox",reason="pay"}'), 2);
    // All rows of a payment are named beforehand, so each that was paid was run once. The refused
    // one took its key for new and ran again, on rows that were read.
    assert.equal(grown('hub_transactions_total{transaction="wallet.pay"}'), 3);
    assert.equal(grown('hub_transaction_passes_total{transaction="wallet.pay"}'), 4);
  });

  it('shows the loop, the jobs, the seals and whether money moves', async () => {
    const { store, search } = world.hub.running.hub;
    await world.hub.runJob('housekeeping');
    const page = await scrape();
    assert.notEqual(valueIn(page, 'nodejs_eventloop_lag_p99_seconds'), undefined);
    assert.notEqual(valueIn(page, 'hub_job_last_run_seconds{job="housekeeping"}'), undefined);
    assert.equal(valueIn(page, 'hub_job_failed{job="housekeeping"}'), 0);
    assert.notEqual(valueIn(page, 'hub_ledger_unsealed_transfers'), undefined);
    assert.equal(valueIn(page, 'hub_ledger_frozen'), 0);
    assert.equal(valueIn(page, 'hub_search_documents'), search.figures().documents);
    assert.equal(valueIn(page, 'hub_search_ready_seconds'), 0);
    assert.equal(store.frozenSince(), undefined);
  });

  it('are at the port of agents for the token alone, without a word about it', async () => {
    for (const wrong of [undefined, '', 'a token that is never guesseD', TOKEN.slice(0, -1)]) {
      const refused = await get('/metrics', wrong);
      assert.equal(refused.status, 401);
      assert.doesNotMatch(await refused.text(), /hub_/);
    }
    const shown = await get('/metrics', TOKEN);
    assert.equal(shown.status, 200);
    assert.match(await shown.text(), /^hub_requests_total/m);
  });

  it('says that it is alive, and that it is ready until it is stopped', async () => {
    const own = await openFixture();
    try {
      const statusOf = async (path: string) => (await fetch(`${own.hub.url}${path}`)).status;
      assert.deepEqual([await statusOf('/healthz'), await statusOf('/readyz')], [200, 200]);
      assert.equal(await statusOf('/metrics'), 404, 'off unless it is asked for');
      void own.hub.running.drain(2_000);
      assert.deepEqual([await statusOf('/healthz'), await statusOf('/readyz')], [200, 503]);
      mustOk(await own.anyone.get('/api/v1/tasks'));
    } finally {
      await own.close();
    }
  });
});
