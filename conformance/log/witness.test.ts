import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkpointText } from '../../domain/log/note.ts';
import { rootOf } from '../../domain/time/merkle.ts';
import { signNote } from '../../domain/log/signing.ts';
import { runCli } from '../../server/cli.ts';
import { stepsOf } from '../discovery/_follow.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { checkpoint, enqueue, sequence } from './_log.ts';

describe('hubctl witness', function suite() {
  this.timeout(60_000);
  let folder = '';
  let world: Fixture;
  const file = (name: string): string => join(folder, name);
  const run = async (words: readonly string[]): Promise<readonly [number, string]> => {
    let output = '';
    const code = await runCli(['witness', ...words], {}, (text) => void (output += text));
    return [code, output];
  };
  /** The command as the page for operators shows it, which then looks once. */
  const follow = async (of: Fixture, state: string, log = `${of.hub.url}/api/v1/log`) => {
    const { verifierKeys } = mustOk(await of.anyone.get('/api/v1/log'));
    const [command] = stepsOf('docs/operate/witness.md');
    const [, words = ''] = /hubctl witness ([^]+) --every 10\n/.exec(command?.text ?? '') ?? [];
    const typed = words
      .replace('http://127.0.0.1:4020/api/v1/log', log)
      .replace("'NAME+HASH+KEY'", String((verifierKeys as string[])[0]))
      .replace('witness.key', file('key'));
    return run([...typed.replace('\\\n', '').split(/ +/), '--state', file(state)]);
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-witness-'));
    const first = await openFixture();
    await sequence(first);
    const [, output] = await follow(first, 'unused');
    const vkey = /witness key: (\S+)/.exec(output)?.[1] ?? '';
    await first.close();
    world = await openFixture({ env: { HUB_LOG_WITNESSES: vkey } });
    await enqueue(world, 5);
    await sequence(world);
    world.hub.clock.jump(Date.now() - world.hub.clock.now());
    await enqueue(world, 1);
    await sequence(world);
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('signs a checkpoint, hands its signature back, and keeps what it signed', async () => {
    const [code, output] = await follow(world, 'state');
    assert.equal(code, 0, output);
    assert.ok(!output.includes('did not take'), output);
    assert.equal((await checkpoint(world, '?witnesses=1')).size, 6);
    assert.match(await readFile(file('state'), 'utf8'), /^\S+\n6\n/);
  });

  it('follows the log over the edges of tiles', async () => {
    for (const count of [1, 250, 300, 1]) {
      await enqueue(world, count);
      await sequence(world);
      const [code, output] = await follow(world, 'state');
      assert.equal(code, 0, output);
    }
    assert.equal((await checkpoint(world, '?witnesses=1')).size, 558);
  });

  /** Answers a checkpoint of the test's own, and everything else as the log does. */
  const showing = async (note: string, tile?: (path: string) => Uint8Array | undefined) =>
    serving((path) => {
      if (path === '/checkpoint') return note;
      return tile?.(path) ?? logAt(`${world.hub.url}/api/v1/log${path}`);
    });

  it('takes an older checkpoint as stale, signs nothing and goes on when the log does', async () => {
    const old = (await world.anyone.get('/api/v1/log/checkpoint')).text;
    const EARLIER = [558, 512, 256, 1];
    const { signText } = await forger(world);
    await enqueue(world, 1);
    await sequence(world);
    assert.equal((await follow(world, 'state'))[0], 0);
    const roots = await Promise.all(EARLIER.map((size) => rootOfFirst(world, size)));
    const notes = EARLIER.map((size, nth) => signText(size, roots[nth] ?? assert.fail()));
    for (const note of [old, ...notes, signText(0, EMPTY)]) {
      const site = await showing(note);
      const [code, output] = await follow(world, 'state', site.url);
      await site.close();
      assert.equal(code, 2, output);
      assert.match(output, /STALE: .* \d+ leaves, and 559 were signed/);
      assert.match(await readFile(file('state'), 'utf8'), /^\S+\n559\n/);
      assert.equal(site.posts, 0);
    }
    assert.equal((await follow(world, 'state'))[0], 0);
  });

  it('reports a smaller tree as a fork when the signed one does not begin with it', async () => {
    const { signText } = await forger(world);
    for (const size of [558, 512, 17, 1]) {
      const site = await showing(signText(size, new Uint8Array(32).fill(1)));
      const [code, output] = await follow(world, 'state', site.url);
      await site.close();
      assert.equal(code, 1, output);
      assert.match(
        output,
        new RegExp(`FORK: the tree of 559 leaves does not begin with that of ${size}`),
      );
      assert.equal(site.posts, 0);
    }
  });

  it('does not take spoilt or missing tiles for a proof', async () => {
    const { signText } = await forger(world);
    const newest = (await world.anyone.get('/api/v1/log/checkpoint')).text;
    await writeFile(file('earlier'), signText(256, await rootOfFirst(world, 256)));
    const spoilt = (path: string): Uint8Array | undefined => {
      const width = /\.p\/(\d+)$/.exec(path)?.[1] ?? '256';
      return path.startsWith('/tile/') ? new Uint8Array(Number(width) * 32) : undefined;
    };
    for (const [state, note] of [
      ['earlier', newest],
      ['state', signText(256, await rootOfFirst(world, 256))],
    ] as const) {
      const site = await showing(note, spoilt);
      const [code, output] = await follow(world, state, site.url);
      await site.close();
      assert.equal(code, 2, output);
      assert.match(output, /the tiles are not those of the tree of 559 leaves/);
      const gone = await serving((path) => (path === '/checkpoint' ? note : undefined));
      assert.equal((await follow(world, state, gone.url))[0], 2);
      await gone.close();
      assert.equal(site.posts + gone.posts, 0);
    }
  });

  it('reports a fork of the same size and of a larger one', async () => {
    const now = await checkpoint(world);
    const { signText } = await forger(world);
    const fork = signText(now.size, new Uint8Array(32).fill(1));
    await writeFile(file('forked'), fork);
    const [code, output] = await follow(world, 'forked');
    assert.equal(code, 1, output);
    assert.match(output, /FORK/);
    await writeFile(file('smaller'), signText(17, new Uint8Array(32).fill(1)));
    assert.equal((await follow(world, 'smaller'))[0], 1);
    assert.match(await readFile(file('smaller'), 'utf8'), /^\S+\n17\n/, 'the evidence is kept');
  });

  it('takes no checkpoint of another key, and no log that breaks off', async () => {
    const other = await openFixture();
    await sequence(other);
    const foreign = (await other.anyone.get('/api/v1/log/checkpoint')).text;
    await other.close();
    for (const text of [foreign, 'hello', 'x'.repeat(100_000), '']) {
      const site = await serving((path) => (path === '/checkpoint' ? text : undefined));
      const [code, output] = await follow(world, 'state', site.url);
      await site.close();
      assert.equal(code, 2, output);
      assert.equal(site.posts, 0);
    }
    const newest = (await world.anyone.get('/api/v1/log/checkpoint')).text;
    await writeFile(file('behind'), (await forger(world)).signText(0, EMPTY));
    const empty = await serving((path) => (path === '/checkpoint' ? newest : undefined));
    assert.equal((await follow(world, 'behind', empty.url))[0], 0, 'nothing comes before');
    await empty.close();
    const short = await serving((path) =>
      path === '/checkpoint' ? newest : path === '/tile/0/000' ? 'short' : undefined,
    );
    await writeFile(file('three'), (await forger(world)).signText(3, EMPTY));
    assert.equal((await follow(world, 'three', short.url))[0], 2);
    await short.close();
  });

  it('shows its help for words that it does not take', async () => {
    const [code, output] = await run(['--log', 'x']);
    assert.equal(code, 2);
    assert.match(output, /hubctl witness --log URL/);
  });
});

const EMPTY = Buffer.from(
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'hex',
);

/** Signs as the hub would, what the hub never would. */
async function forger({ hub, anyone }: Fixture) {
  const origin = String(mustOk(await anyone.get('/api/v1/log'))['origin']);
  const key = hub.running.hub.keys.current();
  return {
    signText: (size: number, root: Uint8Array) =>
      signNote(checkpointText({ origin, size, root }), origin, [key]),
  };
}

interface Site {
  readonly url: string;
  /** Cosignatures that were handed to it. */
  posts: number;
  close(): Promise<void>;
}

type Served = string | Uint8Array | undefined;

/** Serves what `answer` has for a path; 404 for the rest. */
async function serving(answer: (path: string) => Served | Promise<Served>): Promise<Site> {
  const server: Server = createServer((request, response) => {
    if (request.method === 'POST') site.posts += 1;
    void Promise.resolve(answer(request.url ?? '')).then((found) => {
      response.writeHead(request.method === 'POST' || found !== undefined ? 200 : 404).end(found);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const site: Site = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts: 0,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
  return site;
}

async function logAt(url: string): Promise<Uint8Array | undefined> {
  const answer = await fetch(url);
  return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined;
}

/** The root of the first leaves of the log of a hub, from its tiles of leaves. */
async function rootOfFirst({ hub }: Fixture, size: number): Promise<Uint8Array> {
  const leaves: Uint8Array[] = [];
  for (let tile = 0; leaves.length < size; tile += 1) {
    const width = Math.min(256, size - leaves.length);
    const path = `${String(tile).padStart(3, '0')}${width === 256 ? '' : `.p/${width}`}`;
    const bytes = await logAt(`${hub.url}/api/v1/log/tile/0/${path}`);
    assert.ok(bytes !== undefined, path);
    for (let at = 0; at < width; at += 1) leaves.push(bytes.subarray(at * 32, at * 32 + 32));
  }
  return rootOf(leaves);
}
