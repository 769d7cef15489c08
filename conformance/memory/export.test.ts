import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { validator, operations } from '../harness/contract.ts';
import type { Fixture } from '../harness/fixture.ts';
import { costOf, grantTo, makeSpace, vectors, writeNote } from './space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

type Line = Readonly<Record<string, unknown>>;

hubsOnBothDatabases('memory.export', (open) => {
  const next = vectors(6);
  let world: Fixture;
  before(async () => {
    world = await open();
    await world.fund(world.alice, '10000000');
  });
  const linesOf = async (path: string, who = world.alice): Promise<readonly Line[]> => {
    const answer = await who.get(`${path}/export`);
    assert.equal(answer.status, 200, answer.text);
    return answer.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  };

  it('is the whole space, line by line as declared, and ends by counting, for nothing', async () => {
    const { alice, bob } = world;
    const space = await makeSpace(alice, 'shared');
    mustOk(await grantTo(alice, space, bob.account));
    for (let n = 0; n < 150; n += 1) {
      mustOk(await writeNote(alice, space, `${n} `.padEnd(5000, '.'), { embedding: next() }));
    }
    let lines: readonly Line[] = [];
    assert.equal(await costOf(alice, async () => (lines = await linesOf(space.path))), 0n);
    assert.deepEqual(
      lines.map(({ line }) => line),
      ['space', ...Array.from({ length: 150 }, () => 'note'), 'grant', 'end'],
    );
    assert.deepEqual(lines.at(-1), { line: 'end', notes: 150, grants: 1 });
    assert.deepEqual(
      lines.slice(1, 151).map(({ content }) => parseInt(String(content), 10)),
      Array.from({ length: 150 }, (_, n) => n),
    );
    const declared = operations.find(({ operationId }) => operationId === 'memory.export');
    const schema = at(declared?.responses['200'], 'content', 'application/x-ndjson', 'schema');
    const isDeclared = validator(schema as Line);
    assert.ok(isDeclared(lines), JSON.stringify(isDeclared.errors?.slice(0, 3)));
  });

  it('shows readers the notes and not the grants', async () => {
    const { alice, bob } = world;
    const space = await makeSpace(alice, 'shared');
    mustOk(await writeNote(alice, space, 'shared'));
    mustOk(await grantTo(alice, space, bob.account));
    const lines = await linesOf(space.path, bob);
    assert.deepEqual(lines.at(-1), { line: 'end', notes: 1, grants: 0 });
    assert.equal(lines[0]?.['contentIsUntrusted'], true);
  });

  it('is its first and its last line for an empty space', async () => {
    const space = await makeSpace(world.alice);
    const lines = await linesOf(space.path);
    assert.deepEqual(
      lines.map(({ line }) => line),
      ['space', 'end'],
    );
  });

  it('refuses other accounts and unknown spaces', async () => {
    const space = await makeSpace(world.alice);
    mustRefuse(await world.bob.get(`${space.path}/export`), 400, 'not-granted');
    const nowhere = '/api/v1/memory/spaces/01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90/export';
    mustRefuse(await world.alice.get(nowhere), 404, 'not-found');
    mustRefuse(await world.anyone.get(`${space.path}/export`), 401, 'unsigned');
  });
});
