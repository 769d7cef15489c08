import assert from 'node:assert/strict';
import { houseAccount, parseAccount, type Account } from '../../domain/account.ts';
import { instant } from '../../domain/instant.ts';
import type { Reason } from '../../domain/ledger/reasons.ts';
import type { Step, Transfer } from '../../domain/ledger/transfer.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { person, PLACE, run, sum } from '../ledger/book.ts';
import { publish, RULE, submit } from '../tasks/_work.ts';

type Body = Record<string, unknown>;

const SUITE_MS_MAX = 60_000;
const DAY_SECONDS = 86_400;
const [BURNED, FEES, DEMAND, GAS] = [
  houseAccount('hub:burned'),
  houseAccount('hub:fees'),
  houseAccount('hub:demand'),
  houseAccount('hub:gas'),
];
const [RAIL, FAUCET, ISSUANCE, CHAIN] = [
  houseAccount('external:rail:sandbox'),
  houseAccount('external:faucet'),
  houseAccount('external:issuance'),
  houseAccount('external:chain:base'),
];
const WALLET = account('evm:0x00000000000000000000000000000000000000aa');

function account(name: string): Account {
  return parseAccount(name) ?? assert.fail(name);
}

function move(from: Account, to: Account, amount: number, reason: Reason): Step {
  return { verb: 'move', from, to, amount: sum(BigInt(amount)), reason };
}

