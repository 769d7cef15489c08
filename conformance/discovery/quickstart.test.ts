import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signAsync } from '@noble/ed25519';
import { keyIdOfSecret } from '../../clients/typescript/sign.ts';
import { PUBLISHED_TEST_KEY } from '../../domain/httpsig/keys.ts';
import { errorTable } from '../../generated/errors.ts';
import { at, mustOk } from '../harness/must.ts';
import { realClock } from '../harness/clock.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { hasPython, inFolder, present, run } from './_run.ts';

type Body = Record<string, unknown>;

describe('discovery.quickstart', () => {
  let world: Fixture;
  let guide: Body;
  before(async () => {
    world = await openFixture({ clock: realClock() });
    guide = mustOk(await world.anyone.get('/api/v1/quickstart'));
  });
  after(() => world.close());

  const example = async (): Promise<Body> => {
    const fresh = mustOk(await world.anyone.get('/api/v1/quickstart'));
    return at(fresh, 'signing', 'example') as Body;
  };
  const source = (language: string): string => {
    const code = guide['code'] as Body[];
    return String(code.find((each) => each['language'] === language)?.['source']);
  };

  it('publishes a key of its own making, which is not the one the hub refuses', async () => {
    const key = at(guide, 'signing', 'sandboxKey') as Body;
    const seed = createHash('sha256')
      .update('Agent Exchange Hub: published sandbox key 1')
      .digest();
    assert.equal(key['seedHex'], seed.toString('hex'));
    assert.equal(key['keyId'], await keyIdOfSecret(seed));
    assert.equal(key['account'], `key:${String(key['keyId'])}`);
    assert.notEqual(key['keyId'], PUBLISHED_TEST_KEY);
  });

  it('signs an example that verifies as pasted into a shell, and again after it', async () => {
    const { curl } = await example();
    for (const _ of [1, 2]) {
      const { stdout, stderr } = await run('bash', ['-c', String(curl)], '/');
      const answer = JSON.parse(stdout || stderr) as Body;
      assert.equal(answer['verified'], true, stdout + stderr);
    }
  });

  it('signs it for 300 seconds and not for one more', async () => {
    const signed = await example();
    const { clock } = world.hub;
    const send = () => world.anyone.send(requestOf(world.hub.url, signed));
    clock.advance(299);
    assert.equal(mustOk(await send())['verified'], true);
    clock.advance(3);
    assert.equal(mustOk(await send())['reason'], 'stale');
    clock.advance(-302);
  });

  it('shows the bytes that another signer makes of the same key and request', async () => {
    const signed = await example();
    const sent: Body = Object.fromEntries(
      (signed['headers'] as Body[]).map(({ name, value }) => [String(name), value]),
    );
    const { host } = new URL(world.hub.url);
    const digest = createHash('sha256').update(String(signed['body'])).digest('base64');
    const base = [
      '"@method": POST',
      `"@authority": ${host}`,
      '"@path": /api/v1/quickstart/check',
      `"content-digest": sha-256=:${digest}:`,
      `"@signature-params": ${String(sent['signature-input']).slice('sig1='.length)}`,
    ].join('\n');
    assert.equal(signed['signatureBase'], base);
    assert.equal(signed['signatureBaseSha256'], createHash('sha256').update(base).digest('hex'));
    const seed = Buffer.from(String(at(guide, 'signing', 'sandboxKey', 'seedHex')), 'hex');
    const signature = Buffer.from(await signAsync(Buffer.from(base), seed)).toString('base64');
    assert.equal(signed['signature'], signature);
    assert.equal(sent['signature'], `sig1=:${signature}:`);
  });

  it('shows answers that the hub gives', async () => {
    const fresh = mustOk(await world.anyone.get('/api/v1/quickstart'));
    const shown = fresh['examples'] as Body[];
    const [unsigned, explained, checked] = shown.map((each) => each['answer'] as Body);
    const refused = await world.anyone.get(String(at(shown[0], 'call', 'path')));
    const { requestId: _, ...refusal } = refused.body;
    assert.deepEqual(unsigned, refusal);
    const page = mustOk(await world.anyone.get(String(at(shown[1], 'call', 'path'))));
    assert.deepEqual(explained, page);
    const request = requestOf(world.hub.url, at(fresh, 'signing', 'example') as Body);
    const answer = mustOk(await world.anyone.send(request));
    assert.deepEqual(timeless(checked), timeless(answer));
  });

  it('names mistakes by codes that exist', () => {
    const reasons = (guide['mistakes'] as Body[]).map(({ reason }) => String(reason));
    for (const reason of reasons) assert.ok(reason === 'silent' || reason in errorTable, reason);
    for (const code of at(guide, 'signing', 'refusalOrder') as string[]) {
      assert.ok(reasons.includes(code), `no mistake leads to ${code}`);
    }
  });

  it('has a JavaScript signer that runs with Node alone', async () => {
    const script = `${source('javascript')}
console.log(JSON.stringify(await call('GET', '/api/v1/me?network=sandbox')), account);`;
    await inFolder(async (folder) => {
      writeFileSync(join(folder, 'hub.mjs'), script);
      const first = await ran(process.execPath, ['hub.mjs'], folder);
      const again = await ran(process.execPath, ['hub.mjs'], folder);
      assert.equal(first[0]?.['verified'], true);
      assert.equal(first[0]['accountKnown'], false);
      assert.equal(again[0]?.['account'], first[1]?.['owner'], 'the key is kept');
      assert.equal(again[0]?.['accountKnown'], true);
    });
  });

  it('has a Python signer that runs with one package', async () => {
    if (!(await hasPython())) return;
    const script = `${source('python')}
print(json.dumps(call("GET", "/api/v1/me?network=sandbox")))
print(json.dumps(call("POST", "/api/v1/tasks", {})))`;
    await inFolder(async (folder) => {
      const [check, me, refused] = await ran('python3', ['-c', script], folder);
      assert.equal(check?.['verified'], true);
      assert.equal(me?.['owner'], check['account']);
      assert.equal(refused?.['code'], 'missing-field', 'a refusal is shown, not thrown');
    });
  });

  it('has a shell signer that runs with curl and openssl', async () => {
    const tools = 'openssl version | grep -q "^OpenSSL 3" && curl --version';
    if (!(await present('bash', ['-c', tools], 'the shell signer (needs openssl 3, curl)'))) return;
    const script = `${source('shell')}
hub POST /api/v1/quickstart/check '{"hello":"it'"'"'s me"}'; echo
hub GET '/api/v1/me?network=sandbox'; echo`;
    await inFolder(async (folder) => {
      const [check, me] = await ran('bash', ['-euc', script], folder);
      assert.equal(check?.['verified'], true);
      assert.equal(me?.['owner'], check['account']);
    });
  });
});

