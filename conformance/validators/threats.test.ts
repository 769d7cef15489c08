import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { act, money, publish, read, submit, type Body } from '../tasks/_work.ts';
import {
  accepts,
  COURT_MS_MAX,
  delivered,
  isSilent,
  openCourt,
  panels,
  recordOf,
  rejects,
  shown,
  tick,
  type PanelDriver,
} from './_court.ts';

/**
 * docs/threats.md, threats.own-judge to threats.bribed-judge: attacks on seats, and what stops them.
 */
describe('threats to panels', function threats() {
  this.timeout(COURT_MS_MAX);
  let driver: PanelDriver;
  afterEach(() => driver.close());

  const poolOf = async (id: string): Promise<unknown[]> => {
    const [panel] = await panels(driver, id);
    return (at(panel, 'pool') as Body[]).map(({ account }) => account);
  };

  it('1: a requester, a worker or a payee never judges its own work', async () => {
    driver = await openCourt({ judges: 6 });
    const { world, judges } = driver;
    const [requester, worker, payee, ...others] = judges;
    assert.ok(requester !== undefined && worker !== undefined && payee !== undefined);
    for (let time = 0; time < 10; time += 1) {
      const { id } = await publish(requester.agent, { verification: 'validator' });
      const body = { agentId: worker.agent.account, payee: payee.agent.account };
      const { claimToken } = mustOk(await act(worker.agent, id, 'claim', body));
      mustOk(await act(worker.agent, id, 'submit', { claimToken, result: 'x' }));
      assert.deepEqual(
        [...(await poolOf(id))].sort(),
        others.map(({ agent }) => agent.account).sort(),
      );
      await tick(world);
    }
  });

  it('1: everybody makes the draw again from public answers, once its pulse is out', async () => {
    driver = await openCourt({ judges: 5, stakes: ['0', '900', '5000', '2000000', '700000'] });
    const { world } = driver;
    const { anyone } = world;
    const pulse = async (seq: number) =>
      at(mustOk(await anyone.get(`/api/v1/time/pulses/${seq}`)), 'body') as Body;
    for (let time = 0; time < 5; time += 1) {
      const id = await delivered(driver);
      const [panel] = await panels(driver, id);
      const { pulseSeq, seed, pool, judges, attemptId, round } = panel as Body;
      assert.equal((await anyone.get(`/api/v1/time/pulses/${String(pulseSeq)}`)).status, 404);
      const { nextCommit } = await pulse(Number(pulseSeq) - 1);
      await tick(world);
      const { random } = await pulse(Number(pulseSeq));
      const bytes = Buffer.from(String(random), 'hex');
      assert.equal(createHash('sha256').update(bytes).digest('hex'), nextCommit);
      const text = `hub/draw/v1|panel|${String(random)}|${id}|${String(attemptId)}|${String(round)}`;
      const made = createHash('sha256').update(text).digest();
      assert.equal(made.toString('hex'), seed);
      const drawn = (judges as Body[]).map(({ account }) => account);
      assert.deepEqual(drawOf(made, pool as Body[]).slice(0, 3), drawn);
      await driver.sit();
    }
  });

  it('2: many cheap seats own no panel: one a host, by stake, and not above their ceiling', async () => {
    driver = await openCourt({ judges: 5, stakes: ['5000000', '5000000', '5000000', '0', '0'] });
    const { judges } = driver;
    const [one, two, three, free] = judges;
    assert.ok(one !== undefined && two !== undefined && three !== undefined && free !== undefined);
    const another = await driver.world.agent();
    const body = { account: another.account, endpoint: `${free.endpoint}/second` };
    mustRefuse(await another.post('/api/v1/validators', body), 400, 'seat-exists');
    const cheap = await delivered(driver, { rewardAmount: '1000000' });
    const [panel] = await panels(driver, cheap);
    const weights = (at(panel, 'pool') as Body[]).map(({ weight }) => weight);
    assert.deepEqual([...weights].sort(), ['1000', '1000', '5000000', '5000000', '5000000']);
    const dear = await delivered(driver, { rewardAmount: '1000001' });
    assert.deepEqual(
      [...(await poolOf(dear))].sort(),
      [one, two, three].map(({ agent }) => agent.account).sort(),
    );
  });

  it('3: a lazy judge finds nothing to copy while a round is open', async () => {
    driver = await openCourt({ judges: 3 });
    const { world, judges } = driver;
    const [one, two, lazy] = judges;
    assert.ok(one !== undefined && two !== undefined && lazy !== undefined);
    one.does(rejects);
    two.does(rejects);
    lazy.does(isSilent);
    const id = await delivered(driver);
    const look = async (): Promise<string> => {
      const paths = [
        `/api/v1/tasks/${id}`,
        `/api/v1/tasks/${id}/economics`,
        `/api/v1/tasks/${id}/solutions`,
        '/api/v1/validators',
        ...judges.map(({ agent }) => `/api/v1/passport/${agent.keyId}/karma`),
      ];
      const answers = await Promise.all(paths.map((path) => world.anyone.get(path)));
      return answers.map(({ text }) => text).join('\n');
    };
    const before = await look();
    await driver.sit();
    assert.equal(await look(), before, 'two votes are in, and nothing shows it');
    world.hub.clock.advance(5);
    await driver.sit();
    lazy.does(accepts);
    world.hub.clock.advance(15);
    await driver.sit();
    assert.deepEqual([...shown((await panels(driver, id))[0])].sort(), [
      ...['accepted', 'rejected', 'rejected'],
    ]);
    assert.equal(at(await recordOf(driver, lazy), 'record', 'disagreed'), 1);
  });

  it('4: one bribed voice of three passes no bad work, and is on record for it', async () => {
    driver = await openCourt({ judges: 3 });
    const { world, judges } = driver;
    const [bribed, ...honest] = judges;
    assert.ok(bribed !== undefined);
    for (const judge of honest) judge.does(rejects);
    const { id } = await publish(world.alice, { verification: 'validator' });
    mustOk(await submit(world.bob, id, 'Nothing.'));
    await driver.sit();
    assert.equal((await read(world, id))['state'], 'open');
    assert.deepEqual(await money(world.bob), ['0', '0', '0']);
    assert.equal(at(await recordOf(driver, bribed), 'record', 'disagreed'), 1);
  });
});

/** Written from spec/BYTES.md alone. */
function drawOf(seed: Uint8Array, pool: readonly Body[]): unknown[] {
  let left = [...pool].sort((a, b) => (String(a['account']) < String(b['account']) ? -1 : 1));
  const order: unknown[] = [];
  for (let k = 0; left.length > 0; k += 1) {
    const message = Uint8Array.of(k >>> 24, k >>> 16, k >>> 8, k);
    const hex = createHmac('sha256', seed).update(message).digest('hex');
    const total = left.reduce((sum, { weight }) => sum + BigInt(String(weight)), 0n);
    let r = BigInt(`0x${hex}`) % total;
    const picked = left.find(({ weight }) => {
      const here = r < BigInt(String(weight));
      if (!here) r -= BigInt(String(weight));
      return here;
    });
    order.push(picked?.['account']);
    left = left.filter(({ group }) => group !== picked?.['group']);
  }
  return order;
}