for (const [name, url] of DATABASES) {
  describe(`discovery.economy (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
    });
    after(() => world.close());

    const economy = async (query = ''): Promise<Body> =>
      mustOk(await world.anyone.get(`/api/v1/economy${query}`));
    const post = async (steps: readonly Step[], over: Partial<Transfer> = {}) =>
      run(world.hub.running.hub.store, steps, { at: world.hub.clock.now(), ...over });

    it('begins with what the house was issued', async () => {
      const now = world.hub.clock.now();
      assert.deepEqual(await economy(), {
        ...PLACE,
        window: '24h',
        from: new Date(now - DAY_SECONDS * 1000).toISOString(),
        to: new Date(now).toISOString(),
        supply: '50000000000',
        supplyBefore: '0',
        ofUsers: '0',
        ofUsersBefore: '0',
        faucets: { total: '50000000000', deposits: '0', faucet: '0', issued: '50000000000' },
        drains: { total: '0', withdrawn: '0', burned: '0', fees: '0' },
        feePool: '0',
        recirculated: '0',
        moved: '0',
        velocity: '0.000000',
        byReason: [{ reason: 'issue', amount: '50000000000', count: 1 }],
      });
    });

    it('shows where money came from, where it went, and how fast it changed hands', async () => {
      const { alice, bob } = world;
      const [a, b] = [account(alice.account), account(bob.account)];
      world.hub.clock.advance(DAY_SECONDS);
      await world.fund(alice, '1000000');
      const paid = { to: b, amount: '250000', idempotencyKey: 'economy' };
      mustOk(await alice.post(`/api/v1/wallet/${a}/pay`, paid));
      const task = { rewardAmount: '400000', acceptance: RULE, disputeWindowSeconds: 0 };
      mustOk(await submit(bob, (await publish(alice, task)).id, 'done'));
      await publish(alice, { rewardAmount: '90000' });
      await post([move(RAIL, a, 70_000, 'deposit')]);
      await post([move(a, RAIL, 20_000, 'deposit.reversed')]);
      await post([move(RAIL, WALLET, 3_000, 'x402.topup')]);
      await post([move(WALLET, a, 3_000, 'sweep.evm')]);
      await post([move(a, RAIL, 30_000, 'withdraw'), move(a, GAS, 1_000, 'withdraw.fee')]);
      await post([move(a, BURNED, 5_000, 'stake.burn')]);
      await post([move(DEMAND, b, 600, 'task.reward'), move(DEMAND, b, 11, 'task.reward')]);
      await post([move(FEES, DEMAND, 7_000, 'recirculate')]);
      const { from, to, byReason, ...figures } = await economy('?window=23h');
      assert.equal(Date.parse(String(to)) - Date.parse(String(from)), 23 * 3_600_000);
      assert.deepEqual(figures, {
        ...PLACE,
        window: '23h',
        supply: '50001023000',
        supplyBefore: '50000000000',
        ofUsers: '1005611',
        ofUsersBefore: '0',
        faucets: { total: '1053000', deposits: '53000', faucet: '1000000', issued: '0' },
        drains: { total: '41000', withdrawn: '31000', burned: '5000', fees: '5000' },
        feePool: '5000',
        recirculated: '7000',
        moved: '638000',
        velocity: '1.268880',
      });
      assert.deepEqual(
        (byReason as Body[]).map(({ reason, amount, count }) => [reason, amount, count]),
        [
          ['deposit', '70000', 1],
          ['deposit.reversed', '20000', 1],
          ['faucet', '1000000', 1],
          ['x402.topup', '3000', 1],
          ['withdraw', '30000', 1],
          ['withdraw.fee', '1000', 1],
          ['sweep.evm', '3000', 1],
          ['pay', '250000', 1],
          ['task.reward', '388611', 2],
          ['task.fee.hub', '12000', 1],
          ['stake.burn', '5000', 1],
          ['recirculate', '7000', 1],
        ],
      );
    });

    it('agrees with the proof of the books', async () => {
      const { ledgers } = mustOk(await world.anyone.get('/api/v1/economy/conservation'));
      for (const sums of ledgers as Body[]) {
        const { supply } = await economy(`?network=${String(sums['network'])}`);
        assert.equal(supply, sums['supply']);
        const inside = BigInt(String(sums['users'])) + BigInt(String(sums['hub']));
        assert.equal(supply, `${inside}`);
      }
    });

    it('counts to the millisecond, from behind the first moment to the last', async () => {
      const [a, b] = [person(), person()];
      const now = world.hub.clock.now();
      const network = 'play';
      const old = { network, at: instant(now - 3_600_000) } as const;
      await post([move(ISSUANCE, a, 100_000, 'issue')], old);
      const at = (ms: number) => ({ network, at: instant(now + ms) }) as const;
      await post([move(a, b, 1, 'pay')], at(-60_000));
      await post([move(a, b, 20, 'pay')], at(-59_999));
      await post([move(a, b, 300, 'pay')], at(0));
      await post([move(a, b, 4_000, 'pay')], at(1));
      const minute = await economy('?window=1m&network=play');
      assert.deepEqual(minute['byReason'], [{ reason: 'pay', amount: '320', count: 2 }]);
      const { network: of, moved, supply, supplyBefore } = minute;
      assert.deepEqual(
        [of, moved, supply, supplyBefore],
        ['play', '320', '50000100000', '50000100000'],
      );
      assert.equal((await economy('?window=2m&network=play'))['moved'], '321');
      world.hub.clock.jump(1);
      assert.equal((await economy('?window=1m&network=play'))['moved'], '4300');
      const elsewhere = (await economy('?window=2m'))['byReason'] as Body[];
      const reasons = elsewhere.map(({ reason }) => reason);
      assert.ok(reasons.includes('recirculate') && !reasons.includes('issue'), 'the sandbox apart');
    });

    it('counts pots of the games as money of users', async () => {
      const { ofUsers } = await economy();
      const pot = houseAccount('hub:pot:poker:01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90');
      const at = instant(world.hub.clock.now());
      const a = account(world.alice.account);
      await post([move(a, pot, 40_000, 'poker.buyin')], { at });
      assert.equal((await economy())['ofUsers'], ofUsers);
      await post([move(pot, a, 40_000, 'poker.cashout')], { at });
    });

    it('shows the newest seal once there is one', async () => {
      assert.equal('seal' in (await economy()), false);
      await world.hub.runJob('sealJournal');
      const { seal } = await economy();
      const head = mustOk(await world.anyone.get('/api/v1/economy/seals/head'));
      assert.ok(seal !== undefined);
      assert.deepEqual(seal, head['seal']);
    });

    it('counts what another process with a faster clock wrote before the seal', async () => {
      const { clock } = world.hub;
      const [a, b] = [person(), person()];
      await post([move(FAUCET, a, 70, 'faucet')]);
      clock.advance(120);
      const ahead = { at: instant(clock.now() + 30_000) };
      await post([move(a, b, 70, 'pay')], ahead);
      await world.hub.runJob('sealJournal');
      clock.advance(61);
      assert.deepEqual((await economy('?window=1m'))['byReason'], [
        { reason: 'pay', amount: '70', count: 1 },
      ]);
    });

    it('adds up exactly what no 63 bits hold', async () => {
      const network = 'base';
      const most = 1_000_000_000_000_000;
      const [a, b] = [person(), person()];
      await post([move(CHAIN, a, most, 'deposit')], { network });
      const round = [move(a, b, most, 'pay'), move(b, a, most, 'pay')];
      const rounds = Array.from({ length: 465 }, () => round).flat();
      for (let count = 0; count < 10; count += 1) await post(rounds, { network });
      const { moved, velocity } = await economy('?network=base');
      assert.deepEqual([moved, velocity], ['9300000000000000000', '18600.000000']);
    });

    it('lowers a longer window to 90 days, and says so', async () => {
      const { window, from, to } = await economy('?window=91d');
      assert.equal(window, '90d');
      assert.equal(Date.parse(String(to)) - Date.parse(String(from)), 90 * DAY_SECONDS * 1000);
    });

    for (const window of ['', '0h', '01h', '1.5h', '-1d', '24', '24H', '1w', '10000m']) {
      it(`refuses the window ${JSON.stringify(window)}`, async () => {
        const answer = await world.anyone.get(`/api/v1/economy?window=${window}`);
        assert.equal(mustRefuse(answer, 400, 'bad-request')['field'], 'query.window');
      });
    }

    it('refuses a network that does not exist, and names those that do', async () => {
      const answer = await world.anyone.get('/api/v1/economy?network=moon');
      const refusal = mustRefuse(answer, 400, 'network-unknown');
      assert.match(String(refusal['hint']), /sandbox, base, play/);
    });
  });
}