describe('discovery.quickstart, its steps', () => {
  it('lead a newcomer from nothing to money earned and spent, as they stand', async () => {
    const world = await openFixture({ clock: realClock() });
    try {
      await world.hub.runJob('starterRestock');
      const { alice } = world;
      const spare = await world.agent();
      const guide = mustOk(await world.anyone.get('/api/v1/quickstart'));
      const answers: Body[] = [];
      const blanks: Record<string, () => unknown> = {
        'your account': () => alice.account,
        'id of work': () => at(answers, 4, 'work', 'id'),
        'claimToken of the claim': () => at(answers, 4, 'claimToken'),
        'what work.description asks for': () => 'hello, welcome-7',
        'id of your task': () => answers.at(-1)?.['id'],
        'keyid of another key': () => spare.keyId,
      };
      const fill = (text: string): string =>
        text.replace(/<([^<>]+)>/g, (whole, name: string) => {
          if (name.startsWith('new key') || name === 'number') return name;
          const value = blanks[name];
          assert.ok(value !== undefined, `${whole} has a value`);
          return String(value());
        });
      for (const step of guide['steps'] as Body[]) {
        const call = JSON.parse(fill(JSON.stringify(step['call']))) as Body;
        const who = step['signed'] === true ? alice : world.anyone;
        const path = String(call['path']);
        const answer =
          call['method'] === 'GET' ? await who.get(path) : await who.post(path, call['body']);
        assert.equal(answer.status, 200, `${String(step['title'])}: ${answer.text}`);
        answers.push(answer.body);
      }
      assert.equal(at(answers, 2, 'verified'), true);
      world.hub.clock.advance(61);
      await world.hub.runJob('autoAccept');
      const me = mustOk(await alice.get('/api/v1/me'));
      assert.equal(at(me, 'wallet', 'balance'), '1048500', 'the faucet and the starter task');
    } finally {
      await world.close();
    }
  });
});

function requestOf(url: string, signed: Body): Request {
  return new Request(url + String(signed['path']), {
    method: String(signed['method']),
    body: String(signed['body']),
    headers: Object.fromEntries(
      (signed['headers'] as Body[]).map(({ name, value }) => [String(name), String(value)]),
    ),
  });
}

/** The answer without what passes between two looks at the clock. */
function timeless(answer: Body | undefined): Body {
  const steps = (answer?.['steps'] as Body[]).filter(({ step }) => step !== 'window');
  return { ...answer, steps, hubTime: '' };
}

/** Runs a program and reads the JSON that each of its lines begins with. */
async function ran(command: string, words: readonly string[], folder: string): Promise<Body[]> {
  const { code, stdout, stderr } = await run(command, words, folder);
  assert.equal(code, 0, stdout + stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line.slice(0, line.lastIndexOf('}') + 1)) as Body);
}
