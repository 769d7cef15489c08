import assert from 'node:assert/strict';
import type { Agent, Answer } from '../harness/agents.ts';
import { accountAt } from '../harness/chain/anvil.ts';
import { openChainFixture, TREASURY, type ChainFixture } from '../harness/chain/hub.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { onlyTheOwner, walletPath } from './_signed.ts';

const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
let keys = 0;
const fresh = (): string => `withdraw-${(keys += 1)}`;
const withdraw = (from: Agent, over: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
  from.post(`${walletPath(from)}/withdraw`, {
    address: TO,
    amount: '50000',
    idempotencyKey: fresh(),
    ...over,
  });
const wallet = async (of: Agent): Promise<Record<string, unknown>> =>
  mustOk(await of.get(walletPath(of)));
const latest = async (of: Agent): Promise<Record<string, unknown>> => {
  const page = mustOk(await of.get(`${walletPath(of)}/withdrawals?limit=1`));
  return at(page, 'withdrawals', 0) as Record<string, unknown>;
};

describe('wallet.withdraw on the simulated rail', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '900000000');
  });
  after(() => world.close());

  it('holds the amount, goes through the stages, and leaves after ten seconds', async () => {
    const payer = await world.agent();
    await world.fund(payer, '100000');
    const asked = mustOk(await withdraw(payer));
    assert.deepEqual(
      [asked['state'], asked['stage'], asked['recallable'], asked['arrives'], asked['fee']],
      ['pending', 'queued', true, '49000', '1000'],
    );
    assert.equal(at(asked, 'next', 0, 'action'), 'wallet.recall');
    const held = await wallet(payer);
    assert.deepEqual([held['balance'], held['spendable']], ['100000', '50000']);
    assert.equal(at(held, 'inFlight', 'withdrawals'), '50000');
    world.hub.clock.advance(4);
    const signed = await latest(payer);
    assert.deepEqual([signed['stage'], signed['recallable']], ['signed', false]);
    world.hub.clock.advance(2);
    assert.equal((await latest(payer))['stage'], 'broadcast');
    await world.hub.runJob('withdrawals');
    assert.equal((await latest(payer))['state'], 'pending');
    world.hub.clock.advance(4);
    await world.hub.runJob('withdrawals');
    const done = await latest(payer);
    assert.deepEqual([done['state'], done['stage'], done['next']], ['confirmed', undefined, []]);
    const after = await wallet(payer);
    assert.deepEqual([after['balance'], after['spendable']], ['50000', '50000']);
  });

  it('fails at the address that rehearses it, and the money is back', async () => {
    const payer = await world.agent();
    await world.fund(payer, '100000');
    mustOk(await withdraw(payer, { address: '0x000000000000000000000000000000000000dEaD' }));
    world.hub.clock.advance(10);
    await world.hub.runJob('withdrawals');
    const failed = await latest(payer);
    assert.deepEqual([failed['state'], failed['failureProof']], ['failed', 'reverted']);
    assert.match(String(failed['failureReason']), /rehearsed/);
    assert.equal((await wallet(payer))['spendable'], '100000');
  });

  it('answers a repeat with the first result, whatever changed since', async () => {
    const payer = await world.agent();
    await world.fund(payer, '100000');
    const key = fresh();
    const first = mustOk(await withdraw(payer, { idempotencyKey: key }));
    mustOk(
      await payer.post(`${walletPath(payer)}/payout-address`, { address: accountAt(3).address }),
    );
    const again = mustOk(await withdraw(payer, { idempotencyKey: key }));
    assert.deepEqual([again['id'], again['repeated']], [first['id'], true]);
    mustRefuse(
      await withdraw(payer, { idempotencyKey: key, amount: '60000' }),
      400,
      'idempotency-mismatch',
    );
  });

  const refusals: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ['an unknown network', { network: 'mars' }, 'network-unknown'],
    ['a network without a rail', { network: 'play' }, 'rail-missing'],
    ['a chain that is not loaded', { network: 'base', amount: '1000000' }, 'rail-missing'],
    ['a wrong checksum', { address: TO.replace('5aA', '5AA') }, 'address-invalid'],
    ['half an address', { address: '0x5aAeb6053F3E' }, 'address-invalid'],
    ['the zero address', { address: `0x${'0'.repeat(40)}` }, 'address-invalid'],
    ['less than the minimum', { amount: '9999' }, 'below-minimum'],
    ['more than is spendable', { amount: '900000001' }, 'insufficient-funds'],
    ['more than an amount can be', { amount: '1000000000000001' }, 'bad-amount'],
    ['a number for an amount', { amount: 50_000 }, 'bad-amount'],
  ];
  for (const [what, over, code] of refusals) {
    it(`refuses ${what}: ${code}`, async () => {
      mustRefuse(await withdraw(world.alice, over), 400, code);
    });
  }

  it('takes an address in one case', async () => {
    const asked = mustOk(await withdraw(world.alice, { address: TO.toLowerCase() }));
    assert.equal(asked['address'], TO);
  });

  it('goes to the payout address alone once there is one', async () => {
    const payer = await world.agent();
    await world.fund(payer, '100000');
    mustOk(
      await payer.post(`${walletPath(payer)}/payout-address`, { address: accountAt(3).address }),
    );
    const refused = mustRefuse(await withdraw(payer), 400, 'address-not-payout');
    assert.match(String(refused['error']), new RegExp(accountAt(3).address));
    mustOk(await withdraw(payer, { address: accountAt(3).address }));
  });

  it('spends nothing twice when many ask at once', async () => {
    const payer = await world.agent();
    await world.fund(payer, '100000');
    const asked = await Promise.all(Array.from({ length: 8 }, () => withdraw(payer)));
    assert.deepEqual(asked.map(({ status }) => status).sort(), [200, 200, 400, 400, 400, 400, 400, 400]);
  });

  onlyTheOwner(
    () => world,
    'POST',
    '/withdraw',
    () => ({ address: TO, amount: '50000' }),
  );
});

