import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKey } from '../../clients/typescript/sign.ts';
import { runCli } from '../../server/cli.ts';
import { agentWith, newAgent, type Agent } from '../harness/agents.ts';
import { startChain, type Chain } from '../harness/chain/anvil.ts';
import { chainEnv } from '../harness/chain/hub.ts';
import { fakeClock } from '../harness/clock.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { startHub, type TestHub } from '../harness/hub.ts';
import { at, mustHaveConformed, mustOk } from '../harness/must.ts';
import { walletPath } from '../wallet/_signed.ts';
import { faultyChain } from './faults.ts';

type Place = Record<string, string>;
const DEPOSIT = 3_000_000n;

/**
 * Databases that are replaced by a backup, and ones that start empty with the same extended key.
 */
function suite(title: string, empty: (folder: string) => Promise<string>): void {
  describe(`deposit addresses over databases (${title})`, function addresses() {
    this.timeout(90_000);
    const { faults, wrap } = faultyChain();
    let root: string;
    let chain: Chain;
    let custody: Place;
    let count = 0;
    const hubs: TestHub[] = [];
    before(async () => {
      root = await mkdtemp(join(tmpdir(), 'hub-addresses-'));
      chain = await startChain();
      custody = { HUB_NETWORK: 'base', ...chainEnv(chain, root) };
    });
    after(async () => {
      for (const hub of hubs) await hub.close();
      await chain.stop();
      await rm(root, { recursive: true, force: true });
      mustHaveConformed();
    });

    const newPlace = async (): Promise<Place> => {
      const folder = join(root, `database-${(count += 1)}`);
      return { HUB_DATABASE_URL: await empty(folder), HUB_DATA_DIR: folder };
    };
    const open = async (place: Place): Promise<TestHub> => {
      const hub = await startHub({
        databaseUrl: place['HUB_DATABASE_URL'] ?? '',
        clock: fakeClock(Date.now()),
        env: { ...custody, HUB_DATA_DIR: place['HUB_DATA_DIR'] ?? '' },
        wrapChain: wrap,
      });
      hubs.push(hub);
      return hub;
    };
    const cli = async (env: Place, ...words: readonly string[]): Promise<string> => {
      let output = '';
      const code = await runCli(words, { HUB_LOG: 'fatal', ...env }, (text) => (output += text));
      assert.equal(code, 0, output);
      return output;
    };
    const addressOf = async (agent: Agent): Promise<`0x${string}`> => {
      const made = mustOk(await agent.post(`${walletPath(agent)}/deposit-address`));
      assert.match(String(made['address']), /^0x/, JSON.stringify(made));
      return made['address'] as `0x${string}`;
    };
    const balance = async (agent: Agent): Promise<unknown> =>
      mustOk(await agent.get(walletPath(agent)))['balance'];
    const settle = async (hub: TestHub): Promise<void> => {
      await hub.runJob('deposits');
      await chain.mine(7);
      for (let n = 0; n < 3; n += 1) await hub.runJob('deposits');
    };

    it('are given to no other account after a restore, and keep what they were paid', async () => {
      const place = await newPlace();
      const first = await open(place);
      const [early, late] = [await generateKey(), await generateKey()];
      const early_ = await addressOf(agentWith(first, early));
      const folder = join(root, `backup-${count}`);
      await cli(place, 'backup', folder);
      const late_ = await addressOf(agentWith(first, late));
      await chain.mint(late_, DEPOSIT);
      await settle(first);
      assert.equal(await balance(agentWith(first, late)), `${DEPOSIT}`);

      const other = await newPlace();
      assert.match(await cli(other, 'restore', folder), /Deposit addresses: 1 are of the accounts/);
      const second = await open(other);
      await settle(second);
      const stranger = await newAgent(second);
      assert.notEqual(await addressOf(stranger), late_);
      await chain.mint(late_, DEPOSIT);
      await settle(second);
      assert.equal(await balance(stranger), '0', 'another account asked first');
      assert.equal(await addressOf(agentWith(second, early)), early_);
      const back = agentWith(second, late);
      assert.equal(await addressOf(back), late_, 'the same one again');
      await settle(second);
      assert.equal(await balance(back), `${2n * DEPOSIT}`, 'with all that it was paid');
      assert.equal(await addressOf(back), late_);
      await settle(second);
      assert.equal(await balance(back), `${2n * DEPOSIT}`, 'once');
    });

    it('credit nothing in a new database that was paid before it', async () => {
      const key = await generateKey();
      const first = await open(await newPlace());
      const address = await addressOf(agentWith(first, key));
      await chain.mint(address, DEPOSIT);
      await settle(first);
      assert.equal(await balance(agentWith(first, key)), `${DEPOSIT}`);

      const second = await open(await newPlace());
      const again = agentWith(second, key);
      assert.equal(await addressOf(again), address, 'it belongs to the account for ever');
      await settle(second);
      assert.equal(await balance(again), '0');
      // The common block is below the first one, so blocks of before are read again.
      await chain.reorg(10);
      for (let n = 0; n < 3; n += 1) await settle(second);
      assert.equal(await balance(again), '0');
      await chain.mint(address, 1n);
      await settle(second);
      assert.equal(await balance(again), '1');
    });

    it('are made only when the chain answers', async () => {
      const hub = await open(await newPlace());
      const agent = await newAgent(hub);
      faults.gone = true;
      const refused = mustOk(await agent.post(`${walletPath(agent)}/deposit-address`));
      assert.equal(refused['address'], null);
      assert.match(String(at(refused, 'missing', 0)), /a node of the chain that answers/);
      delete faults.gone;
      const address = await addressOf(agent);
      await chain.mint(address, DEPOSIT);
      await settle(hub);
      assert.equal(await balance(agent), `${DEPOSIT}`);
    });
  });
}

suite('SQLite', (folder) => Promise.resolve(`sqlite:${join(folder, 'hub.sqlite')}`));
suite('PostgreSQL', async () => (await sharedPostgres()).emptyDatabase());
