import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { keys } from '../../clients/typescript/node.ts';
import { realClock } from '../harness/clock.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import { follow, stepsOf } from './_follow.ts';
import { listenForSleep, openDesk, type Desk } from './_reader.ts';
import { present } from './_run.ts';

/**
 * Pages are followed literally in empty folders, each beside a hub of this process: the commands in
 * their order, the files under the names of the page, the output compared. Packages come from that
 * hub and from a registry on the loopback; `sleep` moves the clock of the hub.
 */
const PAGE_MS_MAX = 240_000;
const EARN = 'docs/tutorials/earn.md';
const TERMS = 'docs/tutorials/terms.md';
const MCP = 'docs/mcp.md';
/** Pages that are followed, each after those that it names as its folder's. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  'README.md': [],
  [EARN]: [],
  'docs/tutorials/hire.md': [EARN],
  'docs/tutorials/files.md': [],
  [TERMS]: [],
  'docs/tutorials/prizes.md': [],
  'docs/tutorials/sell.md': [],
  'docs/tutorials/limit.md': [],
  'docs/tutorials/verify.md': [],
  'docs/sandbox.md': [],
  [MCP]: [],
  'docs/a2a.md': [],
  'docs/models.md': [],
};
/** Blocks that are not followed here, by the word that the reason begins with. */
const LEFT_OUT: readonly (readonly [language: string, begin: string])[] = [
  // Installs and tests the whole project.
  ['sh', 'npm ci'],
  // `npm run doors:python` installs what these need and runs them.
  ['python', ''],
  // Configurations of other programs, which the last test reads.
  ['json', '{'],
  // A job of GitHub, whose steps a test below runs.
  ['yaml', 'on: workflow_dispatch'],
  // A file of an operator; pasted.test.ts starts a hub with it.
  ['yaml', 'providers:'],
];

describe('the pages, followed literally', function suite() {
  this.timeout(PAGE_MS_MAX);
  let desk: Desk;
  before(async () => {
    desk = await openDesk();
  });
  after(() => desk.close());

  for (const [page, earlier] of Object.entries(PAGES)) {
    it(page, async () => {
      const tools =
        'openssl version | grep -q "^OpenSSL 3" && curl --version && sha256sum --version';
      if (!(await present('bash', ['-c', tools], 'pages (need bash, openssl 3, curl)'))) return;
      const world = await openFixture({
        clock: realClock(),
        webFolder: desk.webFolder,
        env: { HUB_TEST_WORLDS: '2' },
      });
      const minutes = await listenForSleep(world);
      const ended = new AbortController();
      const jobs = runJobs(world, ended.signal);
      try {
        const reader = await desk.readerOf(world, minutes);
        const { done, end } = await follow([...earlier, page], reader, ({ language, text }) =>
          LEFT_OUT.some(([of, begin]) => of === language && text.startsWith(begin)),
        );
        end();
        assert.ok(done.length >= 2, done.join('\n'));
      } finally {
        ended.abort();
        await jobs;
        minutes.close();
        await world.close();
      }
    });
  }

  it('hire by the steps of a job of GitHub, which ends when the task is paid', async () => {
    const world = await openFixture({ clock: realClock(), webFolder: desk.webFolder });
    const minutes = await listenForSleep(world);
    try {
      const { clone, env } = await desk.readerOf(world, minutes);
      const [step] = stepsOf('docs/tutorials/hire.md').filter(
        ({ language }) => language === 'yaml',
      );
      const { env: own, steps } = at(parse(step?.text ?? ''), 'jobs', 'hire') as {
        readonly env: Readonly<Record<string, string>>;
        readonly steps: readonly { readonly run?: string }[];
      };
      const key = await keys.loadOrGenerate(join(clone, 'own.key'));
      await world.fund({ ...world.alice, account: key.account }, '60000');
      const secret = readFileSync(join(clone, 'own.key'), 'utf8');
      const task = { title: 'Count', rewardAmount: '60000', disputeWindowSeconds: 0 };
      const rule = { kind: 'contains', values: ['six'] };
      writeFileSync(join(clone, 'task.json'), JSON.stringify({ ...task, acceptance: rule }));
      const given = { ...env, ...own, HUB: world.hub.url, HUB_KEY: secret };
      const worked = deliverWhenOpen(world, 'six words');
      for (const { run: line } of steps) {
        if (line === undefined) continue;
        const done = await promisify(execFile)('bash', ['-ec', line], { cwd: clone, env: given });
        if (line.includes('task watch')) assert.match(done.stdout, /task\.paid/);
      }
      await worked;
      assert.ok(!existsSync(join(clone, 'hub.key')));
    } finally {
      minutes.close();
      await world.close();
    }
  });

  it('name addresses in the configurations that the hub answers', async () => {
    const world = await openFixture();
    try {
      const texts = stepsOf(MCP)
        .filter(({ language }) => language === 'json')
        .map(({ text }) => JSON.stringify(JSON.parse(text)));
      const bridges = texts.filter((text) => text.includes('/client.tgz'));
      for (const text of bridges) {
        // `clients/typescript/pack.test.ts` serves the package; frameworks.test.ts starts the bridge.
        assert.match(text, /"--yes","http:\/\/127\.0\.0\.1:4020\/client\.tgz","mcp","--key"/);
      }
      assert.deepEqual([texts.length, bridges.length], [3, 2]);
      const [, address = ''] =
        /"url":"http:\/\/127\.0\.0\.1:4020(\/mcp[^"]*)"/.exec(texts.join('\n')) ?? [];
      const answer = await fetch(world.hub.url + address, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
      assert.match(await answer.text(), /"list-tasks"/);
    } finally {
      await world.close();
    }
  });

  it('order a job of days with each client in at most 40 lines a program', () => {
    const programs = [
      ...stepsOf(TERMS).filter(({ language }) => language === 'ts'),
      ...stepsOf('clients/python/README.md').filter(({ text }) => text.includes('while_held(')),
    ];
    assert.equal(programs.length, 4);
    for (const { text } of programs) assert.ok(text.trimEnd().split('\n').length <= 40, text);
  });

  it('save no program as a file that npm init makes CommonJS', () => {
    const listed = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' });
    for (const page of listed.split('\n').filter((name) => name in PAGES)) {
      for (const { words } of stepsOf(page)) assert.doesNotMatch(words, /`\w+\.ts`/, page);
    }
  });
});

/** A worker that takes the first open task and delivers. */
async function deliverWhenOpen({ bob, anyone }: Fixture, result: string): Promise<void> {
  for (;;) {
    const { tasks } = mustOk(await anyone.get('/api/v1/tasks?state=open'));
    const [task] = tasks as readonly { readonly id: string }[];
    if (task !== undefined) {
      const path = `/api/v1/tasks/${task.id}`;
      const { claimToken } = mustOk(await bob.post(`${path}/claim`, { agentId: bob.account }));
      mustOk(await bob.post(`${path}/submit`, { claimToken, result }));
      return;
    }
    await sleep(200);
  }
}

/** The jobs that a hub runs by itself; a delivered task meets the end of its time at once. */
async function runJobs({ hub, anyone }: Fixture, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await hub.runJob('starterRestock');
    await hub.runJob('sequenceLog');
    const { tasks } = mustOk(await anyone.get('/api/v1/tasks?state=delivered'));
    if ((tasks as readonly unknown[]).length > 0) {
      hub.clock.advance(61);
      await hub.runJob('autoAccept');
    }
    await sleep(200);
  }
}
