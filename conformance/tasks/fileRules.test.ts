import assert from 'node:assert/strict';
import { putFile } from '../files/file.ts';
import type { Agent } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { act, claim, publish } from './_work.ts';

const ROWS = {
  kind: 'json_schema',
  schema: {
    type: 'object',
    required: ['rows'],
    properties: { rows: { type: 'array', minItems: 2 } },
  },
};
const RULE = {
  kind: 'files',
  max: 2,
  checks: [
    { name: 'rows.json', mediaTypes: ['application/json'], contents: ROWS },
    { maxBytes: 2_000_000 },
  ],
};

describe('acceptance rules about files', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    for (const agent of [world.alice, world.bob]) await world.fund(agent, '20000000');
  });
  after(() => world.close());

  it('accept a result by name, type, size, number and contents, and pay for it', async () => {
    const { alice, bob } = world;
    const { id } = await publish(alice, { acceptance: RULE, disputeWindowSeconds: 0 });
    const good = await stored(bob, 'out/rows.json', '{"rows": [1, 2]}');
    const more = await stored(bob, 'out/plot.png', 'x'.repeat(1_500_000));
    const claimToken = await claim(bob, id);
    const files = [{ ...good, mediaType: 'application/json' }, more];
    const done = mustOk(await act(bob, id, 'submit', { claimToken, result: 'see it', files }));
    assert.deepEqual([done['outcome'], at(done, 'state')], ['accepted', 'paid']);
  });

  it('say what each refused file lacks, and leave it to its owner', async () => {
    const { alice, bob, anyone } = world;
    const { id } = await publish(alice, { acceptance: RULE, maxAttempts: 10 });
    const refusedWith = async (files: readonly object[], rule: string): Promise<void> => {
      const claimToken = await claim(bob, id);
      const body = { claimToken, result: 'see it', ...(files.length > 0 && { files }) };
      const { outcome, refused } = mustOk(await act(bob, id, 'submit', body));
      assert.deepEqual([outcome, at(refused, 0, 'rule')], ['refused', rule]);
    };
    await refusedWith([], 'files.name');
    const short = await stored(bob, 'bad/rows.json', '{"rows": [1]}');
    await refusedWith([short], 'files.mediaType');
    const json = { ...short, mediaType: 'application/json' };
    await refusedWith([json], 'json_schema.minItems');
    const large = { rows: Array.from({ length: 40_000 }, () => 'seven') };
    const over = await stored(bob, 'large/rows.json', JSON.stringify(large));
    await refusedWith([{ ...over, mediaType: 'application/json' }], 'files.contents');
    const [a, b] = [await stored(bob, 'a', 'a'), await stored(bob, 'b', 'b')];
    await refusedWith([json, a, b], 'files.max');
    mustRefuse(await anyone.get(`/api/v1/tasks/${id}/files/${short.sha256}`), 404, 'not-found');
    mustOk(await bob.post(`/api/v1/files/${bob.account}/bad%2Frows.json/delete`, {}));
  });

  it('are refused for the answer of a call, which has no files', async () => {
    const { alice } = world;
    const body = {
      caller: alice.account,
      operation: 'anything',
      arguments: {},
      accept: { kind: 'files', min: 1 },
    };
    mustRefuse(await alice.post('/api/v1/call', body), 400, 'bad-acceptance');
  });
});

async function stored(owner: Agent, key: string, content: string) {
  const { sha256 } = mustOk(await putFile(owner, key, content));
  return { owner: owner.account, key, sha256: String(sha256) };
}
