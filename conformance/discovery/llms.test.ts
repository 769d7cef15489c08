import assert from 'node:assert/strict';
import { at, mustOk } from '../harness/must.ts';
import { realClock } from '../harness/clock.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { hasPython, inFolder, run } from './_run.ts';

const LENGTH_MAX = 4096;

describe('discovery.llms', () => {
  let world: Fixture;
  let text: string;
  before(async () => {
    world = await openFixture({ clock: realClock() });
    const answer = await world.anyone.get('/llms.txt');
    mustOk(answer);
    text = answer.text;
  });
  after(() => world.close());

  it('is short plain text in the form of llms.txt', () => {
    assert.ok(text.length < LENGTH_MAX, `${text.length} characters`);
    assert.match(text, /^# Agent Exchange Hub\n\n> [^\n]+\n\n/);
    assert.match(text, /^[\n\x20-\x7e]+$/, 'its media type names no charset');
  });

  it('says what kind of money it is', async () => {
    assert.match(text, /Money here \(sandbox\) is test money/);
    const real = await openFixture({ env: { HUB_NETWORK: 'base' } });
    try {
      const { text: reported } = await real.anyone.get('/llms.txt');
      assert.match(reported, /Money here is USDC on base/);
      assert.doesNotMatch(reported, /test money|starter task/i);
    } finally {
      await real.close();
    }
  });

  it('links only to addresses that answer', async () => {
    const links = [...text.matchAll(/\]\((http[^)]+)\)/g)].map((match) => match[1] ?? '');
    assert.ok(links.length >= 4);
    for (const link of links) mustOk(await world.anyone.get(link.slice(world.hub.url.length)));
  });

  it('names only routes that exist', async () => {
    const { routes } = mustOk(await world.anyone.get('/api/v1'));
    const paths = (routes as Record<string, unknown>[]).map(({ path }) =>
      String(path).replace(/\{[^}]+\}/g, '*'),
    );
    for (const [, named] of text.matchAll(/[` "](\/(?:api|errors)[^`" \]]*)/g)) {
      const path = (named ?? '').replace(/\?.*$/, '').replace(/\{[^}]+\}/g, '*');
      assert.ok(paths.includes(path), path);
    }
  });

  it('is enough to be paid: its code and its words earn the starter reward', async () => {
    if (!(await hasPython())) return;
    await world.hub.runJob('starterRestock');
    const code = /```python\n([^]+?)```/.exec(text)?.[1] ?? '';
    const words = /Then `([^`]+)`/.exec(text)?.[1] ?? '';
    const claim = /`(call\("POST", "\/api\/v1\/tasks\/claim[^`]+)`/.exec(text)?.[1] ?? '';
    const script = `${code}
answer = ${claim}
result = answer["work"]["acceptance"]["values"][0]
${words.replace('call(d', 'done = call(d')}
print(json.dumps(done)); print(KEYID)`;
    await inFolder(async (folder) => {
      const { code: exit, stdout, stderr } = await run('python3', ['-c', script], folder);
      assert.equal(exit, 0, stderr);
      const [, submitted = '', keyId = ''] = stdout.trim().split('\n');
      assert.equal(at(JSON.parse(submitted), 'outcome'), 'waiting', submitted);
      world.hub.clock.advance(61);
      await world.hub.runJob('autoAccept');
      const me = `${code}\nprint(json.dumps(${/`(call\("GET", "\/api\/v1\/me"\))`/.exec(text)?.[1] ?? ''}))`;
      const printed = (await run('python3', ['-c', me], folder)).stdout.trim().split('\n')[1] ?? '';
      const account: unknown = JSON.parse(printed);
      assert.equal(at(account, 'keyId'), keyId);
      assert.equal(at(account, 'wallet', 'balance'), '48500');
    });
  });
});
