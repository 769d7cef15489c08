import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mnemonicToAccount } from 'viem/accounts';
import { runCli } from '../../server/cli.ts';
import type { Agent } from '../harness/agents.ts';
import { MNEMONIC } from '../harness/chain/anvil.ts';
import { openChainFixture, TREASURY, type ChainFixture } from '../harness/chain/hub.ts';
import { mustOk } from '../harness/must.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import { walletPath } from '../wallet/_signed.ts';

const EACH = 5_000_000n;

/** `hubctl sweep`: deposits move to the hot wallet by orders that are signed elsewhere. */
describe('a sweep of deposits', function suite() {
  this.timeout(60_000);
  let world: ChainFixture;
  let folder: string;
  let addresses: readonly `0x${string}`[];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hub-sweep-'));
    world = await openChainFixture({ databaseUrl: `sqlite:${join(folder, 'hub.sqlite')}` });
    addresses = await Promise.all([world.alice, world.bob].map(depositAddress));
    for (const address of addresses) await world.chain.mint(address, EACH);
    await world.settle('deposits');
    const key = mnemonicToAccount(MNEMONIC, { path: "m/44'/60'/7'/0" }).getHdKey();
    writeFileSync(join(folder, 'deposits.key'), key.privateExtendedKey);
    await world.hub.runJob('backing');
  });
  after(async () => {
    await assertBooksBalance(world.hub.running.hub.store);
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const depositAddress = async (agent: Agent): Promise<`0x${string}`> => {
    const made = mustOk(await agent.post(`${walletPath(agent)}/deposit-address`));
    return made['address'] as `0x${string}`;
  };
  let files = 0;
  const newFile = (): string => join(folder, `plan-${(files += 1)}.json`);
  async function hub(
    ...words: string[]
  ): Promise<{ readonly code: number; readonly output: string }> {
    let output = '';
    const env = {
      ...world.env,
      HUB_DATABASE_URL: world.hub.running.hub.settings.databaseUrl,
    };
    const code = await runCli(['sweep', ...words], env, (text) => (output += text));
    return { code, output };
  }
  const sign = (file: string, to = TREASURY.address): Promise<{ code: number; output: string }> =>
    hub('sign', file, '--key', join(folder, 'deposits.key'), '--to', to);
  const balances = (): Promise<readonly bigint[]> =>
    Promise.all([TREASURY.address, ...addresses].map((each) => world.chain.balanceOf(each)));

  it('is planned, signed without the hub, and sent by the hot wallet, without effect on accounts', async () => {
    const file = newFile();
    const planned = await hub('plan', file);
    assert.equal(planned.code, 0, planned.output);
    assert.match(planned.output, /2 addresses with 10 USDC/);
    const unsigned = await hub('submit', file);
    assert.deepEqual([unsigned.code, /it is not signed/.test(unsigned.output)], [1, true]);
    assert.equal((await sign(file)).code, 0);
    const [treasure = 0n] = await balances();
    const submitted = await hub('submit', file);
    assert.equal(submitted.code, 0, submitted.output);
    const twice = await hub('submit', file);
    assert.match(twice.output, /under way/);
    // The command goes by the machine's clock, the hub of a test by its own.
    world.hub.clock.advance(600);
    await world.settle('hotWallet');
    assert.deepEqual(await balances(), [treasure + 2n * EACH, 0n, 0n]);
    await world.hub.runJob('deposits');
    await world.hub.runJob('backing');
    const wallet = mustOk(await world.alice.get(walletPath(world.alice)));
    assert.equal(wallet['spendable'], String(EACH), 'accounts are as before');
    assert.match((await hub('submit', file)).output, /holds less than it says/);
    assert.match((await hub('plan', newFile())).output, /0 addresses/);
  });

  it('pays no address but the hot wallet that the signer named', async () => {
    const [alice = '0x'] = addresses;
    await world.chain.mint(alice, EACH);
    await world.settle('deposits');
    const file = newFile();
    assert.equal((await hub('plan', file)).code, 0);
    const forged = readFileSync(file, 'utf8').replaceAll(TREASURY.address, alice);
    writeFileSync(file, forged);
    const refused = await sign(file);
    assert.deepEqual([refused.code, /nothing is signed/.test(refused.output)], [1, true]);
    assert.equal((await sign(file, alice)).code, 0, 'its own owner may be fooled');
    assert.match((await hub('submit', file)).output, /another wallet than the hub has/);
    const changed = newFile();
    assert.equal((await hub('plan', changed)).code, 0);
    assert.equal((await sign(changed)).code, 0);
    writeFileSync(changed, readFileSync(changed, 'utf8').replace(`"${EACH}"`, '"1000000"'));
    assert.match((await hub('submit', changed)).output, /signature is not of this address/);
  });

  it('refuses words, files and keys that are none', async () => {
    const file = newFile();
    assert.equal((await hub('plan')).code, 2);
    assert.equal((await hub('plan', file, '--min', 'much')).code, 2);
    assert.equal((await hub('sign', file)).code, 2);
    writeFileSync(file, '{}');
    await assert.rejects(hub('submit', file), /is not a file of hubctl sweep plan/);
    const plan = newFile();
    assert.equal((await hub('plan', plan, '--min', '1')).code, 0);
    const key = join(folder, 'wrong.key');
    const words = ['sign', plan, '--key', key, '--to', TREASURY.address];
    for (const [text, says] of [
      ['xprv-nonsense', /neither a phrase nor an extended/],
      [MNEMONIC, /of this key is not/],
    ] as const) {
      writeFileSync(key, text);
      await assert.rejects(hub(...words), says);
    }
  });
});
