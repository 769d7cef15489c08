import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { realClock } from '../harness/clock.ts';
import { freePort } from '../../clients/examples/freePort.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { program } from '../harness/program.ts';
import { endMinute, inFolder } from './_run.ts';
import { mustPrint, samplesOf, started, startedProcess, type Sample } from './_samples.ts';

/** Every program of the tutorials and of the pages of the doors, against a hub of this process. */
const RUN_MS_MAX = 60_000;
const EARN = 'docs/tutorials/earn.md';
const HIRE = 'docs/tutorials/hire.md';
const PRIZES = 'docs/tutorials/prizes.md';
const SELL = 'docs/tutorials/sell.md';
const LIMIT = 'docs/tutorials/limit.md';
const VERIFY = 'docs/tutorials/verify.md';
const SANDBOX = 'docs/sandbox.md';
const MCP = 'docs/mcp.md';
const A2A = 'docs/a2a.md';

describe('the samples of the tutorials', function suite() {
  this.timeout(RUN_MS_MAX);
  let world: Fixture;
  before(async () => {
    world = await openFixture({ clock: realClock(), env: { HUB_TEST_WORLDS: '2' } });
  });
  after(() => world.close());

  /** The programs of a page by name; the page has these and no other. */
  const programs = <Name extends string>(page: string, ...names: Name[]): Record<Name, Sample> => {
    const samples = samplesOf(page, 'ts');
    assert.equal(samples.length, names.length);
    return Object.fromEntries(names.map((name, place) => [name, samples[place]])) as Record<
      Name,
      Sample
    >;
  };
  const print = (sample: Sample, folder: string): Promise<void> =>
    mustPrint(sample, folder, world.hub.url);

  it('earn with an agent', async () => {
    const { agent, publish } = programs(EARN, 'agent', 'publish');
    await inFolder(async (folder) => {
      await print(publish, folder);
      const [, prints] = samplesOf(EARN, 'text');
      await print({ ...agent, prints: prints?.text }, folder);
    });
  });

  it('move the clock of a test world', async () => {
    const { clock } = programs(SANDBOX, 'clock');
    await inFolder((folder) => print(clock, folder));
  });

  it('hire the agent of the page before', async () => {
    const { agent } = programs(EARN, 'agent', 'publish');
    const { hire } = programs(HIRE, 'hire');
    await inFolder(async (folder) => {
      await inFolder(async (other) => {
        const prints = 'Count the words: accepted, …';
        await Promise.all([print(hire, folder), print({ ...agent, prints }, other)]);
      });
    });
  });

  it('pay several winners, and pay in milestones', async () => {
    const { contest, milestones } = programs(PRIZES, 'contest', 'milestones');
    await inFolder(async (folder) => {
      await print(contest, folder);
      await print(milestones, folder);
    });
  });

  it('sell a tool of a server without an address', async () => {
    const { server, fee, buy } = programs(SELL, 'server', 'fee', 'buy');
    const port = String(await freePort());
    const [command] = samplesOf(SELL, 'sh');
    await inFolder(async (folder) => {
      const children: ChildProcess[] = [];
      try {
        const text = server.text.replace('8080', port);
        children.push(await started({ ...server, text }, folder, world.hub.url));
        await print(fee, folder);
        const words = (command?.text ?? '')
          .replace('http://127.0.0.1:4020', world.hub.url)
          .replace('8080', port)
          .replace('\\\n', '')
          .match(/'[^']+'|\S+/g);
        const [hubctl, ...rest] = (words ?? []).map((word) => word.replaceAll("'", ''));
        assert.equal(hubctl, 'hubctl');
        const cli = await program('server/cli.ts');
        const host = startedProcess(process.execPath, [cli, ...rest], folder, '/mcp');
        children.push(await host);
        await print(buy, folder);
      } finally {
        for (const child of children) {
          child.removeAllListeners('exit');
          child.kill('SIGKILL');
        }
      }
    });
  });

  it('limit the key of an agent, and approve what it asks for', async () => {
    const { mint, spend, mandate } = programs(LIMIT, 'mint', 'spend', 'mandate');
    await inFolder(async (folder) => {
      await print(mint, folder);
      await print(spend, folder);
      await print(mandate, folder);
    });
  });

  it('verify without the hub', async () => {
    const { stamp, proof, check, logged } = programs(VERIFY, 'stamp', 'proof', 'check', 'logged');
    await inFolder(async (folder) => {
      writeFileSync(join(folder, 'contract.pdf'), 'a contract');
      await print(stamp, folder);
      await endMinute(world.hub);
      await print(proof, folder);
      await mustPrint(check, folder, 'http://127.0.0.1:9');
      let isOver = false;
      const sequencing = async (): Promise<void> => {
        while (!isOver) {
          await world.hub.runJob('sequenceLog');
          await sleep(200);
        }
      };
      await Promise.all([print(logged, folder).finally(() => (isOver = true)), sequencing()]);
    });
  });

  for (const page of [MCP, A2A]) {
    it(`connect a client of TypeScript as in ${page}`, async () => {
      const { client } = programs(page, 'client');
      await inFolder((folder) => print(client, folder));
    });
  }

  it('name addresses in the configurations that the hub answers', async () => {
    const configurations = samplesOf(MCP, 'json').map(({ text }): unknown => JSON.parse(text));
    const texts = configurations.map((each) => JSON.stringify(each));
    assert.equal(texts.length, 3);
    const bridges = texts.filter((text) => text.includes('/client.tgz'));
    const { client } = mustOk(await world.anyone.get('/api/v1'));
    for (const text of bridges) {
      // `clients/typescript/pack.test.ts` serves the package, and frameworks.test.ts starts the bridge.
      assert.match(text, /"--yes","http:\/\/127\.0\.0\.1:4020\/client\.tgz","mcp","--key"/);
    }
    assert.equal(bridges.length, 2);
    assert.ok(client === undefined || JSON.stringify(client).includes('/client.tgz'));
    const [, address = ''] = /"url":"http:\/\/127\.0\.0\.1:4020(\/mcp[^"]*)"/.exec(
      texts.join('\n'),
    ) ?? [''];
    const answer = await fetch(world.hub.url + address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    assert.match(await answer.text(), /"list-tasks"/);
  });
});
