import assert from 'node:assert/strict';
import { ndjson, sseEvents } from '../../clients/typescript/streams.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import { makeSpace, writeNote } from '../memory/space.ts';
import { answerOf, localProvider, startUpstream, upstreamFile } from '../models/_upstream.ts';
import { chat } from '../models/_desk.ts';

/** Characters at which some reader ends a line: of JSON, these stay in a string as they are. */
const TEXT = 'one\u0085two\u2028three\u2029four\v\f\r\nfive 👍';
const ENDS = /[\v\f\r\u001c-\u001e\u0085\u2028\u2029]/;

describe('an answer of lines (choices pipeline.lines)', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '10000000');
  });
  after(() => world.close());

  it('has one line an item for every reader, in exports as JSON Lines', async () => {
    const space = await makeSpace(world.alice, 'private');
    mustOk(await writeNote(world.alice, space, TEXT));
    const exported = await world.alice.get(`${space.path}/export`);
    const listed = await as('application/x-ndjson', `${space.path}`);
    for (const { text } of [exported, listed]) {
      assert.ok(!ENDS.test(text), text);
      const values: unknown[] = [];
      for await (const value of ndjson(new Response(text))) values.push(value);
      assert.equal(values.filter((each) => at(each, 'content') === TEXT).length, 1, text);
    }
  });

  it('has one line a row in CSV, a line feed within quotes apart', async () => {
    const space = await makeSpace(world.alice, 'private');
    mustOk(await writeNote(world.alice, space, TEXT));
    const { text } = await as('text/csv', space.path);
    assert.ok(!ENDS.test(text.replaceAll('\r\n', '\n')), text);
    assert.ok(
      text.includes('one\\u0085two\\u2028three\\u2029four\\u000b\\u000c\\u000d\nfive'),
      text,
    );
  });

  it('has one line an event in a stream', async () => {
    const upstream = await startUpstream([{ say: TEXT }, ...answerOf(1)]);
    const file = upstreamFile([localProvider(upstream)], [upstream]);
    const desk = await openFixture({ env: file.env });
    try {
      await desk.fund(desk.alice, '10000000');
      const { text } = await chat(desk.alice, { stream: true });
      assert.ok(!ENDS.test(text), text);
      const words: unknown[] = [];
      for await (const { event, data } of sseEvents(new Response(text))) {
        if (event !== 'receipt') words.push(at(JSON.parse(data), 'content'));
      }
      assert.equal(words.join(''), `${TEXT}word0 `);
    } finally {
      await desk.close();
      await upstream.close();
      file.remove();
    }
  });

  async function as(accept: string, path: string): Promise<{ readonly text: string }> {
    const request = await world.alice.signed('GET', path);
    request.headers.set('accept', accept);
    return world.alice.send(request);
  }
});
