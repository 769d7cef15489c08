import assert from 'node:assert/strict';
import { generateKey } from '../../clients/typescript/sign.ts';
import { agentWith, type Agent } from '../harness/agents.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { startHub } from '../harness/hub.ts';
import { seated } from '../harness/waiting.ts';
import { A2A, dataOf, mustTask, post, resultOf, skillCall, SPELLINGS } from './a2a/_door.ts';
import { mustResult, readRpc, request, send, toolCall, type Json } from './mcp/_door.ts';
import { publishWork } from './mcp/_town.ts';

const { get, cancel, subscribe, atOnce, header, state } = SPELLINGS['1.0'];
const WAIT = { wait: 30 };

describe('the agent doors of two processes on one PostgreSQL', function suite() {
  this.timeout(60_000);
  let first: Fixture;
  let second: Fixture;
  let firstBob: Agent;
  let secondBob: Agent;
  beforeEach(async () => {
    const databaseUrl = await (await sharedPostgres()).freshDatabase();
    first = await openFixture({ databaseUrl });
    second = { ...first, hub: await startHub({ databaseUrl, clock: first.hub.clock }) };
    const key = await generateKey();
    firstBob = agentWith(first.hub, key);
    secondBob = agentWith(second.hub, key);
  });
  afterEach(async () => {
    await second.hub.close();
    await first.close();
  });

  /** A claim that waits at the first process, and the task that stands for it. */
  const waiting = async (): Promise<string> => {
    const claim = skillCall('1.0', 'claim-task', WAIT, { configuration: atOnce });
    const answer = await post(first, claim, { headers: header, by: firstBob });
    await seated(first.hub, 1);
    return String(mustTask(answer, '1.0', 'working')['id']);
  };
  const ask = (world: Fixture, by: Agent, method: string, id: string) =>
    post(world, request(1, method, { id }), { headers: header, by });

  it('show, take back and keep a task at each of them', async () => {
    const id = await waiting();
    const working = resultOf(await ask(second, secondBob, get, id));
    assert.equal((working['status'] as Json)['state'], state('working'));
    const task = mustTask(await ask(second, secondBob, cancel, id), '1.0', 'canceled');
    await seated(first.hub, 0);
    await publishWork(first);
    const { body } = await firstBob.get('/api/v1/me');
    assert.deepEqual(body['claims'], []);
    assert.deepEqual(resultOf(await ask(first, firstBob, get, id)), task);
  });

  it('stream the end of a task that another process runs', async () => {
    const id = await waiting();
    const signed = await secondBob.signed('POST', A2A, request(1, subscribe, { id }));
    const following = readRpc(await fetch(signed));
    const title = await publishWork(first);
    const { messages } = await following;
    const results = messages.map((each) => Object.entries(each['result'] as Json)[0]);
    assert.deepEqual(
      results.map((each) => each?.[0]),
      ['task', 'artifactUpdate', 'statusUpdate'],
    );
    const { artifact } = results[1]?.[1] as Json;
    assert.equal((dataOf(artifact)['work'] as Json)['title'], title);
  });

  it('remember tasks after the process that ran them has stopped', async () => {
    const title = await publishWork(first);
    const claim = skillCall('1.0', 'claim-task', WAIT);
    const answer = await post(second, claim, { headers: header, by: secondBob });
    const task = mustTask(answer, '1.0', 'completed');
    await second.hub.close();
    const found = resultOf(await ask(first, firstBob, get, String(task['id'])));
    assert.deepEqual(found, task);
    assert.match(JSON.stringify(found), new RegExp(title));
    second = { ...first, hub: await startHub() };
  });

  it('end an MCP call whose cancellation reached another process', async () => {
    const call = send(first, toolCall('c', 'claim-task', WAIT), { by: firstBob });
    await seated(first.hub, 1);
    const params = { requestId: 'c' };
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    assert.equal((await send(second, message, { by: second.alice })).status, 401);
    const stranger = agentWith(second.hub, await generateKey());
    assert.equal((await send(second, message, { by: stranger })).status, 202);
    await seated(first.hub, 1);
    assert.equal((await send(second, message, { by: secondBob })).status, 202);
    assert.equal(mustResult(await call)['work'], null);
  });
});
