import assert from 'node:assert/strict';
import type { Message, MessageSendParams, Task } from 'a2a-sdk-0.3';
import { ClientFactory, JsonRpcTransportFactory, type Client } from 'a2a-sdk-0.3/client';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { newSigning, type Signing } from '../mcp/_clients.ts';
import type { Json } from '../mcp/_door.ts';
import { publishWork } from '../mcp/_town.ts';
import { settle } from '../../harness/waiting.ts';

/** The official TypeScript client of 0.3, which most agents in the field have, unchanged. */
describe('the A2A TypeScript SDK 0.3', () => {
  let world: Fixture;
  let signing: Signing;
  let client: Client;
  beforeEach(async () => {
    world = await openFixture();
    signing = await newSigning(world);
    client = await connected(signing.fetch);
  });
  afterEach(() => world.close());

  function connected(fetchImpl: typeof fetch): Promise<Client> {
    const transports = [new JsonRpcTransportFactory({ fetchImpl })];
    return new ClientFactory({ transports }).createFromUrl(world.hub.url);
  }
  const message = (skill: string, args: Json): MessageSendParams => ({
    message: {
      kind: 'message',
      messageId: 'm1',
      role: 'user',
      parts: [{ kind: 'data', data: { skill, arguments: args } }],
    },
  });
  const dataOf = (holder: Pick<Message, 'parts'> | undefined): Json => {
    const part = holder?.parts[0];
    assert.equal(part?.kind, 'data');
    return part.data;
  };
  const send = async (skill: string, args: Json): Promise<Message | Task> =>
    client.sendMessage(message(skill, args));
  const task = (): Json => ({
    requester: signing.agent.account,
    title: 'Größe – 漢字',
    rewardAmount: '1000000',
    acceptance: { kind: 'contains', values: ['fertig'] },
  });

  it('finds the door in the card, and reads without a key', async () => {
    client = await connected(fetch);
    const { url, protocolVersion, skills } = await client.getAgentCard();
    assert.deepEqual([url, protocolVersion], [`${world.hub.url}/a2a`, '1.0']);
    assert.equal(skills.length, 20);
    const { securitySchemes = {} } = await client.getAgentCard();
    const [scheme] = Object.values(securitySchemes);
    assert.ok(scheme?.type === 'http' && scheme.scheme === 'Signature');
    assert.match(scheme.description ?? '', /RFC 9421/);
    const reply = await send('list-tasks', {});
    assert.equal(reply.kind, 'message');
    assert.equal(dataOf(reply)['count'], 0);
  });

  it('moves money with its key, text beyond ASCII included', async () => {
    const { agent } = signing;
    await world.fund(agent, '5000000');
    const published = await send('publish-task', task());
    assert.equal(published.kind, 'task');
    assert.equal(published.status.state, 'completed');
    assert.equal(dataOf(published.artifacts?.[0])['title'], 'Größe – 漢字');
    assert.deepEqual(await client.getTask({ id: published.id }), published);
  });

  it('sees a refusal as a rejected task with its code', async () => {
    const refused = await send('publish-task', task());
    assert.equal(refused.kind, 'task');
    assert.equal(refused.status.state, 'rejected');
    assert.equal(dataOf(refused.status.message)['code'], 'insufficient-funds');
  });

  it('sees a missing signature and the errors of the protocol', async () => {
    await assert.rejects(client.getTask({ id: 'nosuch' }), { name: 'TaskNotFoundError' });
    await assert.rejects(send('nosuch', {}), /names no skill/);
    const events = client.sendMessageStream(message('nosuch', {}));
    await assert.rejects(events.next(), /names no skill/);
    client = await connected(fetch);
    await assert.rejects(send('publish-task', task()), /is signed/);
  });

  it('streams a claim that waits, to the work that comes', async () => {
    const kinds: string[] = [];
    let work: unknown;
    const reading = (async () => {
      for await (const event of client.sendMessageStream(message('claim-task', { wait: 30 }))) {
        kinds.push(event.kind);
        if (event.kind === 'artifact-update') work = dataOf(event.artifact)['work'];
      }
    })();
    await settle();
    const title = await publishWork(world);
    await reading;
    assert.deepEqual(kinds, ['task', 'artifact-update', 'status-update']);
    assert.equal((work as Json)['title'], title);
  });

  it('cancels a claim that waits', async () => {
    const configuration = { blocking: false };
    const open = await client.sendMessage({
      ...message('claim-task', { wait: 30 }),
      configuration,
    });
    assert.equal(open.kind, 'task');
    assert.equal(open.status.state, 'working');
    const ended = await client.cancelTask({ id: open.id });
    assert.equal(ended.status.state, 'canceled');
    assert.deepEqual((await client.cancelTask({ id: open.id })).status, ended.status);
  });
});
