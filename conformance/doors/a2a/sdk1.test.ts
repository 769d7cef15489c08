import assert from 'node:assert/strict';
import {
  canonicalizeAgentCard,
  Role,
  TaskState,
  verifyAgentCardSignature,
  type Message,
  type Task,
} from '@a2a-js/sdk';
import type { AgentCard, SendMessageRequest } from '@a2a-js/sdk';
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  type Client,
} from '@a2a-js/sdk/client';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { at, mustOk } from '../../harness/must.ts';
import { newSigning, type Signing } from '../mcp/_clients.ts';
import type { Json } from '../mcp/_door.ts';
import { publishWork } from '../mcp/_town.ts';
import { settle } from '../../harness/waiting.ts';

/** The official TypeScript client, 1.x, unchanged but for the hook that signs. */
for (const protocol of ['1.0', '0.3']) {
  describe(`the A2A TypeScript SDK 1.x, speaking ${protocol}`, () => {
    let world: Fixture;
    let signing: Signing;
    let client: Client;
    beforeEach(async () => {
      world = await openFixture();
      signing = await newSigning(world);
      client = await connected(signing.fetch);
    });
    afterEach(() => world.close());

    /** The client takes the first interface of the card that it speaks. */
    async function connected(fetchImpl: typeof fetch): Promise<Client> {
      const legacyCompat = { enabled: true };
      const card = await new DefaultAgentCardResolver({ legacyCompat }).resolve(world.hub.url);
      const supportedInterfaces = card.supportedInterfaces.filter(
        ({ protocolVersion }) => protocolVersion === protocol,
      );
      const transports = [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })];
      const made = await new ClientFactory({ transports }).createFromAgentCard({
        ...card,
        supportedInterfaces,
      });
      assert.equal(made.protocolVersion, protocol);
      return made;
    }
    const message = (skill: string, args: Json, over: Partial<Json> = {}): SendMessageRequest => ({
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
      ...over,
    });
    const dataOf = (holder: Message | Task['artifacts'][number] | undefined): Json => {
      const content = holder?.parts[0]?.content;
      assert.equal(content?.$case, 'data');
      return content.value as Json;
    };
    const read = async (skill: string, args: Json): Promise<Json> => {
      const result = await client.sendMessage(message(skill, args));
      assert.ok('parts' in result, 'a read is answered with a message');
      return dataOf(result);
    };
    const change = async (skill: string, args: Json): Promise<Task> => {
      const result = await client.sendMessage(message(skill, args));
      assert.ok('status' in result, 'a change is answered with a task');
      return result;
    };
    const task = (): Json => ({
      requester: signing.agent.account,
      title: 'Größe – 漢字',
      rewardAmount: '1000000',
      acceptance: { kind: 'contains', values: ['fertig'] },
    });

    it('reads without a key', async () => {
      client = await connected(fetch);
      assert.equal((await read('list-tasks', {}))['count'], 0);
    });

    it('moves money with its key, text beyond ASCII included', async () => {
      const { agent } = signing;
      await world.fund(agent, '5000000');
      const published = await change('publish-task', task());
      assert.equal(published.status?.state, TaskState.TASK_STATE_COMPLETED);
      assert.equal(dataOf(published.artifacts[0])['title'], 'Größe – 漢字');
      const wallet = await read('wallet', { owner: agent.account });
      assert.deepEqual([wallet['balance'], wallet['spendable']], ['5000000', '4000000']);
      const again = await client.getTask({ tenant: '', id: published.id });
      assert.deepEqual(again.artifacts, published.artifacts);
    });

    it('sees a refusal as a rejected task with its code', async () => {
      const refused = await change('publish-task', task());
      assert.equal(refused.status?.state, TaskState.TASK_STATE_REJECTED);
      assert.equal(dataOf(refused.status?.message)['code'], 'insufficient-funds');
    });

    it('sees a missing signature as an error with its reason', async () => {
      client = await connected(fetch);
      await assert.rejects(change('publish-task', task()), /is signed/);
    });

    it('sees the errors of the protocol as its own classes', async () => {
      await assert.rejects(client.getTask({ tenant: '', id: 'nosuch' }), {
        name: 'TaskNotFoundError',
      });
      await assert.rejects(read('nosuch', {}), /names no skill/);
    });

    it('streams a claim that waits, to the work that comes', async () => {
      const items: string[] = [];
      let work: unknown;
      const events = client.sendMessageStream(message('claim-task', { wait: 30 }));
      const reading = (async () => {
        for await (const { payload } of events) {
          items.push(payload?.$case ?? '');
          if (payload?.$case === 'artifactUpdate') work = dataOf(payload.value.artifact)['work'];
        }
      })();
      await settle();
      const title = await publishWork(world);
      await reading;
      assert.deepEqual(items, ['task', 'artifactUpdate', 'statusUpdate']);
      assert.equal((work as Json)['title'], title);
    });

    it('cancels a claim that waits', async () => {
      const configuration = {
        acceptedOutputModes: [],
        taskPushNotificationConfig: undefined,
        returnImmediately: true,
      };
      const open = await client.sendMessage(message('claim-task', { wait: 30 }, { configuration }));
      assert.ok('status' in open);
      assert.equal(open.status?.state, TaskState.TASK_STATE_WORKING);
      const ended = await client.cancelTask({ tenant: '', id: open.id, metadata: undefined });
      assert.equal(ended.status?.state, TaskState.TASK_STATE_CANCELED);
      const again = await client.cancelTask({ tenant: '', id: open.id, metadata: undefined });
      assert.deepEqual(again.status, ended.status);
    });
  });
}

