import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { joinAccount, type Agent } from '../harness/agents.ts';
import { onlyTheOwner, walletPath } from './_signed.ts';

describe('wallet.pay', () => {
  let world: Fixture;
  let keys = 0;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '900000000');
  });
  after(() => world.close());

  const fresh = (): string => `pay-${(keys += 1)}`;
  const pay = (from: Agent, body: Readonly<Record<string, unknown>>) =>
    from.post(`${walletPath(from)}/pay`, body);
  const payment = (over: Readonly<Record<string, unknown>> = {}) => ({
    to: world.bob.account,
    amount: '1000',
    idempotencyKey: fresh(),
    ...over,
  });

  it('refuses the account of a wallet on a network where the wallet could not spend it', async () => {
    const to = `evm:0x${'ab'.repeat(20)}`;
    const refused = mustRefuse(await pay(world.alice, payment({ to })), 400, 'bad-account');
    assert.equal(refused['field'], 'body.to');
    assert.match(String(refused['error']), /the wallet could not spend what it gets/);
  });

  it('moves the amount at once and says what is left', async () => {
    const payer = await world.agent();
    const receiver = await world.agent();
    await world.fund(payer, '1000000');
    const paid = mustOk(
      await pay(payer, payment({ to: receiver.account, amount: '250000', memo: 'for the maps' })),
    );
    assert.deepEqual(
      { ...paid, transferId: '', at: '' },
      {
        transferId: '',
        from: payer.account,
        to: receiver.account,
        amount: '250000',
        asset: 'USDC',
        network: 'sandbox',
        memo: 'for the maps',
        balanceAfter: '750000',
        spendableAfter: '750000',
        at: '',
        repeated: false,
      },
    );
    assert.equal(await balanceOf(payer), '750000');
    assert.equal(await balanceOf(receiver), '250000', 'the first signed request finds the money');
  });

  it('shows the payment on both statements, with its memo', async () => {
    const receiver = await world.agent();
    const paid = mustOk(await pay(world.alice, payment({ to: receiver.account, memo: 'both' })));
    for (const [agent, direction, other] of [
      [world.alice, 'out', receiver],
      [receiver, 'in', world.alice],
    ] as const) {
      const page = mustOk(await agent.get(`${walletPath(agent)}/statement?limit=1`));
      const entry = at(page, 'entries', 0);
      const { transferId } = paid;
      assert.deepEqual(
        ['direction', 'reason', 'amount', 'counterparty', 'memo', 'transferId'].map((name) =>
          at(entry, name),
        ),
        [direction, 'pay', '1000', other.account, 'both', transferId],
      );
      assert.deepEqual(at(entry, 'ref'), { kind: 'transfer', id: transferId });
    }
  });

  it('takes the bare key id for both accounts', async () => {
    const answer = await world.alice.post(
      `/api/v1/wallet/${world.alice.keyId}/pay`,
      payment({ to: world.bob.keyId }),
    );
    assert.equal(mustOk(answer)['to'], world.bob.account);
  });

  it('keeps networks apart', async () => {
    const refused = mustRefuse(
      await pay(world.alice, payment({ network: 'play' })),
      400,
      'insufficient-funds',
    );
    assert.match(String(refused['error']), /1000 are missing/);
  });

  describe('once for a key', () => {
    it('answers the same payment again without moving money', async () => {
      const body = payment();
      const first = mustOk(await pay(world.alice, body));
      const before = await balanceOf(world.alice);
      const again = mustOk(await pay(world.alice, body));
      assert.deepEqual(again, { ...first, repeated: true });
      assert.equal(await balanceOf(world.alice), before);
    });

    it('refuses another payment under a used key', async () => {
      const body = payment();
      mustOk(await pay(world.alice, body));
      const before = await balanceOf(world.alice);
      const other = await pay(world.alice, { ...body, amount: '1001' });
      mustRefuse(other, 400, 'idempotency-mismatch');
      assert.equal(await balanceOf(world.alice), before);
    });

    it('leaves the key of a refused payment unused', async () => {
      const poor = await world.agent();
      const body = payment();
      mustRefuse(await pay(poor, body), 400, 'insufficient-funds');
      await world.fund(poor, '1000');
      assert.equal(mustOk(await pay(poor, body))['repeated'], false);
    });

    it('does not share keys between accounts', async () => {
      await world.fund(world.bob, '1000');
      const idempotencyKey = fresh();
      mustOk(await pay(world.alice, payment({ idempotencyKey })));
      const bobs = payment({ idempotencyKey, to: world.alice.account });
      assert.equal(mustOk(await pay(world.bob, bobs))['repeated'], false);
    });
  });

  describe('refuses', () => {
    it('what the balance does not cover, in numbers, and names the way to money', async () => {
      const poor = await world.agent();
      await world.fund(poor, '400');
      const refused = mustRefuse(await pay(poor, payment()), 400, 'insufficient-funds');
      assert.match(String(refused['error']), /needs 1000 .* 400 are spendable .* 600 are missing/);
      assert.match(String(refused['hint']), new RegExp(`POST ${walletPath(poor)}/credit`));
      assert.equal(refused['field'], 'body.amount');
    });

    it('an unknown network, with the list that works', async () => {
      const refused = mustRefuse(
        await pay(world.alice, payment({ network: 'mainnet' })),
        400,
        'network-unknown',
      );
      assert.deepEqual(refused['allowed'], ['sandbox', 'base', 'play']);
    });

    it('nothing at all', async () => {
      mustRefuse(await pay(world.alice, payment({ amount: '0' })), 400, 'below-minimum');
    });

    it('a payment to oneself, by either name', async () => {
      for (const to of [world.alice.account, world.alice.keyId]) {
        mustRefuse(await pay(world.alice, payment({ to })), 400, 'self-dealing');
      }
    });

    for (const to of ['hub:fees', 'hub:pot:market:1', 'external:faucet', 'key:short', 'nobody']) {
      it(`the receiver ${to}`, async () => {
        mustRefuse(await pay(world.alice, payment({ to })), 400, 'bad-account');
      });
    }

    it('an account without a signing key, because its key was bound elsewhere', async () => {
      const second = await world.agent();
      mustOk(await joinAccount(world.bob, second));
      const refused = mustRefuse(
        await pay(world.alice, payment({ to: second.account })),
        400,
        'bad-account',
      );
      assert.match(String(refused['error']), new RegExp(`signs for ${world.bob.account}`));
    });

    const amounts: readonly unknown[] = [
      1000,
      '-1',
      '+1',
      '01',
      '1.0',
      '1e3',
      ' 1',
      '',
      '\uff11',
      '1000000000000001',
      '10000000000000000000',
      null,
    ];
    for (const amount of amounts) {
      it(`the amount ${JSON.stringify(amount)}`, async () => {
        mustRefuse(await pay(world.alice, payment({ amount })), 400, 'bad-amount');
      });
    }

    for (const missing of ['to', 'amount', 'idempotencyKey']) {
      it(`a payment without ${missing}`, async () => {
        const refused = mustRefuse(
          await pay(world.alice, payment({ [missing]: undefined })),
          400,
          'missing-field',
        );
        assert.equal(refused['field'], `body.${missing}`);
      });
    }

    it('has its refusals in the order of the contract', async () => {
      const all = { to: world.alice.account, amount: '0', network: 'mainnet' };
      const order = [
        [{}, 'network-unknown'],
        [{ network: 'sandbox' }, 'below-minimum'],
        [{ network: 'sandbox', amount: '1' }, 'self-dealing'],
      ] as const;
      for (const [over, code] of order) {
        mustRefuse(await pay(world.alice, payment({ ...all, ...over })), 400, code);
      }
    });
  });

  onlyTheOwner(
    () => world,
    'POST',
    '/pay',
    () => payment(),
  );

  async function balanceOf(agent: Agent): Promise<unknown> {
    return mustOk(await agent.get(walletPath(agent)))['balance'];
  }
});
