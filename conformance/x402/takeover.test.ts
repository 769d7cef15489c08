import assert from 'node:assert/strict';
import type { RunningHub } from '../../server/boot/open.ts';
import { openBeside } from '../harness/chain/hub.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { walletOf } from '../router/_fixture.ts';
import {
  callBody,
  newPayer,
  openPaidFixture,
  payV1,
  PRICE,
  quoteFor,
  SUITE_MS_MAX,
  type PaidFixture,
} from './_fixture.ts';

const MONEY = 20_000n;

describe('a payment over x402 while the process that held the hot wallet is dead', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: PaidFixture;
  let dead: RunningHub;
  before(async () => {
    world = await openPaidFixture();
  });
  beforeEach(async () => {
    dead = await openBeside(world.hub, world.env);
    await dead.driver.runOnce('chainLeases');
  });
  afterEach(() => dead.close());
  after(() => world.close());

  const paying = async () => {
    const payer = await newPayer(world, MONEY);
    const body = callBody(world, payer.agent);
    const header = await payV1(world, payer.wallet, await quoteFor(payer.agent, body));
    return { ...payer, body, header };
  };

  it('is answered 503 before anything is taken, and the same payment works later', async () => {
    const { agent, wallet, call, body, header } = await paying();
    const refused = await call(body, header);
    mustRefuse(refused, 503, 'busy');
    assert.equal(refused.headers.get('retry-after'), '5');
    assert.equal(await world.chain.balanceOf(wallet.address), MONEY);
    const rows = await world.hub.running.hub.store.read((db) =>
      db.knex('x402_payments').where({ payer: wallet.address.toLowerCase() }),
    );
    assert.deepEqual(rows, [], 'its nonce is unused');
    world.hub.clock.advance(7);
    assert.equal(at(mustOk(await call(body, header)), 'receipt', 'outcome'), 'served');
    assert.equal(await world.chain.balanceOf(wallet.address), MONEY - BigInt(PRICE));
    assert.equal((await walletOf(agent))['balance'], '0');
  });

  it('waits for the takeover and is served', async () => {
    const { wallet, call, body, header } = await paying();
    const answer = call(body, header);
    const { hub } = world.hub.running;
    const moving = setInterval(() => world.hub.clock.advance(1), 100);
    try {
      assert.equal(at(mustOk(await answer), 'receipt', 'outcome'), 'served');
    } finally {
      clearInterval(moving);
    }
    assert.equal(await world.chain.balanceOf(wallet.address), MONEY - BigInt(PRICE));
    const tokens: unknown[] = await hub.store.read((db) =>
      db.knex('chain_leases').where({ name: 'wallet:base' }).pluck('token'),
    );
    assert.ok(Number(tokens[0]) > 1, 'another term');
  });
});
