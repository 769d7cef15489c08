import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  bindKey,
  createHub,
  generateKey,
  isRefusal,
  unwrap,
} from '../../clients/typescript/index.ts';
import { keys } from '../../clients/typescript/node.ts';
import { runCli } from '../../server/cli.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

/** One call of the client, and one command, post with both signers. */
describe('a second key', () => {
  let world: Fixture;
  let folder: string;
  before(async () => {
    world = await openFixture();
    // The command signs with the time of its machine.
    world.hub.clock.jump(Date.now() - world.hub.clock.now());
    folder = await mkdtemp(join(tmpdir(), 'hub-keys-'));
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
    await world.close();
  });

  const open = (key: Awaited<ReturnType<typeof generateKey>>) =>
    createHub({ baseUrl: world.hub.url, key });
  const ownerOf = async (key: Awaited<ReturnType<typeof generateKey>>): Promise<string> =>
    unwrap(await open(key).GET('/api/v1/me')).owner;

  it('joins by one call of the client, and so does a third by the second', async () => {
    const [first, second, third] = [await generateKey(), await generateKey(), await generateKey()];
    const bound = await bindKey(open(first), second, { label: 'server' });
    assert.deepEqual(
      [bound.state, bound.owner, bound.label, bound.boundBy],
      ['bound', first.account, 'server', first.keyId],
    );
    const last = await bindKey(open(second), third);
    assert.deepEqual([last.state, last.boundBy], ['bound', second.keyId]);
    assert.equal((await bindKey(open(first), third)).state, 'bound', 'and once more is no harm');
    for (const key of [first, second, third]) assert.equal(await ownerOf(key), first.account);
  });

  it('is refused by the client with the reason when it was used', async () => {
    const [first, used] = [await generateKey(), await generateKey()];
    const body = { amount: '5', idempotencyKey: 'to the second' };
    const params = { path: { owner: used.account } };
    unwrap(await open(used).POST('/api/v1/wallet/{owner}/credit', { params, body }));
    await assert.rejects(
      () => bindKey(open(first), used),
      (error) => isRefusal(error, 'key-bound') && /keeps its own account/.test(error.message),
    );
    assert.equal(await ownerOf(used), used.account);
  });

  it('joins by one command, which makes it', async () => {
    const [file, second] = [join(folder, 'agent.key'), join(folder, 'server.key')];
    const { account } = await keys.loadOrGenerate(file);
    let printed = '';
    const command = ['key', 'bind', second, '--key', file, '--hub', world.hub.url];
    assert.equal(await runCli(command, {}, (text) => (printed += text)), 0, printed);
    const made = await keys.load(second);
    assert.equal(printed, `${made.keyId} signs for ${account}: bound\n`);
    assert.equal(await runCli(command.slice(0, 3), {}, (text) => (printed += text)), 2);
  });
});
