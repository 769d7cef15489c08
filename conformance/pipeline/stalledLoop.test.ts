import assert from 'node:assert/strict';
import { deref, operations, type DeclaredOperation, type Json } from '../harness/contract.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { dial, readAnswer } from '../harness/wire.ts';
import { generateKey, signer, signRequest } from '../../clients/typescript/sign.ts';
import { heavyBodies, heavyValues } from './heavyBodies.ts';
import { HOLD_MS_MAX, holdOf } from './loopDelay.ts';

/**
 * How long one request may hold the event loop, over every operation and door
 * (threats.stalled-loop): never longer than 20 ms.
 */
const MCP = '/mcp';
const A2A = '/a2a';

let world: Fixture;
let key: Awaited<ReturnType<typeof generateKey>>;

async function open(): Promise<void> {
  world = await openFixture({ env: { HUB_CHECK_ANSWERS: 'false' } });
  key = await generateKey();
}
const close = (): Promise<void> => world.close();

const pathOf = ({ path, raw }: DeclaredOperation): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameters = (raw['parameters'] ?? []) as readonly {
      readonly name: string;
      readonly example?: unknown;
    }[];
    const example = parameters.find((each) => each.name === name)?.example;
    return encodeURIComponent(String(example ?? 'x'));
  });

/** Returns a request signed with a new key, as one whole piece of bytes. */
async function bytesOf(target: string, body: string): Promise<Buffer> {
  const url = new URL(target, world.hub.url);
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
  const request = await signRequest(new Request(url, init), signer(key), world.hub.clock.now());
  const content = Buffer.from(body);
  const headers = [...request.headers, ['host', url.host], ['content-length', content.length]];
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`POST ${target} HTTP/1.1\r\n${head}\r\n`), content]);
}

/** Every try is a request of its own, since a nonce is taken once. */
async function mustNotHold(what: string, target: string, body: string): Promise<void> {
  let status = 0;
  const hold = await holdOf(async () => {
    const bytes = await bytesOf(target, body);
    const socket = await dial(world.hub.url);
    return async () => {
      const answer = readAnswer(socket);
      socket.write(bytes);
      status = (await answer).status;
      socket.destroy();
    };
  });
  assert.ok(status < 500, `${what}: ${status}`);
  assert.ok(hold <= HOLD_MS_MAX, `${what} held the loop for ${hold.toFixed(1)} ms`);
}

async function mustAnswer(what: string, head: string): Promise<void> {
  const hold = await holdOf(async () => {
    const socket = await dial(world.hub.url);
    return async () => {
      // A stream has no length, so its answer ends with the connection.
      const ended = new Promise((resolve) => socket.once('close', resolve));
      socket.resume();
      socket.write(`${head}\r\nconnection: close\r\n\r\n`);
      await ended;
    };
  });
  assert.ok(hold <= HOLD_MS_MAX, `${what} ${head.slice(0, 99)} held for ${hold.toFixed(1)} ms`);
}

const areaOf = ({ operationId }: DeclaredOperation): string => operationId.split('.')[0] ?? '';
const withBody = operations.filter(({ raw }) => raw['requestBody'] !== undefined);
const firstOfAreas = withBody.filter(
  (each) => withBody.find((other) => areaOf(other) === areaOf(each)) === each,
);

function withBodies(some: readonly DeclaredOperation[]): void {
  for (const operation of some) {
    it(`the hub answers others beside a body for ${operation.operationId}`, async () => {
      for (const { what, text } of heavyBodies(operation, key.account)) {
        await mustNotHold(what, pathOf(operation), text);
      }
    });
  }
}

describe('no request holds the event loop', () => {
  before(open);
  after(close);

  withBodies(firstOfAreas);

  it('is read beside others with 330,000 members in 3.85 MB, which a door does not even parse', async () => {
    const list = Array<string>(330_000).fill('"a":[1,2]').join(',');
    for (const door of [MCP, A2A]) await mustNotHold(door, door, `{"params":{${list}}}`);
  });

  for (const [tool, length] of [
    ['publish-task', 300_000],
    ['models-chat', 2_100_000],
    ['wallet', 60_000],
  ] as const) {
    it(`is read beside others when it is a message of ${length} bytes for ${tool} at a door`, async () => {
      for (const { what, text } of heavyValues(length)) {
        const call = { name: tool, arguments: { title: '?' } };
        const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
        await mustNotHold(
          `MCP: ${what}`,
          MCP,
          JSON.stringify(message).replace('"?"', () => text),
        );
        const data = { skill: tool, arguments: { title: '?' } };
        const sent = { messageId: 'm', role: 'ROLE_USER', parts: [{ data }] };
        const send = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: sent } };
        await mustNotHold(
          `A2A: ${what}`,
          A2A,
          JSON.stringify(send).replace('"?"', () => text),
        );
        const inText = `${tool} {"title":${text.slice(0, length / 2)}`;
        const parts = [{ text: inText }];
        const spoken = { ...send, params: { message: { ...sent, parts } } };
        await mustNotHold(`A2A text: ${what}`, A2A, JSON.stringify(spoken));
      }
    });
  }

  it('is read beside others with the longest queries and headers of every read', async () => {
    const { host } = new URL(world.hub.url);
    const headers = [
      `signature-input: sig1=(${'"@query" '.repeat(1_500)})`,
      `signature-input: ${Array.from({ length: 900 }, (_, n) => `a${n}=("@path")`).join()}`,
      `accept: ${'text/html;q=0.1,'.repeat(900)}`,
      `x-payment: ${'e30'.repeat(5_000)}`,
    ];
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const names = ((operation.raw['parameters'] ?? []) as readonly Json[])
        .map((each) => deref<{ in: string; name: string }>(each))
        .filter((each) => each.in === 'query')
        .map(({ name }) => `${name}=${'a,'.repeat(7_000)}`);
      const many = Array.from({ length: 2_500 }, (_, n) => `a${n}=`).join('&');
      for (const query of [many, `x=${'%C3%A9'.repeat(2_400)}`, ...names]) {
        const target = `${pathOf(operation)}?${query}`;
        await mustAnswer(operation.operationId, `GET ${target} HTTP/1.1\r\nhost: ${host}`);
      }
      const target = pathOf(operation);
      for (const header of headers) {
        const head = `GET ${target} HTTP/1.1\r\nhost: ${host}\r\n${header}`;
        await mustAnswer(operation.operationId, head);
      }
    }
  });
});

describe('no request holds the event loop, with a body for every other operation (in full)', () => {
  before(open);
  after(close);
  withBodies(withBody.filter((each) => !firstOfAreas.includes(each)));
});
