import assert from 'node:assert/strict';
import { generateKey } from '../../../clients/typescript/sign.ts';
import { agentWith, exchange, plain, type Agent, type Answer } from '../../harness/agents.ts';
import { deref, operations, type DeclaredOperation, type Json } from '../../harness/contract.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { at } from '../../harness/must.ts';
import { refusalOf } from '../../harness/wire.ts';
import { noteRefusal } from '../../harness/refused.ts';
import { requestsOf, type Asked } from '../hints/_walk.ts';

/** The refusals that every caller meets first, of each operation: `npm run refusals` records them. */
/** More than an address may ask in a minute. */
const CALLS = 400;
/** The pages of the codes have no limit, and a handshake raises that of its address. */
const UNLIMITED = ['discovery.errors', 'discovery.error', 'discovery.handshake'];
/** With a slash at its end, its path is that of a page. */
const OTHER_LETTERS = ['discovery.docs'];
const HOUR_MS = 3_600_000;
const KEY = await generateKey();
const SUITE_MS_MAX = 120_000;

describe('every operation', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: Fixture;
  let spent: Fixture;
  before(async () => {
    world = await openFixture();
    spent = await openFixture({ env: { HUB_RATE_LIMITS: 'true' } });
    const calls = Array.from({ length: CALLS }, () => spent.anyone.get('/api/v1/tasks'));
    await Promise.all(calls);
  });
  after(async () => {
    await world.close();
    await spent.close();
  });

  for (const operation of operations) {
    const { operationId, path, raw } = operation;
    const auth = raw['x-auth'];
    if (!UNLIMITED.includes(operationId)) {
      it(`${operationId} refuses a call over the limit, in the words of its policy`, async () => {
        const refused = await send(spent, operation, exampleOf(operation, spent.alice));
        mustBe(operation, refused, 'rate-limited');
        assert.match(textOf(refused, 'error'), /^Over the limit "\w+";q=\d+;w=\d+;pk=\w+; wait/);
      });
    }
    if (auth !== 'signed' && !path.includes('{')) {
      it(`${operationId} has no other path that is alike`, async () => {
        const [asked = ''] = exampleOf(operation, world.alice).path.split('?');
        const other = OTHER_LETTERS.includes(operationId) ? asked.toUpperCase() : `${asked}/`;
        const refused = await send(world, operation, { what: 'a path', path: other });
        mustBe(operation, refused, 'no-route');
        noteRefusal(operationId, refused);
      });
    }
    if (auth === 'signed') {
      it(`${operationId} refuses a signature of an hour ago`, async () => {
        const { path, body } = exampleOf(operation, world.alice);
        const before = { ...world.hub, clock: { now: () => world.hub.clock.now() - HOUR_MS } };
        const request = await agentWith(before, KEY).signed(operation.method, path, body);
        mustBe(operation, await exchange(request), 'stale');
      });
    }
    if (auth === 'public' && path.includes('{owner}')) {
      it(`${operationId} refuses an owner that is no account`, async () => {
        const asked = { what: 'no account', path: path.replace('{owner}', 'alice') };
        mustBe(operation, await send(world, operation, asked), 'bad-account');
      });
    }
    if (auth === 'signed' || auth === 'api-key') {
      it(`${operationId} refuses a call without authority, and names what is absent`, async () => {
        const refused = await send(world, operation, exampleOf(operation, world.alice));
        mustBe(operation, refused, auth === 'signed' ? 'unsigned' : 'api-key');
      });
    } else {
      const ignores = raw['x-unknown-query'] === 'ignored';
      it(`${operationId} ${ignores ? 'ignores' : 'refuses'} a parameter that the contract lacks`, async () => {
        const asked = exampleOf(operation, world.alice);
        const mark = asked.path.includes('?') ? '&' : '?';
        const path = `${asked.path}${mark}limt=5`;
        const answer = await send(world, operation, { ...asked, path });
        if (ignores) {
          assert.deepEqual(answer.body['code'], (await send(world, operation, asked)).body['code']);
          return;
        }
        mustBe(operation, answer, 'bad-request');
        assert.match(textOf(answer, 'error'), /limt/);
      });
    }
  }
});

function exampleOf(operation: DeclaredOperation, by: Agent): Asked {
  const [first] = requestsOf(operation, by);
  assert.ok(first !== undefined);
  const given = ((operation.raw['parameters'] ?? []) as readonly unknown[]).map((each) =>
    deref<Json>(each),
  );
  const required = given.filter((each) => each['in'] === 'query' && each['required'] === true);
  const query = new URLSearchParams(
    required.map(({ name, example }) => [String(name), String(example)]),
  );
  return { ...first, path: query.size === 0 ? first.path : `${first.path}?${query.toString()}` };
}

/** Sends without a key. */
function send({ hub }: Fixture, { method }: DeclaredOperation, asked: Asked): Promise<Answer> {
  return exchange(plain(hub, method, asked.path, asked.body));
}

function mustBe({ operationId, raw }: DeclaredOperation, answer: Answer, code: string): void {
  assert.equal(textOf(answer, 'code'), code, `${operationId}: ${answer.text}`);
  assert.ok((raw['x-errors'] as readonly string[]).includes(code), operationId);
  assert.notEqual(textOf(answer, 'hint'), '');
}

/** A route of an API key nests a refusal, as the clients of each form read it. */
function textOf({ body }: Answer, name: string): string {
  const { refusal } = refusalOf(body);
  const text = name === 'error' ? (at(body, 'error', 'message') ?? body['error']) : refusal[name];
  return String(text ?? '');
}
