import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHub, unwrap } from '../../../clients/typescript/index.ts';
import { keys } from '../../../clients/typescript/node.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { at } from '../../harness/must.ts';
import { program } from '../../harness/program.ts';
import { until } from '../../harness/waiting.ts';

/** Every command of an agent as a process of its own, from an empty folder, against a hub. */
interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const RUN_MS_MAX = 120_000;
const SILENCE_SECONDS = 61;
const COLOUR = '\u001b[';

describe('the command line of agents', function suite() {
  this.timeout(RUN_MS_MAX);
  const folder = mkdtempSync(join(tmpdir(), 'hub-commands-'));
  let world: Fixture;
  let cli: string;

  before(async () => {
    world = await openFixture();
    // The commands sign with the time of their machine.
    world.hub.clock.jump(Date.now() - world.hub.clock.now());
    cli = await program('clients/typescript/cli/main.ts');
  });
  after(async () => {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function run(words: readonly string[], given: RunOptions = {}): Promise<Ran> {
    const { stdin = '', home = '.hub', started = cli, env = {}, onError } = given;
    const child = spawn(process.execPath, [started, ...words], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', AGENT_HUB: world.hub.url, AGENT_HOME: home, ...env },
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
      onError?.(err);
    });
    child.stdin.end(stdin);
    const code = await new Promise<number | null>((done) => child.once('close', done));
    return { code, out, err };
  }
  interface RunOptions {
    readonly stdin?: string;
    readonly home?: string;
    readonly started?: string;
    readonly env?: Readonly<Record<string, string | undefined>>;
    /** Called with the text on standard error so far. */
    readonly onError?: (err: string) => void;
  }

  /** The JSON that a command printed; it must have ended well. */
  async function json(words: readonly string[], options: RunOptions = {}): Promise<unknown> {
    const ran = await run([...words, '--json'], options);
    assert.equal(ran.code, 0, `${words.join(' ')}: ${ran.err}`);
    return JSON.parse(ran.out);
  }
  const accountOf = async (home: string): Promise<string> =>
    (await keys.load(join(folder, home, 'agent.key'))).account;
  const fund = async (home: string, amount: string): Promise<void> =>
    world.fund({ ...world.alice, account: await accountOf(home) }, amount);

  it('says what to do before there is a key, and makes one for its owner alone', async () => {
    const before = await run(['me']);
    assert.equal(before.code, 2);
    assert.match(before.err, /no key at .*hub init/);
    const made = await json(['init']);
    assert.deepEqual([at(made, 'isNew'), at(made, 'isMet')], [true, true]);
    assert.equal(statSync(join(folder, '.hub/agent.key')).mode & 0o777, 0o600);
    assert.equal(readFileSync(join(folder, '.hub/.gitignore'), 'utf8'), '*\n');
    const again = await json(['init']);
    assert.deepEqual([at(again, 'isNew'), at(again, 'account')], [false, at(made, 'account')]);
  });

  it('keeps the address that init kept, whatever another command names with --hub', async () => {
    const without = { home: 'moved', env: { AGENT_HUB: undefined } };
    await json(['init', '--hub', world.hub.url], without);
    const config = join(folder, 'moved/config.json');
    const kept = readFileSync(config, 'utf8');
    assert.ok(kept.includes(world.hub.url));
    const elsewhere = await run(['work', '--hub', 'http://127.0.0.1:9'], without);
    assert.notEqual(elsewhere.code, 0);
    assert.equal(readFileSync(config, 'utf8'), kept);
    assert.notEqual(at(await json(['me'], without), 'wallet'), undefined);
  });

  it('earns its first money from an empty folder, with a receipt checked offline', async () => {
    await world.hub.runJob('starterRestock');
    let reported = '';
    const working = run(['work', '--json'], { home: 'worker', onError: (err) => (reported = err) });
    await until(() => /delivered; accepted by silence in \d+ s/.test(reported));
    world.hub.clock.advance(SILENCE_SECONDS);
    const { code, out, err } = await working;
    assert.equal(code, 0, err);
    assert.match(err, /claimed "Say hello", delivering/);
    const receipt: unknown = JSON.parse(out);
    assert.equal(at(at(receipt, 'paid'), 'amount'), '48500');
    assert.equal(at(receipt, 'account'), await accountOf('worker'));
    assert.equal(at(at(receipt, 'verified'), 'ok'), true);
    assert.equal(at(at(await json(['me'], { home: 'worker' }), 'wallet'), 'spendable'), '48500');

    // The hub is not asked: an address where none is does as well.
    const nowhere = { home: 'worker', env: { AGENT_HUB: world.hub.url } };
    const file = join(folder, String(at(receipt, 'file')));
    const checked = await run(['verify', file], nowhere);
    assert.equal(checked.code, 0, checked.err);
    assert.match(checked.out, /^verified receipt\n {2}minute: /);
    const forged = join(folder, 'forged.json');
    writeFileSync(forged, readFileSync(file, 'utf8').replace('48500', '98500'));
    const refused = await run(['verify', forged], nowhere);
    assert.equal(refused.code, 1, refused.out);
    assert.match(refused.out, /not the one that was stamped/);

    const more = await run(['work'], { home: 'worker' });
    assert.equal(more.code, 0, 'the receipt of the task that is done is shown again');
    assert.match(more.out, /paid 0\.0485 USDC/);
  });

  it('takes no hub for another one that answers at the same address', async () => {
    const file = join(
      folder,
      'worker/keys',
      `${new URL(world.hub.url).host.replace(':', '_')}.json`,
    );
    const kept = readFileSync(file, 'utf8');
    writeFileSync(file, kept.replace(/"keyId": "..../, '"keyId": "9999'));
    const reported = await run(['work'], { home: 'worker' });
    writeFileSync(file, kept);
    assert.equal(reported.code, 2);
    assert.match(reported.err, /it is another hub/);
  });

  it('exports everything of the account into a new folder, and erases what may go', async () => {
    const home = 'leaving';
    await run(['init'], { home });
    await fund(home, '100000');
    const hub = createHub({
      baseUrl: world.hub.url,
      key: await keys.load(join(folder, home, 'agent.key')),
    });
    const owner = await accountOf(home);
    const content = 'A note to take along.';
    const space = unwrap(
      await hub.POST('/api/v1/memory/spaces', { body: { owner, name: 'kept', kind: 'private' } }),
    );
    unwrap(
      await hub.POST('/api/v1/memory', { body: { author: owner, spaceId: space.id, content } }),
    );
    unwrap(
      await hub.POST('/api/v1/files', {
        body: { owner, key: 'reports/a.txt', contentBase64: 'aGVsbG8=' },
      }),
    );
    const exported = await json(['export', 'mine'], { home });
    assert.deepEqual([at(exported, 'spaces'), at(exported, 'files')], [1, 1]);
    const rows = readFileSync(join(folder, 'mine/rows.ndjson'), 'utf8').trim().split('\n');
    assert.equal(rows.length, at(exported, 'rows'));
    assert.ok(rows.some((line) => line.includes('"table":"entries"')));
    assert.ok(
      readFileSync(join(folder, `mine/spaces/${space.id}.ndjson`), 'utf8').includes(content),
    );
    assert.equal(readFileSync(join(folder, 'mine/files/1'), 'utf8'), 'hello');
    assert.equal((await run(['export', 'mine'], { home })).code, 2, 'it writes over nothing');

    assert.equal((await run(['erase'], { home })).code, 2, 'it needs --yes');
    const erased = await json(['erase', '--yes'], { home });
    assert.deepEqual(
      ['notes', 'spaces', 'files'].map((what) => at(at(erased, 'erased'), what)),
      [1, 1, 1],
    );
  });

  it('pays, repeats nothing, and shows it in the statement', async () => {
    await fund('.hub', '1000000');
    const to = await accountOf('worker');
    const words = ['pay', to, '0.25', '--memo', '=1+1', '--idempotency-key', 'rent'];
    const first = await json(words);
    assert.deepEqual([at(first, 'amount'), at(first, 'repeated')], ['250000', false]);
    const again = await json(words);
    assert.deepEqual(
      [at(again, 'transferId'), at(again, 'repeated')],
      [at(first, 'transferId'), true],
    );
    assert.equal(at(await json(['pay', to, '250000', '--atomic']), 'amount'), '250000');
    const { out } = await run(['statement', '--csv']);
    const [head, ...lines] = out.trim().split('\r\n');
    assert.match(head ?? '', /^seq,at,direction,reason,amount/);
    assert.equal(lines.length, 3);
    assert.match(lines[1] ?? '', /,out,pay,250000,750000,.*,'=1\+1,/, 'no memo is a formula');
    const shown = await run(['statement']);
    assert.match(shown.out, /-0\.25 +0\.75/);
    assert.match((await run(['me'])).out, /spendable +0\.50 USDC on sandbox/);
    for (const amount of ['1.1234567', 'much', '-1', '0']) {
      assert.equal((await run(['pay', to, amount])).code, 2, amount);
    }
  });

  it('shows the code, the hint and the next call of a refusal, and answers 1', async () => {
    const to = await accountOf('worker');
    const { code, err, out } = await run(['pay', to, '900']);
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /^hub: insufficient-funds: /);
    assert.match(err, /\n {2}hint: /);
    const machine = await run(['pay', to, '900', '--json']);
    assert.equal(machine.code, 1);
    assert.equal(at(JSON.parse(machine.err), 'code'), 'insufficient-funds');
  });

  it('finishes a payment whose answer was lost, once', async () => {
    const to = await accountOf('worker');
    const key = await keys.load(join(folder, '.hub/agent.key'));
    const call = {
      method: 'POST',
      path: `/api/v1/wallet/${key.account}/pay`,
      body: { to, amount: '1000', idempotencyKey: 'lost' },
    };
    writeFileSync(join(folder, '.hub/pending/lost.json'), JSON.stringify(call));
    const done = await json(['resume']);
    assert.deepEqual(
      [at(at(done, '0'), 'outcome'), at(at(at(done, '0'), 'answer'), 'amount')],
      ['done', '1000'],
    );
  });

  it('has work done: publish, exec, show, watch, accept, dispute', async () => {
    const words = ['--title', 'Say yes', '--reward', '0.02', '--contains', 'yes', '--skill', 'yes'];
    writeFileSync(
      join(folder, 'task.json'),
      JSON.stringify({ verification: 'requester', disputeWindowSeconds: 300 }),
    );
    const made = await json(['task', 'publish', 'task.json', ...words]);
    const id = String(at(made, 'id'));
    assert.match((await run(['task', 'list', '--skill', 'yes'])).out, new RegExp(`${id} +0\\.02`));
    assert.match((await run(['task', 'show', id])).out, /pays +0\.02 USDC on sandbox/);
    const early = await run(['task', 'accept', id]);
    assert.match(early.err, /no result to accept; it is open/);
    const worked = await run(
      ['work', '--exec', 'grep -q "Say yes" && echo yes', '--skill', 'yes', '--count', '1'],
      { home: 'worker' },
    );
    assert.equal(worked.code, 0, worked.err);
    assert.match(worked.out, new RegExp(`^waiting +${id} +Say yes`));
    assert.equal((await run(['task', 'accept', id])).code, 0);
    assert.equal(at(await json(['task', 'show', id]), 'state'), 'paid');
    const late = await run(['task', 'dispute', id, '--reason', 'Too late.']);
    assert.deepEqual([late.code, /^hub: w/.test(late.err)], [1, true], late.err);

    const judged = await json(['task', 'publish', '-', ...words], {
      stdin: JSON.stringify({ disputeWindowSeconds: 300 }),
    });
    const disputed = String(at(judged, 'id'));
    const exec = ['work', '--exec', 'echo yes', '--skill', 'yes', '--count', '1'];
    assert.match((await run(exec, { home: 'worker' })).out, /^accepted/);
    assert.equal((await run(['task', 'dispute', disputed])).code, 2);
    const raised = await json(['task', 'dispute', disputed, '--reason', 'It says no.']);
    assert.equal(at(raised, 'taskId'), disputed);

    const quick = await json(['task', 'publish', '-', ...words], {
      stdin: JSON.stringify({ disputeWindowSeconds: 0 }),
    });
    const watching = run(['task', 'watch', String(at(quick, 'id'))]);
    const paid = await run(exec, { home: 'worker' });
    assert.match(paid.out, /^accepted +0\.0194/);
    const watched = await watching;
    assert.equal(watched.code, 0, watched.err);
    assert.match(watched.out, /task\.published[^]*task\.paid/);
  });

  it('searches, and calls an agent that does not exist', async () => {
    await world.hub.runJob('searchIndex');
    assert.match(
      (await run(['search', 'Say', 'yes', '--kind', 'task'])).out,
      /task +[0-9a-f-]{36}/,
    );
    assert.equal((await run(['search', 'x', '--kind', 'thing'])).code, 2);
    const { code, out } = await run(['call', 'no_such_tool', 'a=1', 'b=text', '--json']);
    assert.equal(code, 1);
    assert.equal(at(at(JSON.parse(out), 'receipt'), 'outcome'), 'none-suitable');
  });

  it('reaches every operation of the contract, with help made from it', async () => {
    const listed = await json(['api']);
    assert.ok(Array.isArray(listed) && listed.length > 140);
    const help = await run(['api', 'tasks.publish', '--help']);
    assert.match(help.out, /--rewardAmount TEXT\n/);
    assert.match(help.out, /--requester TEXT\n {6}your account;/);
    const page: unknown = JSON.parse((await run(['api', 'wallet.statement', '--limit', '1'])).out);
    assert.equal(at(page, 'limit'), 1, 'the owner is filled in');
    assert.equal(
      (await run(['api', 'wallet.credit', '--amount', '1000'])).code,
      0,
      'as of a public call',
    );
    const open: unknown = JSON.parse(
      (
        await run(['api', 'tasks.publish', '--title', 'By api', '--body', '-', '--tags', '["t"]'], {
          stdin: '{"description":"From standard input."}',
        })
      ).out,
    );
    assert.deepEqual([at(open, 'title'), at(open, 'tags')], ['By api', ['t']]);
    const missing = await run(['api', 'tasks.get']);
    assert.deepEqual([missing.code, /lacks --id/.test(missing.err)], [2, true]);
    const unknown = await run(['api', 'tasks.publsh']);
    assert.match(unknown.err, /no operation "tasks\.publsh"; tasks has .*tasks\.publish/);
    const text = await run(['api', 'discovery.llms']);
    assert.match(text.out, /^# Agent Exchange Hub/);
  });

  it('completes commands, operations and their fields in bash', async () => {
    const script = (await run(['completion', 'bash'])).out;
    const asked = async (line: readonly string[]): Promise<string> => {
      const words = line.map((word) => `"${word}"`).join(' ');
      const ask = `COMP_WORDS=(${words}); COMP_CWORD=${line.length - 1}; _hub; echo "\${COMPREPLY[@]}"`;
      const child = spawn('bash', ['-c', `${script}\n${ask}`]);
      let out = '';
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      await new Promise((done) => child.once('close', done));
      return out.trim();
    };
    assert.equal(await asked(['hub', 'st']), 'statement');
    assert.equal(await asked(['hub', 'api', 'tasks.rej']), 'tasks.reject');
    assert.equal(await asked(['hub', 'api', 'tasks.publish', '--rew']), '--rewardAmount');
    assert.equal(await asked(['hub', 'task', 'wa']), 'watch');
    for (const shell of ['zsh', 'fish']) {
      assert.match((await run(['completion', shell])).out, /tasks\.publish/);
    }
    assert.equal((await run(['completion', 'cmd'])).code, 2);
  });

  it('answers 3 when no hub answers, 2 for words that it does not know', async () => {
    const down = await run(['me', '--hub', 'http://127.0.0.1:9']);
    assert.equal(down.code, 3, down.err);
    assert.match(down.err, /is the hub running\?/);
    assert.deepEqual((await run(['dance'])).code, 2);
    assert.match((await run(['backup'])).err, /Operators use hubctl/);
    assert.equal((await run(['me', '--loud'])).code, 2);
    assert.equal((await run(['me', '--hub', 'example'])).code, 2);
    const help = await run(['--help']);
    assert.deepEqual([help.code, help.out.includes('\n  0    done\n')], [0, true]);
    assert.match((await run(['work', '--help'])).out, /--exec COMMAND/);
  });

  it('writes no colour outside a terminal, and no control characters of titles', async () => {
    const title = 'red \u001b[31m and \u202e back';
    const made = await json(['task', 'publish', '--title', title]);
    const shown = await run(['task', 'show', String(at(made, 'id'))]);
    assert.ok(!shown.out.includes(COLOUR), shown.out);
    assert.ok(!shown.out.includes('\u202e'));
  });

  it('names the closest command for a mistyped one, and the program that has it', async () => {
    assert.match((await run(['wrok'])).err, /Did you mean "hub work"\?/);
    const started = await program('server/cli.ts');
    const operator = async (word: string): Promise<string> => {
      const { code, out } = await run([word], { started });
      assert.equal(code, 2);
      return out;
    };
    assert.match(await operator('backpu'), /Did you mean "hubctl backup"\?/);
    assert.match(await operator('work'), /"hub work" is a command for agents/);
    assert.doesNotMatch(await operator('dance'), /Did you mean/);
    const help = await run(['help'], { started });
    assert.match(help.out, /hubctl backup FOLDER/);
    assert.doesNotMatch(help.out, /hub work/);
  });
});
