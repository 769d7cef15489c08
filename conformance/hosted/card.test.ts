import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { Role, type SendMessageRequest } from '@a2a-js/sdk';
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client';
import {
  ClientFactory as Factory03,
  JsonRpcTransportFactory as Transport03,
} from 'a2a-sdk-0.3/client';
import { startMcpSdk2 } from '../../clients/examples/agents/mcpSdk2.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { canonical } from '../../domain/json.ts';
import { cardOf10 } from '../../workflows/discovery/signedCard.ts';
import { newSigning } from '../doors/mcp/_clients.ts';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { spendable } from '../router/_fixture.ts';
import * as place from './_world.ts';
import { CONVERT, newHolder, publish, type Body } from './_world.ts';

/** The A2A side of a hosted agent, by the official clients of both versions. */
describe('hosted.card and the agent’s own A2A address', function suite() {
  this.timeout(place.SUITE_MS_MAX);
  let world: Fixture;
  let holder: Agent;
  let listed: Body;
  let base = '';
  before(async () => {
    const server = await startMcpSdk2();
    world = await place.openHostedFixture('sqlite::memory:', [server.pair]);
    holder = await newHolder(world);
    listed = await publish(holder, { endpoint: `${server.url}/mcp`, name: 'Currencies' });
    base = `${world.hub.url}/hosted/${holder.keyId}/`;
  });
  after(async () => {
    await world.close();
    await closeSites();
  });

  const message = (skill: string, args: Body): SendMessageRequest => ({
    tenant: '',
    metadata: undefined,
    configuration: undefined,
    message: {
      messageId: 'm1',
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      parts: [
        {
          content: { $case: 'data', value: { skill, arguments: args } },
          metadata: undefined,
          filename: '',
          mediaType: '',
        },
      ],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
  });

  for (const protocol of ['1.0', '0.3']) {
    it(`is called by the SDK 1.x in ${protocol}, free without a key and paid with one`, async () => {
      const card = await new DefaultAgentCardResolver({ legacyCompat: { enabled: true } }).resolve(
        base,
      );
      assert.deepEqual(
        card.skills.map(({ id, tags }) => [id, tags]),
        [
          ['list-currencies', ['free']],
          ['convert', ['paid']],
        ],
      );
      const signing = await newSigning(world);
      await world.fund(signing.agent, '2000');
      const client = async (fetchImpl: typeof fetch) =>
        new ClientFactory({
          transports: [new JsonRpcTransportFactory({ fetchImpl, legacyCompat: { enabled: true } })],
        }).createFromAgentCard({
          ...card,
          supportedInterfaces: card.supportedInterfaces.filter(
            ({ protocolVersion }) => protocolVersion === protocol,
          ),
        });
      const visitor = await client(fetch);
      const free = await visitor.sendMessage(message('list-currencies', {}));
      assert.match(JSON.stringify(free), /EUR USD JPY/);
      const unpaid = await visitor.sendMessage(message('convert', CONVERT));
      assert.ok('status' in unpaid, 'a refusal is a task');
      assert.match(JSON.stringify(unpaid), /payment-required/);
      const earned = await spendable(holder);
      const paying = await client(signing.fetch);
      const served = await paying.sendMessage(message('convert', CONVERT));
      assert.ok('parts' in served);
      assert.match(JSON.stringify(served), /"cost":"2000"/);
      assert.equal((await spendable(holder)) - earned, 2_000n);
      assert.equal(await spendable(signing.agent), 0n);
    });
  }

  it('is called by the SDK 0.3', async () => {
    const transports = [new Transport03({ fetchImpl: fetch })];
    const client = await new Factory03({ transports }).createFromUrl(base);
    const reply = await client.sendMessage({
      message: {
        kind: 'message',
        messageId: 'm2',
        role: 'user',
        parts: [{ kind: 'data', data: { skill: 'list-currencies', arguments: {} } }],
      },
    });
    assert.equal(reply.kind, 'message');
    assert.match(JSON.stringify(reply), /EUR USD JPY/);
  });

  it('names the skills that there are, and refuses what it does not serve', async () => {
    const path = new URL(String(listed['a2aEndpoint'])).pathname;
    const send = async (method: string, params: unknown): Promise<Body> =>
      (await world.anyone.post(path, { jsonrpc: '2.0', id: 1, method, params })).body;
    const parts = [{ kind: 'data', data: { skill: 'nothing' } }];
    const reply = await send('message/send', { message: { messageId: 'x', role: 'user', parts } });
    assert.match(JSON.stringify(at(reply, 'error')), /list-currencies/);
    assert.equal(at(await send('tasks/get', { id: 'x' }), 'error', 'code'), -32_601);
  });

  it('is signed by the hub, over the fields of 1.0 and over all that is served', async () => {
    const path = `/hosted/${holder.keyId}/.well-known/agent-card.json`;
    const { signatures, ...card } = mustOk(await world.anyone.get(path));
    const { keys } = mustOk(await world.anyone.get('/.well-known/jwks.json'));
    const key = createPublicKey({ key: { ...(at(keys, 0) as JsonWebKey) }, format: 'jwk' });
    const payloads = [cardOf10(card as unknown as Parameters<typeof cardOf10>[0]), card];
    const verified = (signatures as Body[]).map(({ protected: header, signature }, n) => {
      const payload = Buffer.from(canonical(payloads[n])).toString('base64url');
      const input = Buffer.from(`${String(header)}.${payload}`);
      return verify(null, input, key, Buffer.from(String(signature), 'base64url'));
    });
    assert.deepEqual(verified, [true, true]);
    const forged = Buffer.from(canonical({ ...card, url: 'https://evil.example/' }));
    const [first] = signatures as Body[];
    const input = Buffer.from(`${String(first?.['protected'])}.${forged.toString('base64url')}`);
    assert.ok(!verify(null, input, key, Buffer.from(String(first?.['signature']), 'base64url')));
  });

  it('is not there for a key without a listing', async () => {
    const stranger = await world.agent();
    const path = `/hosted/${stranger.keyId}/.well-known/agent-card.json`;
    mustRefuse(await world.anyone.get(path), 404, 'not-found');
  });

  it('is measured like any other, and verified without naming its endpoint', async () => {
    await world.hub.runJob('hostedLook');
    const url = encodeURIComponent(String(listed['listedEndpoint']));
    const check = mustOk(await world.anyone.get(`/api/v1/verify?url=${url}`));
    assert.deepEqual(
      [check['answers'], check['availability'], check['agentId']],
      [true, 'live', listed['id']],
    );
    const tools = check['tools'] as readonly Body[];
    assert.deepEqual(
      tools.map(({ name, access, verdict }) => [name, access, verdict]),
      [
        ['list-currencies', 'open', 'served'],
        ['convert', 'paid', 'quoted'],
      ],
    );
    const fresh = mustOk(await world.anyone.get(`/api/v1/verify?url=${url}&fresh=1`));
    assert.equal(fresh['fresh'], true);
    assert.ok(!JSON.stringify([check, fresh]).includes(String(listed['endpoint'])));
    await closeSites();
    world.hub.clock.advance(8 * 3600);
    await world.hub.runJob('hostedLook');
    const gone = mustOk(await world.anyone.get(`/api/v1/verify?url=${url}`));
    assert.equal(gone['answers'], false);
    const state = mustOk(await holder.get(`/api/v1/hosted/${holder.keyId}/calls`));
    assert.equal(state['live'], false);
    assert.match(String(state['why']), /connect/);
    const submitted = await world.anyone.post('/api/v1/agents', { url: listed['listedEndpoint'] });
    mustRefuse(submitted, 400, 'endpoint-refused');
  });
});
