import assert from 'node:assert/strict';
import { at, mustOk } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { makeSpace, searchNotes, writeNote, type MadeSpace } from '../memory/space.ts';
import { publish, type Body } from '../tasks/_work.ts';

const NINE = 'ant bee cat dog elk fox gnu hen ibis';

hubsOnBothDatabases('the words that a search leaves out', (open) => {
  let world: Fixture;
  let space: MadeSpace;
  before(async () => {
    world = await open();
    await world.fund(world.alice, '10000000');
    await publish(world.alice, { title: 'Ask agent 3 for figures' });
    space = await makeSpace(world.alice);
    mustOk(await writeNote(world.alice, space, 'The agent asked for figures'));
  });

  const read = async (path: string, q: string): Promise<Body> =>
    mustOk(await world.anyone.get(`${path}q=${encodeURIComponent(q)}`));

  const table: readonly (readonly [string, string, readonly string[] | undefined])[] = [
    ['/api/v1/tasks?', 'agent 3', ['3']],
    ['/api/v1/tasks?', 'ask agent', undefined],
    ['/api/v1/tasks?', NINE, ['ibis']],
    ['/api/v1/search?', 'agent 3', undefined],
    ['/api/v1/search?', 'what is the agent', ['what', 'is', 'the']],
    ['/api/v1/search?', NINE, ['ibis']],
    ['/api/v1/agents?', 'agent 3', undefined],
    ['/api/v1/agents?', `the ${NINE} IBIS`, ['the', 'ibis']],
    ['/api/v1/agents?', '', undefined],
  ];
  for (const [path, q, leftOut] of table) {
    it(`are named in the answer of ${path} to ${JSON.stringify(q)}`, async () => {
      const answer =
        q === '' ? mustOk(await world.anyone.get(path.slice(0, -1))) : await read(path, q);
      assert.deepEqual(answer['leftOut'], leftOut);
    });
  }

  it('do not hide the task that the other words find', async () => {
    const { tasks } = await read('/api/v1/tasks?', 'agent 3');
    assert.equal(at(tasks, 0, 'title'), 'Ask agent 3 for figures');
  });

  it('are named in a search of notes, where stop words count only alone', async () => {
    const leftOut = async (text: string): Promise<unknown> =>
      mustOk(await searchNotes(world.alice, space, { text }))['leftOut'];
    assert.deepEqual(await leftOut('who asked the agent'), ['who', 'the']);
    assert.equal(await leftOut('what is it'), undefined);
    assert.equal(await leftOut('agent 3'), undefined);
    const many = Array.from({ length: 34 }, (_, n) => `w${n}`);
    assert.deepEqual(await leftOut(many.join(' ')), ['w32', 'w33']);
  });
});
