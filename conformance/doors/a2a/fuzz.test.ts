import assert from 'node:assert/strict';
import fc from 'fast-check';
import { a2aSkills } from '../../../generated/doors.ts';
import { operationTable } from '../../../generated/operations.ts';
import { freeJson } from '../../kinds/fuzz/values.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { request, type Json, type RpcAnswer } from '../mcp/_door.ts';
import { callSkill, messageOf, post, SPELLINGS, VERSIONS } from './_door.ts';

/** Whatever the door is given, the answer is a result or an error of JSON-RPC, and no bug. */
const SEED = 20_261_121;
const ARGUMENTS_EACH = 3;
const MESSAGES = 150;
const RUN_MS_MAX = 120_000;

describe('the A2A door, given nonsense', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const sample = <T>(what: fc.Arbitrary<T>, numRuns: number): readonly T[] =>
    fc.sample(what, { seed: SEED, numRuns });
  const mustAnswer = (answer: RpcAnswer, given: unknown): void => {
    const place = `${JSON.stringify(given)} ${answer.text.slice(0, 400)}`;
    assert.ok(answer.status === 200 || answer.status === 401, place);
    assert.ok('error' in answer.last !== 'result' in answer.last, place);
    assert.equal(answer.last['jsonrpc'], '2.0', place);
    assert.doesNotMatch(answer.text, /"code":"internal"/, place);
  };

  it('refuses each argument by name and never breaks', async function each() {
    this.timeout(RUN_MS_MAX);
    const names = fc.constantFrom('id', 'owner', 'limit', 'q', 'title', 'amount', 'requester');
    const given = fc.dictionary(names, freeJson, { maxKeys: 4 });
    for (const [skill, operation] of Object.entries(a2aSkills)) {
      // A poll would wait for the full time that it asks for.
      const patience = operationTable[operation].waits === true ? { wait: 0 } : {};
      for (const args of sample(given, ARGUMENTS_EACH)) {
        const whole = { ...args, ...patience };
        mustAnswer(await callSkill(world, '1.0', skill, whole, { by: world.alice }), whole);
      }
    }
  });

  it('answers any JSON at all', async () => {
    for (const body of sample(freeJson, MESSAGES)) {
      mustAnswer(await post(world, JSON.stringify(body)), body);
    }
  });

  it('answers any members of any message in either spelling', async function each() {
    this.timeout(RUN_MS_MAX);
    const names = fc.constantFrom('messageId', 'contextId', 'role', 'parts', 'metadata', 'kind');
    const over = fc.dictionary(names, freeJson, { maxKeys: 2 });
    const part = fc.dictionary(fc.constantFrom('data', 'text', 'kind', 'mediaType'), freeJson);
    const configuration = fc.dictionary(
      fc.constantFrom('acceptedOutputModes', 'historyLength', 'returnImmediately', 'blocking'),
      freeJson,
    );
    const params = fc.record({ over, part, configuration });
    for (const version of VERSIONS) {
      const { send, stream, get } = SPELLINGS[version];
      for (const [index, given] of sample(params, MESSAGES).entries()) {
        const message: Json = messageOf(version, [given.part], given.over);
        const sent = { message, ...(index % 2 === 0 && { configuration: given.configuration }) };
        const method = index % 3 === 0 ? stream : send;
        mustAnswer(await post(world, request(1, method, sent)), sent);
        mustAnswer(await post(world, request(1, get, given.over)), given.over);
      }
    }
  });
});
