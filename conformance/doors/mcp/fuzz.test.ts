import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mcpTools } from '../../../generated/doors.ts';
import { operationTable } from '../../../generated/operations.ts';
import { freeJson } from '../../kinds/fuzz/values.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { send, toolCall, type Json } from './_door.ts';

/** Whatever a tool is given, the answer is a result, a refusal or the protocol's error. */
const SEED = 20_261_121;
const ARGUMENTS_EACH = 3;
const MESSAGES = 150;
const RUN_MS_MAX = 120_000;

describe('the MCP door, given nonsense', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const sample = <T>(what: fc.Arbitrary<T>, numRuns: number): readonly T[] =>
    fc.sample(what, { seed: SEED, numRuns });

  it('refuses each argument by name and never breaks', async function each() {
    this.timeout(RUN_MS_MAX);
    const names = fc.constantFrom('id', 'owner', 'limit', 'q', 'title', 'amount', 'requester');
    const given = fc.dictionary(names, freeJson, { maxKeys: 4 });
    for (const [name, operation] of Object.entries(mcpTools)) {
      // A poll would wait for the full time that it asks for.
      const patience = operationTable[operation].waits === true ? { wait: 0 } : {};
      for (const args of sample(given, ARGUMENTS_EACH)) {
        const call = toolCall(1, name, { ...args, ...patience });
        const answer = await send(world, call, { by: world.alice });
        const place = `${name} ${JSON.stringify(args)} ${answer.text.slice(0, 400)}`;
        assert.ok(answer.status === 200 || answer.status === 401, place);
        const { structuredContent = {} } = (answer.last['result'] ?? {}) as {
          readonly structuredContent?: Json;
        };
        assert.notEqual(structuredContent['code'], 'internal', place);
      }
    }
  });

  it('answers any JSON at all with a message or an empty 202', async () => {
    for (const body of sample(freeJson, MESSAGES)) {
      const answer = await send(world, JSON.stringify(body));
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.equal((answer.last['error'] as Json)['code'], -32_600);
    }
    const member = fc.oneof(freeJson, fc.constantFrom('2.0', 'ping', 'tools/call', 'tools/list'));
    const message = fc.dictionary(
      fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'result', 'error', '_meta'),
      member,
    );
    for (const body of sample(message, MESSAGES)) {
      const answer = await send(world, { ...body, jsonrpc: '2.0' });
      assert.ok([200, 202, 400].includes(answer.status), `${JSON.stringify(body)} ${answer.text}`);
      const isMessage = 'error' in answer.last || 'result' in answer.last;
      assert.equal(isMessage, answer.status !== 202, JSON.stringify(body));
    }
  });
});
