import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentCommands, type AgentCommands } from '../../harness/agentCommands.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';

/** `hub doctor`, and which address a folder of an agent is for. */
const NOWHERE = 'http://127.0.0.1:9';

describe('the folder of an agent', () => {
  const homes: string[] = [];
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    world.hub.clock.jump(Date.now() - world.hub.clock.now());
  });
  after(async () => {
    await world.close();
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  });

  function open(url = world.hub.url): AgentCommands & { readonly home: string } {
    const home = mkdtempSync(join(tmpdir(), 'hub-doctor-'));
    homes.push(home);
    return { ...agentCommands(home, () => url), home };
  }
  interface Finding {
    readonly what: string;
    readonly ok: boolean;
    readonly says: string;
    readonly todo?: string;
  }
  async function examine(
    commands: AgentCommands,
    ...words: string[]
  ): Promise<{ readonly code: number; readonly of: (what: string) => Finding | undefined }> {
    const { code, out } = await commands.run('doctor', '--json', ...words);
    const { findings } = JSON.parse(out) as { readonly findings: readonly Finding[] };
    return { code, of: (what) => findings.find((each) => each.what === what) };
  }

  it('is well: the doctor tries everything that a signed call needs, on one page', async () => {
    const commands = open();
    await commands.done('init');
    const page = await commands.done('doctor');
    const rows = page.trimEnd().split('\n');
    assert.deepEqual(
      rows.map((row) => /^ok +(\w+(?: keys)?) {2}/.exec(row)?.[1]),
      ['address', 'key', 'version', 'clock', 'hub keys', 'signature', 'money'],
      page,
    );
    assert.match(page, /0\.00 USDC on sandbox to spend/);
  });

  it('has no key: the rest is tried, and the next step is named', async () => {
    const { code, of } = await examine(open());
    assert.equal(code, 1);
    assert.match(of('key')?.todo ?? '', /hub init/);
    assert.deepEqual([of('clock')?.ok, of('signature')], [true, undefined]);
  });

  it('has a key that others can read, or one that is a PEM', async () => {
    const commands = open();
    await commands.done('init');
    chmodSync(join(commands.home, 'agent.key'), 0o644);
    assert.match((await examine(commands)).of('key')?.says ?? '', /open to others/);
    const pem = join(commands.home, 'hub-key.pem');
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(pem, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    const { code, of } = await examine(commands, '--key', pem);
    assert.deepEqual([code, of('signature')?.ok], [0, true]);
  });

  it('has a clock that is wrong', async () => {
    const commands = open();
    await commands.done('init');
    world.hub.clock.jump(Date.now() + 400_000 - world.hub.clock.now());
    const began = performance.now();
    try {
      const { code, of } = await examine(commands);
      // The hub's clock stands while the program starts.
      const stood = (performance.now() - began) / 1000;
      assert.equal(code, 1);
      const [, behind] = /^(\d+\.\d) s behind the hub$/.exec(of('clock')?.says ?? '') ?? [];
      assert.ok(Number(behind) >= 399 - stood && Number(behind) <= 401.9, behind);
      assert.equal(of('signature')?.ok, false);
      assert.ok((of('signature')?.todo ?? '') !== '');
    } finally {
      world.hub.clock.jump(Date.now() - world.hub.clock.now());
    }
  });

  it('has a call without an answer, which the doctor counts', async () => {
    const commands = open();
    await commands.done('init');
    await commands.done('doctor');
    const call = { method: 'POST', path: '/p', body: { idempotencyKey: 'lost' } };
    writeFileSync(join(commands.home, 'pending/lost.json'), JSON.stringify(call));
    assert.match((await examine(commands)).of('money')?.todo ?? '', /hub resume/);
  });

  it('asks an address that does not answer, and says so with the link', async () => {
    const { code, of } = await examine(open(NOWHERE));
    assert.equal(code, 3);
    assert.match(of('address')?.says ?? '', /no answer to GET .*bad port/);
    assert.match(of('address')?.todo ?? '', /http:\/\/127\.0\.0\.1:9\/api\/v1/);
  });

  it('is kept by init alone: --hub of another command is for that command', async () => {
    const home = mkdtempSync(join(tmpdir(), 'hub-kept-'));
    homes.push(home);
    const commands = agentCommands(home, () => world.hub.url);
    await commands.done('init');
    const kept = readFileSync(join(home, 'config.json'), 'utf8');
    for (const words of [['work'], ['me'], ['pay', world.bob.account, '1'], ['doctor']]) {
      const { code } = await commands.run(...words, '--hub', NOWHERE);
      assert.equal(code, 3, words.join(' '));
      assert.equal(readFileSync(join(home, 'config.json'), 'utf8'), kept, words.join(' '));
    }
    await commands.run('init', '--hub', NOWHERE);
    assert.match(readFileSync(join(home, 'config.json'), 'utf8'), /127\.0\.0\.1:9"/);
  });

  it('lists its keys for hub keys alone', async () => {
    const commands = open();
    await commands.done('init');
    await commands.done('me');
    assert.equal(await commands.done('keys'), await commands.done('keys', 'list'));
  });
});
