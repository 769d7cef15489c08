import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io } from '../../../clients/typescript/cli/command.ts';
import { GROUPS } from '../../../clients/typescript/cli/help.ts';
import { COMMANDS, runHub } from '../../../clients/typescript/cli/hub.ts';
import { service } from '../../../generated/doors.ts';

const ID = '00000000-0000-7000-8000-000000000001';
const ACCOUNT = `key:${'1'.repeat(32)}`;

/** Words with which each command would act; the address leads nowhere but to the test's server. */
const USABLE = {
  init: [[]],
  me: [[]],
  work: [[], ['--exec', 'true']],
  doctor: [[]],
  task: [
    ['publish', 'task.json'],
    ['list'],
    ['show', ID],
    ['watch', ID],
    ['accept', ID],
    ['dispute', ID, '--reason', 'bad'],
  ],
  chain: [
    ['publish', 'chain.json'],
    ['show', ID],
    ['abandon', ID],
  ],
  search: [['words']],
  call: [['operation', 'name=value']],
  pay: [[ACCOUNT, '0.25']],
  keys: [
    [],
    ['list'],
    ['mint', 'file'],
    ['limit', 'key', '--per-day', '1'],
    ['unlimit', 'key'],
    ['revoke', 'key'],
    ['mandate', 'key'],
    ['import', 'key', 'file'],
    ['approvals'],
    ['approve', ID],
    ['reject', ID],
  ],
  statement: [[]],
  export: [['folder']],
  erase: [['--yes']],
  proof: [['file']],
  webhooks: [
    ['list'],
    ['add', 'https://example.com/hook'],
    ['show', ID],
    ['test', ID],
    ['deliveries', ID],
    ['resend', ID, ID],
    ['replay', ID],
    ['rotate', ID],
    ['pause', ID],
    ['resume', ID],
    ['delete', ID],
  ],
  world: [['show'], ['open'], ['advance', '7d'], ['close']],
  verify: [['file']],
  resume: [[]],
  mcp: [[]],
  api: [[], ['wallet.me'], ['wallet.pay', '--amount', '1']],
  completion: [['bash']],
} as const satisfies Readonly<Record<string, readonly (readonly string[])[]>>;

/** Commands that take any number of words. */
const OPEN = ['search'];

describe('the words of hub', () => {
  let folder: string;
  let server: Server;
  let calls = 0;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hub-words-'));
    server = createServer((_, response) => {
      calls += 1;
      response.writeHead(500).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = async (...words: readonly string[]) => {
    let [out, err] = ['', ''];
    const { port } = server.address() as AddressInfo;
    const home = join(folder, 'home');
    const io: Io = {
      out: (text) => void (out += text),
      err: (text) => void (err += text),
      env: { AGENT_HUB: `http://127.0.0.1:${port}`, AGENT_HOME: home, NO_COLOR: '1' },
      stdin: (async function* none() {})(),
      isTerminal: { out: false, err: false },
      signal: new AbortController().signal,
    };
    return { code: await runHub(words, io), out, err };
  };
  const each = async (check: (name: string, words: readonly string[]) => Promise<void>) => {
    assert.deepEqual(Object.keys(USABLE), Object.keys(COMMANDS), 'the walk has every command');
    const here = readdirSync('.');
    for (const [name, forms] of Object.entries(USABLE)) {
      for (const words of forms) await check(name, words);
    }
    assert.deepEqual(
      [calls, readdirSync(folder), readdirSync('.')],
      [0, [], here],
      'nothing was sent or written',
    );
  };

  it('show the help of every command for --help and -h, and do nothing', () =>
    each(async (name, words) => {
      for (const asked of ['--help', '-h']) {
        for (const all of [[asked], [...words, asked]]) {
          const { code, out } = await run(name, ...all);
          assert.equal(code, 0, `${name} ${all.join(' ')}`);
          assert.match(out, new RegExp(`^hub ${name}`));
        }
      }
    }));

  it('are refused with an option that the command does not have, and nothing is done', () =>
    each(async (name, words) => {
      for (const typo of ['--hlep', '--force', '-x']) {
        for (const all of [[typo], [...words, typo], [typo, ...words]]) {
          const { code, err } = await run(name, ...all);
          assert.equal(code, 2, `${name} ${all.join(' ')}`);
          assert.match(err, /Unknown option '-/);
        }
      }
    }));

  it('are refused when there are too many, and nothing is done', () =>
    each(async (name, words) => {
      if (OPEN.includes(name)) return;
      const { code, err } = await run(name, ...words, 'one', 'two', 'three', 'four');
      assert.equal(code, 2, `${name} ${words.join(' ')}: ${err}`);
    }));

  it('have the version of the contract for --version, also behind a command', async () => {
    const shown = { code: 0, out: `${service.version}\n`, err: '' };
    for (const word of ['--version', '-v', 'version']) assert.deepEqual(await run(word), shown);
    await each(async (name) => {
      if (name !== 'api') assert.deepEqual(await run(name, '--version'), shown, name);
    });
  });

  it('are shown by groups, with each command once and no line wider than 80 columns', async () => {
    const named = GROUPS.flatMap(([, ...names]) => names);
    assert.deepEqual(named.toSorted(), Object.keys(COMMANDS).toSorted());
    const { out } = await run('help');
    for (const [title] of GROUPS) assert.ok(out.includes(`${title}:\n  hub `), title);
    const operations = ['tasks.publish', 'models.chat', 'wallet.pay', 'registry.submit'];
    const helps = [
      out,
      ...(await Promise.all(Object.keys(COMMANDS).map(async (n) => (await run(n, '-h')).out))),
      ...(await Promise.all(operations.map(async (n) => (await run('api', n, '-h')).out))),
    ];
    for (const help of helps) {
      for (const line of help.split('\n')) assert.ok(line.length <= 80, line);
      assert.doesNotMatch(help, /undefined| $/m);
    }
  });
});
