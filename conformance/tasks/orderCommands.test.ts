import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHub, storeFile } from '../../clients/typescript/index.ts';
import { keys } from '../../clients/typescript/node.ts';
import { openSealed, sealFor } from '../../clients/typescript/seal.ts';
import { agentCommands } from '../harness/agentCommands.ts';
import { agentWith } from '../harness/agents.ts';
import { realClock } from '../harness/clock.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { act, claim, read, type Body } from './_work.ts';

/** A private job for one worker, ordered, changed, read and paid by the commands of an agent. */
describe('hub task, for a private job of days with files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-order-'));
  const [home, other] = [join(folder, 'requester'), join(folder, 'worker')];
  const commands = agentCommands(home, () => world.hub.url);
  const theirs = agentCommands(other, () => world.hub.url);
  let world: Fixture;
  let requester = '';
  let worker = '';
  before(async () => {
    world = await openFixture({ clock: realClock() });
    await commands.done('init');
    await theirs.done('init');
    requester = String((await commands.json('me'))['owner']);
    worker = String((await theirs.json('me'))['owner']);
    for (const account of [requester, worker]) {
      await world.fund({ ...world.alice, account }, '10000000');
    }
    writeFileSync(join(folder, 'in.bin'), 'a secret recording');
  });
  after(async () => {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const sealedOrder = (): readonly string[] => [
    ...['task', 'publish', '--title', 'Stretch it', '--reward', '0.06', '--contains', 'done'],
    ...['--file', join(folder, 'in.bin'), '--seal', '--private', '--offer', worker],
    ...['--lease-hours', '24', '--renew-hours', '72'],
  ];

  it('order it, raise it, exchange files that the hub cannot read, and pay', async () => {
    const id = String((await commands.json(...sealedOrder()))['id']);
    assert.deepEqual((await read(world, id))['files'], undefined, 'the brief is private');
    const key = await keys.load(join(other, 'agent.key'));
    const place = { url: world.hub.url, clock: world.hub.clock };
    const by = agentWith(place, key);
    const claimToken = await claim(by, id);
    const brief = mustOk(await by.get(`/api/v1/tasks/${id}`));
    const [{ key: name, sha256 }] = brief['files'] as [{ key: string; sha256: string }];
    assert.match(name, /^[0-9a-f]{8}\/in\.bin\.age$/);
    const [sealed, opened] = [join(folder, 'in.age'), join(folder, 'in.opened')];
    await theirs.done('task', 'file', id, sha256, '--output', sealed);
    assert.match(readFileSync(sealed, 'latin1'), /^age-encryption\.org\/v1\n/);
    await theirs.done('task', 'file', id, sha256, '--output', opened, '--open');
    assert.equal(readFileSync(opened, 'utf8'), 'a secret recording');

    const raised = await commands.json('task', 'amend', id, '--reward', '0.08');
    assert.equal((raised['amendment'] as Body)['state'], 'applied');
    const hub = createHub({ baseUrl: world.hub.url, key });
    const answer = await sealFor([requester, worker], Buffer.from('stretched'));
    const files = [await storeFile(hub, 'out.bin.age', answer)];
    mustOk(await act(by, id, 'submit', { claimToken, result: 'done', files }));
    const back = join(folder, 'out.bin');
    const digest = files[0]?.sha256 ?? '';
    await commands.done('task', 'file', id, digest, '--output', back, '--open');
    assert.equal(readFileSync(back, 'utf8'), 'stretched');
    await commands.done('task', 'accept', id);
    assert.equal((await read(world, id))['state'], 'paid');
    const own = await keys.load(join(home, 'agent.key'));
    assert.equal(Buffer.from(await openSealed(own, answer)).toString(), 'stretched');
  });

  it('end it by an agreed split, and find who was paid', async () => {
    const published = await commands.json(...sealedOrder());
    const id = String(published['id']);
    await claim(agentWith({ url: world.hub.url, clock: world.hub.clock }, await keyOf(other)), id);
    const split = ['task', 'amend', id, '--split-reward', '0.05,0.01'];
    const proposed = (await theirs.json(...split))['amendment'] as Body;
    assert.equal(proposed['state'], 'proposed');
    const ended = await commands.json('task', 'amend', id, '--accept', String(proposed['id']));
    assert.equal(ended['state'], 'withdrawn');
    assert.match(await commands.done('task', 'workers'), new RegExp(worker));
  });

  it('refuse what cannot be, with the words to write', async () => {
    const refused = async (by: typeof commands, words: readonly string[], says: RegExp) => {
      const { code, err } = await by.run(...words);
      assert.equal(code, 2, err);
      assert.match(err, says);
    };
    const unoffered = sealedOrder().filter((word) => word !== '--offer' && word !== worker);
    await refused(commands, unoffered, /--seal goes with --file PATH and --offer ACCOUNT/);
    const unkeyed = sealedOrder().map((word) => (word === worker ? 'evm:0x00' : word));
    await refused(commands, unkeyed, /evm:0x00 has no ed25519 key/);
    await refused(commands, ['task', 'amend', 'ID'], /give new terms/);
    await refused(commands, ['task', 'amend', 'ID', '--split-reward', '1'], /WORKER,REFUND/);
    await refused(commands, ['task', 'file', 'ID'], /DIGEST --output PATH/);
    const plain = sealedOrder().filter((word) => word !== '--seal');
    const id = String((await commands.json(...plain))['id']);
    const task = (await commands.json('task', 'show', id))['files'] as [{ sha256: string }];
    const output = join(folder, 'never.bin');
    const words = ['task', 'file', id, task[0].sha256, '--output', output, '--open'];
    await refused(commands, words, /cannot be opened with the key of this folder/);
  });

  const keyOf = (of: string) => keys.load(join(of, 'agent.key'));
});
