import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { publish, read, submit, type Body } from '../tasks/_work.ts';
import { onEachDatabase, openCourt, panels, type PanelDriver } from './_court.ts';

onEachDatabase('tasks that ask for reliable judges', (url) => {
  let driver: PanelDriver;
  beforeEach(async () => {
    driver = await openCourt({ judges: 7, databaseUrl: await url() });
  });
  afterEach(() => driver.close());

  /** Stores what was measured of the first judges, in the order of their seats. */
  const measured = async (...bps: readonly number[]): Promise<void> => {
    const { hub } = driver.world;
    await hub.running.hub.store.write(async (tx) => {
      for (const [nth, reliability_bps] of bps.entries()) {
        const account = String(driver.judges[nth]?.agent.account);
        const seat = await tx.knex('seats').where({ account }).first<Body>('*');
        const { id: seat_id, network } = seat;
        const row = { account, seat_id, network, reliability_bps, figures: '{}', at: 1 };
        await tx.knex('judge_records').insert(row);
      }
    });
  };
  const poolOf = async (over: Body): Promise<readonly (number | undefined)[]> => {
    const { world } = driver;
    const task = await publish(world.alice, { verification: 'validator', ...over });
    mustOk(await submit(world.bob, task.id, 'The work.'));
    const [panel] = await panels(driver, task.id);
    const drawn = (at(panel, 'pool') as Body[]).map(({ account }) => account);
    return driver.judges.flatMap(({ agent }, nth) => (drawn.includes(agent.account) ? [nth] : []));
  };

  it('are judged by those that reach the bar, and by all while fewer than five do', async () => {
    await measured(9_000, 8_000, 7_000, 6_000, 5_000, 1_000);
    assert.deepEqual(await poolOf({ minReliabilityBps: 5_000 }), [0, 1, 2, 3, 4]);
    assert.deepEqual(await poolOf({ minReliabilityBps: 5_001 }), [0, 1, 2, 3, 4, 5, 6]);
    assert.deepEqual(await poolOf({}), [0, 1, 2, 3, 4, 5, 6]);
  });

  it('show the bar in their terms, warn when it is out of reach, and need a panel', async () => {
    const { world } = driver;
    const judged = { verification: 'validator', minReliabilityBps: 9_000 };
    const task = await publish(world.alice, judged);
    assert.match(String(task['warning']), /Fewer than five unlinked judges/);
    assert.equal((await read(world, task.id))['minReliabilityBps'], 9_000);
    await measured(9_000, 9_100, 9_200, 9_300, 9_400);
    assert.equal((await publish(world.alice, judged))['warning'], undefined);
    const body = { requester: world.alice.account, title: 'x', minReliabilityBps: 9_000 };
    const refused = await world.alice.post('/api/v1/tasks', body);
    const { field } = mustRefuse(refused, 400, 'not-together');
    assert.equal(field, 'body.minReliabilityBps');
  });

  it('list the judges by reliability in pages, without those that are not measured', async () => {
    await measured(2_000, 9_000, 9_000, 5_000);
    const accounts: unknown[] = [];
    for (let after = ''; ;) {
      const path = `/api/v1/validators?order=reliability&limit=2${after}`;
      const page = mustOk(await driver.world.anyone.get(path));
      accounts.push(...(page['validators'] as Body[]).map((each) => each['reliabilityBps']));
      if (page['hasMore'] !== true) break;
      after = `&after=${String(page['next'])}`;
    }
    assert.deepEqual(accounts, [9_000, 9_000, 5_000, 2_000]);
  });

  it('page through thousands of judges by an index, each page within its bytes', async () => {
    const { hub, anyone } = driver.world;
    const count = 3_000;
    await hub.running.hub.store.write(async (tx) => {
      const first = await tx.knex('seats').first<Body>('*');
      const made = Array.from({ length: count }, (_, n) => {
        const account = `key:${'1'.repeat(32 - 4)}${digits(n)}`;
        const id = `01a1f866-0d00-70d6-bc9e-${String(n).padStart(12, '0')}`;
        return { ...first, account, id, endpoint_host: `${n}.example`, stake: 0, hold_id: null };
      });
      for (let at = 0; at < count; at += 20) {
        const seats = made.slice(at, at + 20);
        await tx.knex('seats').insert(seats);
        const records = seats.map(({ account, id: seat_id }, n) => {
          const reliability_bps = ((at + n) * 37) % 10_000;
          return { account, seat_id, network: 'sandbox', reliability_bps, figures: '{}', at: 1 };
        });
        await tx.knex('judge_records').insert(records);
      }
    });
    const seen: number[] = [];
    for (let after = ''; ;) {
      const answer = await anyone.get(`/api/v1/validators?order=reliability&limit=200${after}`);
      const page = mustOk(answer);
      assert.ok(answer.text.length < 200_000, `${answer.text.length} bytes`);
      seen.push(...(page['validators'] as Body[]).map((each) => Number(each['reliabilityBps'])));
      if (page['hasMore'] !== true) break;
      after = `&after=${String(page['next'])}`;
    }
    assert.equal(seen.length, count);
    assert.deepEqual(
      seen,
      [...seen].sort((a, b) => b - a),
    );
  });
});

/** Four signs of base58 that differ for each number. */
function digits(n: number): string {
  const signs = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  return [3, 2, 1, 0].map((place) => signs[Math.floor(n / 58 ** place) % 58]).join('');
}
