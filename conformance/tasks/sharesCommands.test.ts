import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentCommands } from '../harness/agentCommands.ts';
import { realClock } from '../harness/clock.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { offerTo } from './_shares.ts';
import { submit, type Body } from './_work.ts';

/** Divided rewards and milestones by the commands of an agent. */
describe('hub task and hub chain', () => {
  const home = mkdtempSync(join(tmpdir(), 'hub-shares-'));
  const commands = agentCommands(home, () => world.hub.url);
  let world: Fixture;
  before(async () => {
    world = await openFixture({ clock: realClock() });
    await commands.done('init');
    const { owner } = await commands.json('me');
    await world.fund({ ...world.alice, account: String(owner) }, '10000000');
  });
  after(async () => {
    await world.close();
    rmSync(home, { recursive: true, force: true });
  });

  const PUBLISH = ['task', 'publish', '--title', 'A name', '--reward', '1'];

  it('publish places, show them, and pay the winners in the order that is given', async () => {
    const places = ['--place', '7000', '--place', '3000'];
    const id = String((await commands.json(...PUBLISH, ...places))['id']);
    const shown = await commands.done('task', 'show', id);
    assert.match(shown, /places +0\.679, 0\.291/);
    assert.match(shown, /undecided +Results are taken until /);
    const [first, second] = [await offerTo(world.alice, id), await offerTo(world.bob, id)];
    const unnamed = await commands.run('task', 'accept', id);
    assert.equal(unnamed.code, 2);
    assert.match(unnamed.err, /name each with --winner/);
    const paid = await commands.done('task', 'accept', id, '--winner', second, '--winner', first);
    assert.match(paid, new RegExp(`1 +0\\.679 +${world.bob.account}`));
    assert.match(paid, new RegExp(`2 +0\\.291 +${world.alice.account}`));
  });

  it('divide a reward freely, and say which words were not usable', async () => {
    const id = String((await commands.json(...PUBLISH, '--split', '--undecided', 'return'))['id']);
    const one = await offerTo(world.alice, id);
    const answer = await commands.json('task', 'accept', id, '--winner', `${one}=10000`);
    assert.equal(answer['state'], 'paid');
    for (const words of [
      ['--place', '60%'],
      ['--undecided', 'return'],
    ]) {
      const { code, err } = await commands.run(...PUBLISH, ...words);
      assert.equal(code, 2, err);
    }
    const refused = await commands.run('task', 'accept', id, '--winner', `${one}=all`);
    assert.deepEqual([refused.code, /ID=BPS/.test(refused.err)], [2, true]);
  });

  it('publish milestones from a list of steps, show their progress, and abandon them', async () => {
    const file = join(home, 'steps.json');
    const step = { rewardAmount: '10000', acceptance: { kind: 'contains', values: ['done'] } };
    const steps = ['Outline', 'Text', 'Index'].map((title) => ({
      title,
      disputeWindowSeconds: 0,
      ...step,
    }));
    writeFileSync(file, JSON.stringify(steps));
    const words = ['chain', 'publish', file, '--title', 'A guide', '--milestones'];
    const chain = await commands.json(...words);
    const [first] = chain['steps'] as Body[];
    await submit(world.bob, String(first?.['taskId']), 'done');
    const id = String(chain['id']);
    const shown = await commands.done('chain', 'show', id);
    assert.match(shown, new RegExp(`worker +${world.bob.account}`));
    assert.match(shown, /money +0\.01 spent, 0\.02 held, 0\.00? returned/);
    assert.match(shown, /1 +paid .*Outline/);
    assert.match(shown, /2 +open .*Text/);
    assert.match(shown, /deadline +A step without an accepted result by its deadline/);
    const ended = await commands.json('chain', 'abandon', id, '--reason', 'No need.');
    assert.deepEqual([ended['state'], ended['endReason']], ['abandoned', 'No need.']);
    const { code, err } = await commands.run('chain', 'publish', file);
    assert.deepEqual([code, /--title/.test(err)], [2, true]);
  });
});