describe('wallet.withdraw on a chain', () => {
  let world: ChainFixture;
  const bela = accountAt(2).address;
  before(async () => {
    world = await openChainFixture();
    await world.chain.mint(TREASURY.address, 5_000_000_000n);
  });
  after(() => world.close());

  async function paid(amount: bigint): Promise<Agent> {
    const agent = await world.agent();
    const made = mustOk(await agent.post(`${walletPath(agent)}/deposit-address`));
    await world.chain.mint(made['address'] as `0x${string}`, amount);
    await world.settle('deposits');
    assert.equal((await wallet(agent))['balance'], String(amount));
    return agent;
  }

  it('pays the address the amount less the fee, once, and says how', async () => {
    const agent = await paid(5_000_000n);
    const before = await world.chain.balanceOf(bela);
    const asked = mustOk(await withdraw(agent, { address: bela, amount: '2000000' }));
    assert.deepEqual([asked['state'], asked['stage']], ['pending', 'queued']);
    assert.ok(typeof asked['expectedAt'] === 'string');
    await world.hub.runJob('hotWallet');
    await world.hub.runJob('hotWallet');
    const sent = await latest(agent);
    assert.deepEqual([sent['stage'], sent['recallable']], ['broadcast', false]);
    assert.match(String(sent['txHash']), /^0x[0-9a-f]{64}$/);
    mustRefuse(
      await agent.post(`${walletPath(agent)}/withdrawals/${String(asked['id'])}/cancel`),
      400,
      'not-recallable',
    );
    await world.settle('hotWallet');
    await world.hub.runJob('withdrawals');
    const done = await latest(agent);
    assert.deepEqual([done['state'], done['txHash']], ['confirmed', sent['txHash']]);
    assert.equal((await world.chain.balanceOf(bela)) - before, 1_990_000n);
    assert.equal((await wallet(agent))['balance'], '3000000');
  });

  it('keeps more than the automatic limit waiting for an operator, recallable', async () => {
    const agent = await paid(600_000_000n);
    const asked = mustOk(await withdraw(agent, { address: bela, amount: '500000001' }));
    assert.deepEqual([asked['waitsForOperator'], asked['recallable']], [true, true]);
    await world.hub.runJob('hotWallet');
    assert.equal((await latest(agent))['stage'], 'queued');
    mustOk(await agent.post(`${walletPath(agent)}/withdrawals/${String(asked['id'])}/cancel`));
    assert.equal((await wallet(agent))['spendable'], '600000000');
  });

  it('lets two thousand a day out by itself, and keeps the rest', async () => {
    const agent = await paid(900_000_000n);
    const other = await paid(900_000_000n);
    const third = await paid(900_000_000n);
    for (const each of [other, third]) {
      mustOk(
        await each.post(`${walletPath(each)}/pay`, {
          to: agent.account,
          amount: '800000000',
          idempotencyKey: fresh(),
        }),
      );
    }
    const waits: unknown[] = [];
    for (let n = 0; n < 5; n += 1) {
      const asked = mustOk(await withdraw(agent, { address: bela, amount: '499000000' }));
      waits.push(asked['waitsForOperator']);
    }
    assert.deepEqual(waits, [undefined, undefined, undefined, undefined, true]);
  });

  it('waits a day after the payout address was changed', async () => {
    const agent = await paid(5_000_000n);
    const set = (address: string): Promise<Answer> =>
      agent.post(`${walletPath(agent)}/payout-address`, { address });
    mustOk(await set(accountAt(3).address));
    mustOk(await withdraw(agent, { address: accountAt(3).address, amount: '1000000' }));
    mustOk(await set(bela));
    const cooling = mustRefuse(
      await withdraw(agent, { address: bela, amount: '1000000' }),
      400,
      'address-cooling',
    );
    assert.equal(cooling['retryAfterSeconds'], 86_400);
    world.hub.clock.advance(86_400);
    mustOk(await withdraw(agent, { address: bela, amount: '1000000' }));
  });

  const own: readonly (readonly [string, () => Promise<string> | string])[] = [
    ['the token contract', () => world.chain.token],
    ['the hot wallet', () => TREASURY.address],
    [
      'an address of deposits',
      async () =>
        String(
          mustOk(await world.bob.post(`${walletPath(world.bob)}/deposit-address`))['address'],
        ),
    ],
  ];
  for (const [what, address] of own) {
    it(`refuses ${what}`, async () => {
      const over = { address: (await address()).toLowerCase(), amount: '1000000' };
      mustRefuse(await withdraw(world.alice, over), 400, 'address-invalid');
    });
  }

  it('waits while the hot wallet lacks the money, and can be recalled', async () => {
    const agent = await paid(5_000_000n);
    const has = await world.chain.balanceOf(TREASURY.address);
    await world.chain.transfer(TREASURY, accountAt(5).address, has);
    const asked = mustOk(await withdraw(agent, { address: bela, amount: '2000000' }));
    await world.hub.runJob('hotWallet');
    assert.equal((await latest(agent))['stage'], 'queued');
    mustOk(await agent.post(`${walletPath(agent)}/withdrawals/${String(asked['id'])}/cancel`));
    await world.chain.mint(TREASURY.address, has);
    world.hub.clock.advance(61);
    await world.settle('hotWallet');
    assert.equal((await wallet(agent))['spendable'], '5000000');
  });
});
