import assert from 'node:assert/strict';
import { encodeFunctionData, type Hex } from 'viem';
import type { Agent } from '../harness/agents.ts';
import { accountAt } from '../harness/chain/anvil.ts';
import { openChainFixture, TREASURY, type ChainFixture } from '../harness/chain/hub.ts';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk } from '../harness/must.ts';
import { walletPath } from '../wallet/_signed.ts';
import { faultyChain } from './faults.ts';

const SENDER = accountAt(6);
const RECEIVER = accountAt(2).address;
const DEPOSIT = 9_000_000n;
let keys = 0;

/** A reorganisation deeper than the confirmations: what was credited is in no block any more. */
function suite(title: string, databaseUrl: () => Promise<string>): void {
  describe(`a credited deposit that left the chain (${title})`, function missing() {
    this.timeout(90_000);
    const { faults, wrap } = faultyChain();
    let world: ChainFixture;
    before(async () => {
      const url = await databaseUrl();
      world = await openChainFixture({
        wrapChain: wrap,
        databaseUrl: url,
      });
      await world.chain.mint(TREASURY.address, 100_000_000n);
      await world.chain.mint(SENDER.address, 100_000_000n);
    });
    beforeEach(() => {
      faults.neverFinal = true;
    });
    after(() => world.close());

    const run = async (...jobs: readonly string[]): Promise<void> => {
      for (const job of jobs) await world.hub.runJob(job);
    };
    const wallet = async (of: Agent) => mustOk(await of.get(walletPath(of)));
    const terms = async (of: Agent) =>
      (await wallet(of))['withdrawalTerms'] as Record<string, unknown>;
    const withdraw = async (of: Agent, amount: bigint): Promise<string> => {
      keys += 1;
      const body = { address: RECEIVER, amount: `${amount}`, idempotencyKey: `missing-${keys}` };
      return String(mustOk(await of.post(`${walletPath(of)}/withdraw`, body))['id']);
    };
    const read = async (of: Agent, id: string): Promise<Record<string, unknown>> => {
      const page = mustOk(await of.get(`${walletPath(of)}/withdrawals`));
      const rows = page['withdrawals'] as Record<string, unknown>[];
      return rows.find((row) => row['id'] === id) ?? assert.fail(`no withdrawal ${id}`);
    };
    const stage = async (of: Agent, id: string) => (await read(of, id))['stage'];
    /** A minute passes, after which the signer asks again. */
    const sign = async (): Promise<void> => {
      world.hub.clock.advance(61);
      await run('hotWallet', 'withdrawals');
    };

    /** An account that has `safe`, and a deposit whose block the chain can lose. */
    async function customer(safe: bigint) {
      const agent = await world.agent();
      const made = mustOk(await agent.post(`${walletPath(agent)}/deposit-address`));
      const address = made['address'] as `0x${string}`;
      await run('deposits');
      if (safe > 0n) {
        await world.chain.mint(address, safe);
        await world.settle('deposits');
      }
      const snapshot = await world.chain.client.snapshot();
      const raw = await transferTo(address);
      await mine(raw);
      await world.settle('deposits');
      assert.equal((await wallet(agent))['balance'], `${safe + DEPOSIT}`);
      return {
        agent,
        mineAgain: () => mine(raw),
        async lose(): Promise<void> {
          await world.chain.client.revert({ id: snapshot });
          await world.chain.mine(world.confirmations * 3);
        },
      };
    }

    async function transferTo(address: `0x${string}`): Promise<Hex> {
      const { client, token, abi } = world.chain;
      return SENDER.signTransaction({
        type: 'eip1559',
        chainId: client.chain.id,
        nonce: await client.getTransactionCount({ address: SENDER.address }),
        to: token,
        data: encodeFunctionData({ abi, functionName: 'transfer', args: [address, DEPOSIT] }),
        gas: 200_000n,
        maxFeePerGas: 10n ** 11n,
        maxPriorityFeePerGas: 10n ** 9n,
      });
    }

    async function mine(serializedTransaction: Hex): Promise<void> {
      const hash = await world.chain.client.sendRawTransaction({ serializedTransaction });
      await world.chain.client.waitForTransactionReceipt({ hash });
    }

    it('cannot be withdrawn from the moment at which it is seen to be missing', async () => {
      const { agent, lose } = await customer(5_000_000n);
      const has = await world.chain.balanceOf(RECEIVER);
      const before = await withdraw(agent, 6_000_000n);
      await lose();
      await run('deposits');
      const { missingDeposits, missingSince } = await terms(agent);
      assert.equal(missingDeposits, `${DEPOSIT}`);
      assert.equal(missingSince, new Date(world.hub.clock.now()).toISOString());
      const after = await withdraw(agent, 5_000_001n);
      for (let n = 0; n < 3; n += 1) await sign();
      const stages = [await stage(agent, before), await stage(agent, after)];
      assert.deepEqual(stages, ['queued', 'queued'], 'also what was asked for before');
      const cancel = `${walletPath(agent)}/withdrawals/${before}/cancel`;
      mustOk(await agent.post(cancel));
      mustOk(await agent.post(`${walletPath(agent)}/withdrawals/${after}/cancel`));
      const rest = await withdraw(agent, 5_000_000n);
      await sign();
      assert.equal(await stage(agent, rest), 'broadcast', 'what covers the deposit is free');
      assert.equal((await world.chain.balanceOf(RECEIVER)) - has, 4_990_000n);
    });

    it('is taken back whole at finality, out of withdrawals that waited', async () => {
      const { agent, lose } = await customer(0n);
      await lose();
      await run('deposits');
      const id = await withdraw(agent, DEPOSIT);
      await sign();
      assert.equal(await stage(agent, id), 'queued');
      faults.neverFinal = false;
      await run('deposits');
      const { state, failureProof, failureReason } = await read(agent, id);
      assert.deepEqual([state, failureProof], ['failed', 'never-signed']);
      assert.match(String(failureReason), /left the chain/);
      const { balance, held } = await wallet(agent);
      assert.deepEqual([balance, at(held, 'total')], ['0', '0']);
      assert.equal((await terms(agent))['missingDeposits'], undefined);
      const page = mustOk(await agent.get(`${walletPath(agent)}/movements`));
      const deposit = (page['movements'] as Record<string, unknown>[]).find(
        ({ kind }) => kind === 'deposit',
      );
      assert.equal(deposit?.['state'], 'reversed');
    });

    it('can be withdrawn again when another block has it', async () => {
      const { agent, mineAgain, lose } = await customer(0n);
      await lose();
      await run('deposits');
      const id = await withdraw(agent, DEPOSIT);
      await sign();
      assert.equal(await stage(agent, id), 'queued');
      const page = mustOk(await agent.get(`${walletPath(agent)}/movements`));
      const deposit = at(page, 'movements', 1);
      assert.deepEqual([at(deposit, 'kind'), at(deposit, 'state')], ['deposit', 'credited']);
      assert.match(String(at(deposit, 'failureReason')), /left the chain/);
      await mineAgain();
      await run('deposits');
      assert.equal((await terms(agent))['missingDeposits'], undefined);
      await sign();
      assert.equal(await stage(agent, id), 'broadcast');
      assert.equal((await wallet(agent))['balance'], `${DEPOSIT}`, 'it is credited once');
    });
  });
}

for (const [name, url] of DATABASES) suite(name, url);