describe('the card in the A2A TypeScript SDK 1.x', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const verify = verifyAgentCardSignature(async (kid, jku) => {
    const { keys } = (await (await fetch(String(jku))).json()) as { readonly keys: Json[] };
    const key = keys.find((each) => each['kid'] === kid);
    assert.ok(key !== undefined);
    return { ...key };
  });
  /** The client reports every signature that does not verify. */
  const mustNotVerify = async (card: AgentCard): Promise<void> => {
    const { debug } = console;
    console.debug = () => undefined;
    try {
      await assert.rejects(verify(card));
    } finally {
      console.debug = debug;
    }
  };

  it('verifies with the keys that it names, and not when a word of it was changed', async () => {
    const card = await new DefaultAgentCardResolver().resolve(world.hub.url);
    await verify(card);
    await mustNotVerify({ ...card, description: `${card.description} ` });
  });

  it('has one form of its security scheme for a reader of 1.0', async () => {
    const served = mustOk(await world.anyone.get('/.well-known/agent-card.json'));
    const read = JSON.parse(canonicalizeAgentCard(served as never)) as Json;
    const [form] = Object.values(read['securitySchemes'] as Json) as Json[];
    assert.deepEqual(Object.keys(form ?? {}), ['httpAuthSecurityScheme']);
    assert.equal(at(form, 'httpAuthSecurityScheme', 'scheme'), 'Signature');
    const skills = read['skills'] as readonly Json[];
    assert.ok(skills.every((skill) => skill['security'] === undefined));
  });

  it('would verify no more if the form of 1.0 stood alone, which is why both are in one', async () => {
    const served = mustOk(await world.anyone.get('/.well-known/agent-card.json'));
    const [name = '', both] = Object.entries(served['securitySchemes'] as Json)[0] ?? [];
    const { httpAuthSecurityScheme } = both as Json;
    const alone = { ...served, securitySchemes: { [name]: { httpAuthSecurityScheme } } };
    const resolve = (card: Json): Promise<AgentCard> =>
      new DefaultAgentCardResolver({
        fetchImpl: () => Promise.resolve(new Response(JSON.stringify(card))),
      }).resolve(world.hub.url);
    // The canonical form of 1.0 is the same, so the signature is of this card too.
    await verify(await resolve(served));
    await mustNotVerify(await resolve(alone));
  });
});
