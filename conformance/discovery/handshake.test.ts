import assert from 'node:assert/strict';
import { deref, operations } from '../harness/contract.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

type Body = Record<string, unknown>;

const INTENTS = ['earn', 'use', 'hire', 'list', 'judge', 'play', 'fund', 'remember', 'study'];
const ANON = '"anon";q=300;w=60;pk=ip';
const INTRODUCED = '"introduced";q=1200;w=60;pk=ip';
const DAY_SECONDS = 86_400;
const SUITE_MS_MAX = 60_000;

/**
 * The operation that a call would reach; text in angle brackets stands for one part of the path.
 */
function operationOf({ method, path }: Body) {
  const asked = String(path).replace(/\?.*$/, '').split('/');
  const fits = (template: string): boolean => {
    const parts = template.split('/');
    return (
      parts.length === asked.length &&
      parts.every((part, n) => part.startsWith('{') || part === asked[n])
    );
  };
  return operations.find((each) => each.method === method && fits(each.path));
}

describe('discovery.handshake', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const shake = async (body?: Body): Promise<Body> =>
    mustOk(await world.anyone.post('/api/v1/handshake', body));
  const policy = async (): Promise<string | null> =>
    (await world.anyone.get('/api/v1')).headers.get('x-ratelimit-policy');

  it('widens the allowance of the address for a day, and renews it', async () => {
    assert.equal(await policy(), ANON);
    const answer = await shake({ name: 'pdf-reader' });
    assert.equal(answer['introduced'], true);
    assert.equal(answer['name'], 'pdf-reader');
    assert.deepEqual(answer['allowance'], { before: ANON, now: INTRODUCED });
    assert.equal(at(answer, 'feed', 'linesPerPass'), 2000);
    assert.equal(Date.parse(String(answer['until'])), world.hub.clock.now() + DAY_SECONDS * 1000);
    assert.equal(await policy(), INTRODUCED);
    world.hub.clock.advance(DAY_SECONDS - 1);
    assert.equal(await policy(), INTRODUCED);
    assert.deepEqual((await shake({}))['allowance'], { before: INTRODUCED, now: INTRODUCED });
    world.hub.clock.advance(DAY_SECONDS);
    assert.equal(await policy(), ANON);
  });

  it('names the nine paths, and gives the one that is asked for in full', async () => {
    const none = await shake({});
    assert.deepEqual(
      (none['paths'] as Body[]).map(({ intent }) => intent),
      INTENTS,
    );
    assert.equal(none['path'], undefined);
    for (const intent of INTENTS) {
      const path = (await shake({ intent }))['path'] as Body;
      assert.equal(path['intent'], intent);
      const steps = path['steps'] as Body[];
      assert.ok(steps.length >= 3, intent);
      assert.deepEqual(
        steps.map(({ n }) => n),
        steps.map((_, n) => n + 1),
      );
    }
  });

  it('leads only over calls of the contract, and says rightly which are signed', async () => {
    for (const intent of INTENTS) {
      const { path } = await shake({ intent });
      for (const { call, signed, title } of (path as Body)['steps'] as Body[]) {
        const operation = operationOf(call as Body);
        assert.ok(operation !== undefined, `${intent}: ${String(title)} ${JSON.stringify(call)}`);
        const auth = operation.raw['x-auth'];
        assert.equal(signed, auth === 'signed', `${intent}: ${String(title)}`);
        const media = at(operation.raw, 'requestBody', 'content', 'application/json');
        const schema = media === undefined ? {} : deref<Body>(at(media, 'schema'));
        const required = schema['required'] as readonly string[] | undefined;
        const body = (call as Body)['body'] as Body | undefined;
        for (const name of required ?? []) {
          assert.ok(body !== undefined && name in body, `${operation.operationId} needs ${name}`);
        }
      }
    }
  });

  it('refuses an intent that is none, with the list that works', async () => {
    const answer = await world.anyone.post('/api/v1/handshake', { intent: 'fly' });
    const { allowed } = mustRefuse(answer, 400, 'unknown-field-value');
    assert.deepEqual(allowed, INTENTS);
  });

  it('takes no body at all', async () => {
    const request = new Request(new URL('/api/v1/handshake', world.hub.url), { method: 'POST' });
    assert.equal(mustOk(await world.anyone.send(request))['introduced'], true);
  });
});

describe('an introduction', function suite() {
  this.timeout(SUITE_MS_MAX);

  it('gives four times as many requests a minute', async () => {
    const world = await openFixture({ env: { HUB_RATE_LIMITS: 'true' } });
    try {
      mustOk(await world.anyone.post('/api/v1/handshake', {}));
      const { headers } = await world.anyone.get('/api/v1');
      assert.equal(headers.get('x-ratelimit-limit'), '1200');
      assert.equal(headers.get('x-ratelimit-remaining'), '1199');
    } finally {
      await world.close();
    }
  });

  it('holds in every process that shares the database, within half a minute', async () => {
    const databaseUrl = await (await sharedPostgres()).freshDatabase();
    const one = await openFixture({ databaseUrl });
    const two = await openFixture({ databaseUrl, clock: one.hub.clock });
    try {
      const policy = async () =>
        (await two.anyone.get('/api/v1')).headers.get('x-ratelimit-policy');
      assert.equal(await policy(), ANON);
      mustOk(await one.anyone.post('/api/v1/handshake', {}));
      one.hub.clock.advance(30);
      assert.equal(await policy(), INTRODUCED);
    } finally {
      await two.close();
      await one.close();
    }
  });
});
