import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { program } from '../harness/program.ts';
import { publish } from '../tasks/_work.ts';

/** `hubctl audit` as an operator runs it: another process, on the books of a hub that is running. */
const RUN_MS_MAX = 60_000;

interface Run {
  readonly code: number;
  readonly out: string;
}

describe('hubctl audit', function suite() {
  this.timeout(RUN_MS_MAX);
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-audit-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const [name, url] of DATABASES) {
    it(`distinguishes right books from wrong ones (${name})`, async () => {
      const databaseUrl = await url(folder);
      const world = await openFixture({ databaseUrl });
      await world.fund(world.alice, '100000');
      const { id: task } = await publish(world.alice, { rewardAmount: '40000' });
      const right = await hub(['audit', '--json'], databaseUrl);
      assert.equal(right.code, 0, right.out);
      const books = JSON.parse(right.out) as Record<string, unknown>;
      assert.equal(books['balanced'], true);
      assert.deepEqual(
        (books['sums'] as readonly Record<string, unknown>[]).map((sum) => [
          sum['network'],
          sum['asset'],
          sum['supply'],
          sum['held'],
          sum['committed'],
          sum['total'],
        ]),
        [
          ['play', 'USDC', '50000000000', '0', '0', '0'],
          ['sandbox', 'USDC', '50000100000', '40000', '40000', '0'],
        ],
      );
      await spoiled(world, task, async () => {
        const wrong = await hub(['audit'], databaseUrl);
        assert.equal(wrong.code, 1, wrong.out);
        for (const rule of ['I2', 'I5', 'I8'])
          assert.match(wrong.out, new RegExp(`^${rule} `, 'm'));
        assert.match(wrong.out, new RegExp(`task=${task}`));
      });
      const again = await hub(['audit'], databaseUrl);
      assert.match(again.out, /The books balance\./);
      await world.close();
    });
  }

  it('makes no database where there is none', async () => {
    const path = join(folder, 'nothing.sqlite');
    const run = await hub(['audit'], `sqlite:${path}`);
    assert.equal(run.code, 2);
    assert.match(run.out, /There is no database at/);
    assert.equal((await hub(['audit'], `sqlite:${path}`)).code, 2, 'still none');
  });

  it('explains itself, and refuses what it does not know', async () => {
    const help = await hub(['help'], '');
    assert.deepEqual([help.code, /hubctl audit/.test(help.out)], [0, true]);
    for (const args of [[], ['audits'], ['audit', '--yaml'], ['help', 'me']]) {
      assert.equal((await hub(args, '')).code, 2, args.join(' '));
    }
  });
});

/** Breaks a balance and an escrow behind the hub's back, and mends them. */
async function spoiled(world: Fixture, task: string, look: () => Promise<void>): Promise<void> {
  const { store } = world.hub.running.hub;
  const owner = { name: world.alice.account, network: 'sandbox' };
  await store.write(async ({ knex }) => {
    await knex('accounts').where(owner).increment('posted', 1);
    await knex('tasks').where({ id: task }).update({ reward: 39_999 });
  });
  try {
    await look();
  } finally {
    await store.write(async ({ knex }) => {
      await knex('accounts').where(owner).decrement('posted', 1);
      await knex('tasks').where({ id: task }).update({ reward: 40_000 });
    });
  }
}

async function hub(args: readonly string[], databaseUrl: string): Promise<Run> {
  const cli = await program('server/cli.ts');
  const env = {
    PATH: process.env['PATH'],
    ...(databaseUrl !== '' && { HUB_DATABASE_URL: databaseUrl }),
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], { env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, out: stdout + stderr });
    });
  });
}
