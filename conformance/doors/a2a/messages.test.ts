import assert from 'node:assert/strict';
import { a2aSkills } from '../../../generated/doors.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { request, type Json } from '../mcp/_door.ts';
import { messageOf, mustError, mustMessage, post, resultOf, SPELLINGS, VERSIONS } from './_door.ts';

/** Messages that ask for nothing by the grammar: the protocol's errors, each naming its place. */
const PARAMS = -32_602;
const CONTENT_TYPE = -32_005;
const PUSH = -32_003;
const PART = 'message.parts[0]';
const SKILLS = Object.keys(a2aSkills);
const DEEP = '['.repeat(10_000);

for (const version of VERSIONS) {
  describe(`a message over A2A ${version}`, () => {
    let world: Fixture;
    before(async () => {
      world = await openFixture();
    });
    after(() => world.close());

    const { send, header } = SPELLINGS[version];
    const asking = (params: unknown) => post(world, request(1, send, params), { headers: header });
    const refused = async (params: unknown, code = PARAMS): Promise<Json> =>
      mustError(await asking(params), version, code);
    const withPart = (part: Json, over: Json = {}) => ({
      message: messageOf(version, [part], over),
    });

    it('is answered with all twenty skills, and how to name one, when it names none', async () => {
      for (const part of [
        { text: '{"skill":"hello"}' },
        { data: { skill: 'nosuch', arguments: {} } },
        { data: { skill: '__proto__' } },
        { data: { skill: 7 } },
        { data: {} },
      ]) {
        const { skills, hint } = await refused(withPart(part));
        assert.deepEqual(skills, SKILLS, JSON.stringify(part));
        assert.match(String(hint), /"skill": NAME, "arguments": OBJECT/);
      }
      const byMetadata = withPart({ data: {} }, { metadata: { skillId: 'toString' } });
      const { skills, field } = await refused(byMetadata);
      assert.deepEqual([skills, field], [SKILLS, 'metadata.skillId']);
    });

    it('is answered with a message that names the skills when it is in free words', async () => {
      for (const text of [
        'hello, what can you do?',
        '',
        'tasks.list',
        'list-tasks limit=3',
        'wallet please',
      ]) {
        const message = resultOf(await asking(withPart({ text })));
        const [part] = message['parts'] as readonly Json[];
        const hint = String(part?.['text']);
        for (const skill of SKILLS) assert.ok(hint.includes(skill), `${text}: ${skill}`);
        assert.match(hint, /"skill": NAME, "arguments": OBJECT/);
        const [, name = '', given = ''] = /For example: (\S+) (\{.*\})/.exec(hint) ?? [];
        mustMessage(await asking(withPart({ text: `${name} ${given}` })));
      }
    });

    it('is refused with the place when its shape is wrong', async () => {
      const usual = { text: 'list-tasks' };
      const cases: readonly (readonly [Json, string])[] = [
        [{}, 'message'],
        [{ message: [] }, 'message'],
        [withPart(usual, { messageId: undefined }), 'message.messageId'],
        [withPart(usual, { messageId: '' }), 'message.messageId'],
        [withPart(usual, { role: 'ROLE_AGENT' }), 'message.role'],
        [withPart(usual, { role: 'agent' }), 'message.role'],
        [withPart(usual, { parts: {} }), 'message.parts'],
        [withPart(usual, { parts: [] }), 'message.parts'],
        [{ message: messageOf(version, [usual, usual]) }, 'message.parts'],
        [withPart(usual, { parts: ['list-tasks'] }), PART],
        [withPart(usual, { contextId: 7 }), 'message.contextId'],
        [withPart(usual, { contextId: 'c'.repeat(257) }), 'message.contextId'],
        [withPart(usual, { taskId: {} }), 'message.taskId'],
        [withPart(usual, { metadata: 'skillId' }), 'message.metadata'],
        [{ ...withPart(usual), metadata: { skillId: 7 } }, 'metadata.skillId'],
        [
          { ...withPart({ data: {} }, { metadata: { skillId: 'a' } }), metadata: { skillId: 'b' } },
          'message.metadata.skillId',
        ],
        [withPart({ data: [] }), `${PART}.data`],
        [withPart({ data: 'list-tasks' }), `${PART}.data`],
        [withPart({ data: { skill: 'list-tasks', arguments: [] } }), `${PART}.data.arguments`],
        [withPart({ data: { skill: 'list-tasks', limit: 3 } }), `${PART}.data.limit`],
        [withPart({ text: 7 }), `${PART}.text`],
        [withPart({ text: 'list-tasks [3]' }), `${PART}.text`],
        [withPart({ text: 'list-tasks {"limit":1,"limit":2}' }), `${PART}.text`],
        [withPart({ text: `list-tasks ${DEEP}` }), `${PART}.text`],
        [
          { ...withPart(usual), configuration: { historyLength: -1 } },
          'configuration.historyLength',
        ],
        [{ ...withPart(usual), configuration: [] }, 'configuration'],
        [
          { ...withPart(usual), configuration: { acceptedOutputModes: 'application/json' } },
          'configuration.acceptedOutputModes',
        ],
      ];
      for (const [params, field] of cases) {
        assert.equal((await refused(params))['field'], field, JSON.stringify(params).slice(0, 200));
      }
    });

    it('is answered with its own error when it asks for an unsupported feature', async () => {
      const usual = withPart({ text: 'list-tasks' });
      const push = { url: 'https://agent.example/hook' };
      const configuration = { taskPushNotificationConfig: push, pushNotificationConfig: push };
      await refused({ ...usual, configuration }, PUSH);
      const image = { acceptedOutputModes: ['image/png'] };
      await refused({ ...usual, configuration: image }, CONTENT_TYPE);
      const files: readonly Json[] =
        version === '1.0'
          ? [{ raw: 'aGVsbG8=' }, { url: 'https://agent.example/a' }]
          : [{ kind: 'file', file: { bytes: 'aGVsbG8=' } }];
      for (const file of files) {
        const message = { ...messageOf(version, []), parts: [file] };
        assert.equal((await refused({ message }, CONTENT_TYPE))['field'], PART);
      }
    });

    it('is taken with fields that mean nothing here', async () => {
      const part = { text: 'list-tasks', metadata: { note: 'x' }, mediaType: 'text/plain' };
      const over = { extensions: ['https://agent.example/e'], referenceTaskIds: ['x'], taskId: '' };
      const params = { tenant: '', ...withPart(part, over), metadata: { trace: 1 } };
      mustMessage(await asking(params));
    });
  });
}

describe('a part over A2A 1.0', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  it('has one content, of a media type that can hold a call', async () => {
    const asked = async (part: Json, code: number): Promise<unknown> => {
      const message = messageOf('1.0', [part]);
      const answer = await post(world, request(1, 'SendMessage', { message }));
      return mustError(answer, '1.0', code)['field'];
    };
    const data = { skill: 'list-tasks' };
    assert.equal(await asked({ data, text: 'list-tasks' }, PARAMS), PART);
    assert.equal(await asked({ kind: 'text' }, PARAMS), PART);
    const mediaType = `${PART}.mediaType`;
    assert.equal(await asked({ data, mediaType: 'application/xml' }, CONTENT_TYPE), mediaType);
    assert.equal(await asked({ text: 'x', mediaType: 'text/html' }, CONTENT_TYPE), mediaType);
    assert.equal(await asked({ data, mediaType: 7 }, PARAMS), mediaType);
  });
});
