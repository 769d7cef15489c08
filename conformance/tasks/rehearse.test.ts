import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { publish, submit, type Body } from './_work.ts';

const RULE = {
  kind: 'all',
  of: [
    { kind: 'fields', checks: [{ path: 'summary', minLength: 10 }] },
    { kind: 'contains', mode: 'all', values: ['October'] },
  ],
};
const GOOD = { summary: 'Prices rose by two percent in October.' };
const SHORT = { summary: 'short' };

describe('tasks.rehearse', () => {
  let world: Fixture;
  const rehearse = async (acceptance: unknown, results: unknown): Promise<Body> =>
    mustOk(await world.anyone.post('/api/v1/tasks/rehearse', { acceptance, results }));
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  it('says of each result whether it passes, and of the others why not', async () => {
    const said = await rehearse(RULE, [GOOD, SHORT, null]);
    assert.deepEqual([said['count'], said['accepted']], [3, 1]);
    assert.deepEqual(at(said, 'verdicts', 0), { accepted: true });
    assert.equal(at(said, 'verdicts', 1, 'accepted'), false);
    assert.equal(at(said, 'verdicts', 1, 'refused', 0, 'rule'), 'fields.minLength');
    assert.equal(at(said, 'verdicts', 1, 'refused', 0, 'path'), '/summary');
    assert.ok(String(at(said, 'verdicts', 2, 'refused', 0, 'text')).length > 0);
  });

  it('judges with a schema as a delivery is judged', async () => {
    const rule = {
      kind: 'json_schema',
      schema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
      description: 'a number',
    };
    const said = await rehearse(rule, [{ n: 1 }, { n: 'one' }, {}]);
    assert.deepEqual(
      [0, 1, 2].map((nth) => at(said, 'verdicts', nth, 'accepted')),
      [true, false, false],
    );
  });

  it('says what the task itself then says', async () => {
    await world.fund(world.alice, '1000000');
    const { id } = await publish(world.alice, { acceptance: RULE });
    const delivered = mustOk(await submit(world.bob, id, SHORT));
    const said = await rehearse(RULE, [SHORT]);
    assert.deepEqual(at(said, 'verdicts', 0, 'refused'), delivered['refused']);
  });

  it('refuses a rule that cannot be judged, and names the place', async () => {
    const acceptance = { kind: 'json_schema', schema: { type: 'nothing' }, description: 'x' };
    const answer = await world.anyone.post('/api/v1/tasks/rehearse', {
      acceptance,
      results: [GOOD],
    });
    const { field } = mustRefuse(answer, 400, 'bad-acceptance');
    assert.match(String(field), /^body\.acceptance/);
  });

  it('takes one to ten results', async () => {
    for (const results of [[], Array.from({ length: 11 }, () => GOOD), 'text', undefined]) {
      const body = { acceptance: RULE, ...(results !== undefined && { results }) };
      const answer = await world.anyone.post('/api/v1/tasks/rehearse', body);
      assert.equal(answer.status, 400, answer.text);
      assert.match(String(answer.body['error']), /results/);
    }
    assert.equal(
      (
        await rehearse(
          RULE,
          Array.from({ length: 10 }, () => GOOD),
        )
      )['accepted'],
      10,
    );
  });
});
