import assert from 'node:assert/strict';
import { postInside } from '../../db/ledger/postInside.ts';
import { houseAccount } from '../../domain/account.ts';
import { transferId } from '../../domain/ledger/transfer.ts';
import { atomic } from '../../domain/money.ts';
import type { Agent } from '../harness/agents.ts';
import { accountAt } from '../harness/chain/anvil.ts';
import { openChainFixture, type ChainFixture } from '../harness/chain/hub.ts';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk } from '../harness/must.ts';
import { walletPath } from '../wallet/_signed.ts';
import { faultyChain, type Faults } from './faults.ts';

/** Deposits are credited once, when they are deep, whatever the chain and its nodes do. */
function suite(title: string, databaseUrl: () => Promise<string>): void {
  describe(`deposits (${title})`, () => {
    const chaos = faultyChain();
    const faults: Faults = chaos.faults;
    let world: ChainFixture;
    before(async function open() {
      this.timeout(90_000);
      const url = await databaseUrl();
      world = await openChainFixture({
        wrapChain: chaos.wrap,
        databaseUrl: url,
      });
    });
    after(() => world.close());
    // Finality of this chain is two blocks; depth is what is tested unless a test says otherwise.
    beforeEach(() => {
      faults.neverFinal = true;
    });
    afterEach(() => {
      for (const name of Object.keys(faults)) delete faults[name as keyof Faults];
    });

    const run = (): Promise<void> => world.hub.runJob('deposits');
    const balance = async (of: Agent): Promise<unknown> =>
      mustOk(await of.get(walletPath(of)))['balance'];
    const states = async (of: Agent): Promise<readonly unknown[]> => {
      const page = mustOk(await of.get(`${walletPath(of)}/movements`));
      return (page['movements'] as { state: string }[]).map(({ state }) => state);
    };
    async function customer(): Promise<{ agent: Agent; address: `0x${string}` }> {
      const agent = await world.agent();
      const made = mustOk(await agent.post(`${walletPath(agent)}/deposit-address`));
      return { agent, address: made['address'] as `0x${string}` };
    }
    async function deepen(blocks = world.confirmations + 2): Promise<void> {
      await world.chain.mine(blocks);
      await run();
    }

    it('credits once, however often the blocks are read', async () => {
      const { agent, address } = await customer();
      await world.chain.mint(address, 1_500_000n);
      await run();
      assert.deepEqual(await states(agent), ['seen']);
      await world.chain.mine(world.confirmations - 1);
      await run();
      assert.equal(await balance(agent), '0');
      await deepen();
      for (let n = 0; n < 3; n += 1) await deepen(1);
      assert.deepEqual([await balance(agent), await states(agent)], ['1500000', ['credited']]);
    });

    it('forgets what a reorganisation dropped, and credits it when it is mined again', async () => {
      const { agent, address } = await customer();
      const sender = accountAt(7);
      await world.chain.mint(sender.address, 2_000_000n);
      await world.chain.transfer(sender, address, 2_000_000n);
      await run();
      assert.deepEqual(await states(agent), ['seen']);
      await world.chain.reorg(1);
      await world.chain.mine(1);
      await run();
      assert.deepEqual(await states(agent), ['orphaned']);
      await deepen();
      assert.equal(await balance(agent), '0');
      await world.chain.transfer(sender, address, 2_000_000n);
      await world.settle('deposits');
      assert.deepEqual(
        [await balance(agent), await states(agent)],
        ['2000000', ['credited', 'orphaned']],
      );
    });

    it('follows reorganisations of every depth below the confirmations', async () => {
      const { agent, address } = await customer();
      let kept = 0n;
      for (let depth = 1; depth < world.confirmations; depth += 1) {
        await world.chain.mint(address, 100n);
        await world.chain.mine(depth - 1);
        await run();
        await world.chain.reorg(depth);
        await world.chain.mine(1);
        await run();
        await world.chain.mint(address, 7n);
        kept += 7n;
        await world.settle('deposits');
      }
      assert.equal(await balance(agent), String(kept));
    });

    it('waits for a node that lags, and believes none that invents blocks', async () => {
      const { agent, address } = await customer();
      await world.chain.mint(address, 3_000_000n);
      await run();
      faults.lag = 4;
      await world.chain.mine(1);
      await run();
      faults.lag = -500;
      await run();
      assert.deepEqual([await balance(agent), await states(agent)], ['0', ['seen']]);
      delete faults.lag;
      await deepen();
      assert.equal(await balance(agent), '3000000');
    });

    it('gets through limits of the node by asking again', async () => {
      const { agent, address } = await customer();
      await world.chain.mint(address, 4_000_000n);
      await world.chain.mine(world.confirmations + 2);
      faults.busy = true;
      for (let n = 0; n < 4; n += 1) await run();
      delete faults.busy;
      await run();
      assert.equal(await balance(agent), '4000000');
    });

    it('makes up for logs that were left out the first time', async () => {
      const { agent, address } = await customer();
      faults.logsMax = 0;
      await world.chain.mint(address, 5_000_000n);
      await world.chain.mint(address, 6_000_000n);
      await run();
      assert.deepEqual(await states(agent), []);
      delete faults.logsMax;
      await deepen();
      assert.equal(await balance(agent), '11000000');
    });

    it('catches up after the chain was gone for an hour', async () => {
      const { agent, address } = await customer();
      await run();
      faults.gone = true;
      await world.chain.mint(address, 7_000_000n);
      await world.chain.mine(1_800);
      world.hub.clock.advance(3_600);
      await run();
      const reported = mustOk(await world.anyone.get('/api/v1/networks'));
      assert.deepEqual(
        [at(reported, 'networks', 0, 'id'), at(reported, 'networks', 0, 'watched')],
        ['base', false],
      );
      delete faults.gone;
      await run();
      assert.equal(await balance(agent), '7000000');
      const now = mustOk(await world.anyone.get('/api/v1/networks'));
      assert.deepEqual(
        [at(now, 'networks', 0, 'watched'), at(now, 'networks', 0, 'lag')],
        [true, 0],
      );
      assert.ok(Number(at(now, 'networks', 0, 'height')) > 1_800);
    });

    it('credits nothing for no amount and nothing of another token', async () => {
      const { agent, address } = await customer();
      const { client, abi, token } = world.chain;
      await world.chain.transfer(accountAt(0), address, 0n);
      const { testDollar } = await import('../harness/chain/compile.ts');
      const { bytecode } = testDollar();
      const hash = await client.deployContract({ abi, bytecode, account: accountAt(0) });
      const other = (await client.waitForTransactionReceipt({ hash })).contractAddress!;
      assert.notEqual(other, token);
      await world.chain.write(accountAt(0), 'mint', [address, 5n], other);
      await world.settle('deposits');
      assert.deepEqual([await balance(agent), await states(agent)], ['0', []]);
    });

    it('takes a deposit back that vanished after its credit, down to what is left', async () => {
      const { agent, address } = await customer();
      const sender = accountAt(6);
      await world.chain.mint(sender.address, 9_000_000n);
      const snapshot = await world.chain.client.snapshot();
      await world.chain.transfer(sender, address, 9_000_000n);
      // Deep, and then another chain: what no depth protects from (choices rails.deposits).
      await world.chain.mine(world.confirmations);
      await run();
      assert.equal(await balance(agent), '9000000');
      mustOk(
        await agent.post(`${walletPath(agent)}/pay`, {
          to: world.bob.account,
          amount: '8000000',
          idempotencyKey: 'away',
        }),
      );
      await reserve(2_000_000n);
      await world.chain.client.revert({ id: snapshot });
      await world.chain.mine(world.confirmations * 3);
      faults.neverFinal = false;
      await run();
      assert.deepEqual([await balance(agent), await states(agent)], ['0', ['reversed']]);
      const statement = mustOk(await agent.get(`${walletPath(agent)}/statement?limit=1`));
      assert.deepEqual(
        [at(statement, 'entries', 0, 'reason'), at(statement, 'entries', 0, 'amount')],
        ['deposit.reversed', '1000000'],
      );
    });

    /** The operator's reserve, which pays what a reversal does not find. */
    async function reserve(amount: bigint): Promise<void> {
      const { hub } = world.hub.running;
      await hub.store.write((tx) =>
        postInside(tx, {
          id: transferId(hub.ids.uuid()),
          at: hub.clock.now(),
          network: 'base',
          asset: 'USDC',
          event: 'test.reserve',
          ref: { kind: 'test', id: 'reserve' },
          actor: 'hub',
          steps: [
            {
              verb: 'move',
              from: houseAccount('external:chain:base'),
              to: houseAccount('hub:adjust'),
              amount: atomic(amount),
              reason: 'deposit',
            },
          ],
        }),
      );
    }

    it('lets a large sum wait for finality', async () => {
      const { agent, address } = await customer();
      await world.chain.mint(address, 1_000_000_001n);
      await deepen();
      assert.deepEqual([await balance(agent), await states(agent)], ['0', ['confirming']]);
      faults.neverFinal = false;
      await deepen();
      assert.equal(await balance(agent), '1000000001');
    });
  });
}

for (const [name, url] of DATABASES) suite(name, url);
