import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../clients/examples/freePort.ts';
import { keys } from '../../../clients/typescript/node.ts';
import { generateKey } from '../../../clients/typescript/sign.ts';
import { realClock } from '../../harness/clock.ts';
import { startHub, type TestHub } from '../../harness/hub.ts';
import { at } from '../../harness/must.ts';
import { pack } from '../../../tools/pack.mjs';
import { openSpoiler, type Answer, type Spoiler } from './_spoiler.ts';

/**
 * The suite as its users have it: packed, installed into an empty folder, and run against a hub by
 * its address. A hub that breaks the contract on purpose must be caught, whatever it breaks.
 */
const exec = promisify(execFile);
const LONGEST_MS = 180_000;
const TARBALL = 'hub-conformance.tgz';

interface Ran {
  readonly code: number;
  readonly output: string;
}

describe('the packed conformance suite', function suite() {
  this.timeout(LONGEST_MS);
  let folder: string;
  let hub: TestHub;
  let spoiler: Spoiler;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'conformance-'));
    await pack('conformance', join(folder, TARBALL));
    await writeFile(join(folder, 'package.json'), '{"name":"someone","private":true}');
    // Offline and into an empty project: the package must bring everything that it needs.
    const flags = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--silent'];
    await exec('npm', ['install', ...flags, `./${TARBALL}`], { cwd: folder });
    const [port, hubPort] = [await freePort(), await freePort()];
    spoiler = await openSpoiler(port, hubPort);
    const env = { HUB_PORT: String(hubPort), HUB_BASE_URL: spoiler.url };
    hub = await startHub({ clock: realClock(), env });
  });
  after(async () => {
    await spoiler.close();
    await hub.audit();
    await hub.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the program as a job of CI would call it. */
  async function run(...words: readonly string[]): Promise<Ran> {
    const bin = join(folder, 'node_modules/.bin/hub-conformance');
    try {
      const { stdout } = await exec(bin, [...words], { cwd: folder });
      return { code: 0, output: stdout };
    } catch (error) {
      const output = `${String(at(error, 'stdout'))}${String(at(error, 'stderr'))}`;
      return { code: Number(at(error, 'code')), output };
    }
  }

  it('holds at a hub that keeps the contract, and counts what it could not ask', async () => {
    const reports = ['r.json', 'r.xml', 'r.html'].flatMap((name) => ['--report', name]);
    const words = ['--url', spoiler.url, '--area', 'discovery,wallet', '--seed', '7'];
    const { code, output } = await run(...words, ...reports);
    assert.equal(code, 0, output);
    const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
    const reported: unknown = JSON.parse(await read('r.json'));
    const { held, broken, notAsked } = at(reported, 'counts') as Record<string, number>;
    assert.equal(broken, 0);
    assert.ok(Number(held) > 300, output);
    const reasons = at(reported, 'notAsked') as readonly { readonly reason: string }[];
    assert.deepEqual(reasons.map(({ reason }) => reason).sort(), ['clock', 'inside', 'settings']);
    assert.equal(at(reported, 'operations', 'answered'), at(reported, 'operations', 'declared'));
    assert.match(output, new RegExp(`${held} held, 0 did not, ${notAsked} not asked`));
    const xml = await read('r.xml');
    assert.equal(xml.split('<testcase ').length - 1, Number(held) + Number(notAsked));
    assert.equal(xml.split('<skipped ').length - 1, notAsked);
    assert.doesNotMatch(await read('r.html'), /<script|<link|src=/);
  });

  const broken: readonly (readonly [string, (answer: Answer) => Answer, RegExp])[] = [
    ['another status', breaks({ status: 201 }), /wallet\.me does not declare 201/],
    [
      'an answer without a required field',
      breaks({}, ({ keyId: _, ...rest }) => rest),
      /wallet\.me 200 {2}must have required property 'keyId'/,
    ],
    [
      'a field of another type',
      breaks({}, (body) => ({ ...body, keyId: 5 })),
      /wallet\.me 200 \/keyId must be string/,
    ],
    [
      'a header that is no number',
      breaks({ header: ['x-ratelimit-limit', 'lots'] }),
      /wallet\.me 200 has the header x-ratelimit-limit: lots/,
    ],
    [
      'no request id',
      breaks({ header: ['x-request-id', ''] }),
      /wallet\.me 200 lacks the header x-request-id/,
    ],
    [
      'another type of content',
      breaks({ header: ['content-type', 'text/html'] }),
      /wallet\.me 200 does not declare text\/html/,
    ],
    [
      'an unsigned call taken for a signed one',
      (answer) => (answer.status === 401 ? { ...answer, status: 400 } : answer),
      /"code":"unsigned"/,
    ],
    [
      'a hint that leads nowhere',
      (answer) =>
        answer.status < 400
          ? answer
          : { ...answer, text: answer.text.replace(/"hint":"/, '"hint":"GET /api/v1/moon. ') },
      /names GET \/api\/v1\/moon, which is no operation/,
    ],
  ];
  for (const [what, spoil, says] of broken) {
    it(`catches a hub that answers with ${what}`, async () => {
      spoiler.spoil(spoil);
      const { code, output } = await run('--url', spoiler.url, '--area', 'signatures');
      spoiler.spoil((answer) => answer);
      assert.equal(code, 1, output);
      assert.match(output, says);
    });
  }

  it('asks with the money of --key where there is no faucet, and without it says so', async () => {
    const key = await generateKey();
    await keys.save(join(folder, 'payer.key'), key);
    const databaseUrl = `sqlite:${join(folder, 'hub.sqlite')}`;
    const rich = await startHub({ databaseUrl, clock: realClock() });
    await rich.fund(key.account, '1000000000');
    await rich.close();
    const env = { FAUCET_ENABLED: 'false' };
    const poor = await startHub({ databaseUrl, clock: realClock(), env });
    try {
      const words = ['--url', poor.url, '--area', 'models', '--runs', '1'];
      const without = await run(...words);
      assert.equal(without.code, 0, without.output);
      assert.match(without.output, /\d+ {2}needs test money/);
      const paid = await run(...words, '--key', 'payer.key');
      assert.equal(paid.code, 0, paid.output);
      assert.doesNotMatch(paid.output, /needs test money/);
      await poor.audit();
    } finally {
      await poor.close();
    }
  });

  it('says with 2 why it cannot run', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const real = await startHub({ clock: realClock(), env: { HUB_NETWORK: 'base' } });
    try {
      for (const [words, says] of [
        [['--url', nobody], /Nothing answers at/],
        [['--url', real.url], /is real/],
        [['--url', spoiler.url, '--key', 'no.key'], /ENOENT/],
        [['--url', spoiler.url, '--area', 'moon'], /There is no area moon/],
        [['--url', spoiler.url, '--report', 'r.pdf'], /ends in \.xml, \.json or \.html/],
        [['--url', 'hub.example.org'], /takes an origin/],
        [[], /--url is missing/],
      ] as const) {
        const { code, output } = await run(...words);
        assert.equal(code, 2, output);
        assert.match(output, says);
      }
    } finally {
      await real.close();
    }
  });

  it('shows how it is used, and the version of the contract inside', async () => {
    const { code, output } = await run('--help');
    assert.equal(code, 0);
    for (const word of ['--url', '--key', '--area', '--seed', '--report']) {
      assert.ok(output.includes(word), word);
    }
    const manifest: unknown = JSON.parse(
      await readFile('conformance/kinds/kit/package.json', 'utf8'),
    );
    const version = `${String(at(manifest, 'version'))}\n`;
    assert.equal((await run('--version')).output, version);
    const words = ['--offline', '--yes', `./${TARBALL}`, '--version'];
    assert.equal((await exec('npx', words, { cwd: folder })).stdout, version);
  });
});

/** Spoils what an account reads of itself, and nothing else. */
function breaks(
  { status, header }: { readonly status?: number; readonly header?: readonly [string, string] },
  body: (body: Record<string, unknown>) => unknown = (same) => same,
): (answer: Answer) => Answer {
  return (answer) => {
    if (answer.path !== '/api/v1/me' || answer.status !== 200) return answer;
    const text = JSON.stringify(body(JSON.parse(answer.text) as Record<string, unknown>));
    const headers = { ...answer.headers, ...(header && { [header[0]]: header[1] }) };
    return { ...answer, status: status ?? answer.status, headers, text };
  };
}
