import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustRefuse } from '../harness/must.ts';
import { HOLD_MS_MAX, holdOf } from './loopDelay.ts';

interface Fault {
  readonly field: string;
  readonly code: string;
  readonly message: string;
  readonly allowed?: readonly string[];
  readonly nearest?: string;
}
const BYTES_MAX = 20_000;

describe('the faults of a refused call', () => {
  let world: Fixture;
  before(async () => (world = await openFixture()));
  after(() => world.close());

  const faultsOf = async (path: string, body: unknown): Promise<readonly Fault[]> => {
    const answer = await world.alice.post(path, body);
    assert.equal(answer.status, 400, answer.text);
    assert.ok(answer.text.length < BYTES_MAX, `${answer.text.length} bytes`);
    const faults = (answer.body['faults'] ?? []) as readonly Fault[];
    const [first] = faults;
    assert.deepEqual(
      [first?.field, first?.code],
      [answer.body['field'], answer.body['code']],
      answer.text,
    );
    return faults;
  };
  const places = (faults: readonly Fault[]): readonly string[] =>
    faults.map(({ field }) => field).sort();

  it('are all of them in one answer', async () => {
    const faults = await faultsOf('/api/v1/tasks', {
      requestor: world.alice.account,
      title: 7,
      amount: '1000',
      deadline: 'tomorrow',
      max_attempts: 2,
      mode: 'opened',
      tags: ['a', 5],
    });
    assert.deepEqual(places(faults), [
      ...['body.amount', 'body.deadline', 'body.max_attempts', 'body.mode'],
      ...['body.requester', 'body.requestor', 'body.tags[1]', 'body.title'],
    ]);
    const nearest = faults.flatMap((each) => (each.nearest ? [[each.field, each.nearest]] : []));
    assert.deepEqual(nearest.sort(), [
      ['body.amount', 'rewardAmount'],
      ['body.max_attempts', 'maxAttempts'],
      ['body.requestor', 'requester'],
    ]);
    const unknown = faults.find(({ field }) => field === 'body.amount');
    assert.ok(unknown?.allowed?.includes('rewardAmount'));
    assert.match(unknown?.message ?? '', /nearest is rewardAmount/);
  });

  it('are those of the query and of the body', async () => {
    const path = `/api/v1/wallet/${world.alice.account}/pay?colour=red`;
    const faults = await faultsOf(path, { amount: 5, idempotencyKey: 'a' });
    assert.ok(places(faults).includes('query.colour'));
    assert.ok(places(faults).includes('body.amount'), JSON.stringify(faults));
  });

  it('are in words, and never a pattern', async () => {
    const faults = await faultsOf('/api/v1/tasks', {
      requester: 'alice',
      title: 'A page',
      rewardAmount: '1.5',
      deadline: '12 o’clock',
    });
    assert.equal(faults.length, 3);
    for (const { message } of faults) assert.doesNotMatch(message, /pattern|\^|\[0-9/);
    const amount = faults.find(({ field }) => field === 'body.rewardAmount');
    assert.match(amount?.message ?? '', /written like "1000000"; got "1\.5"/);
  });

  it('judge the value of an unknown name as one of the nearest name', async () => {
    const faults = await faultsOf('/api/v1/tasks', {
      requester: world.alice.account,
      title: 'A page',
      reward_amount: 1_000,
      deadline: '2027-01-01T00:00:00Z',
      max_attempts: '2',
      maxAttempts: 3,
    });
    const unknown = ['body.max_attempts', 'body.reward_amount'];
    assert.deepEqual(places(faults), [...unknown, 'body.rewardAmount'].sort());
    const amount = faults.find(({ field }) => field === 'body.rewardAmount');
    assert.match(amount?.message ?? '', /must be string, written like "1000000"; got 1000\./);
  });

  it('are those of the kind of rule, or of the type, that was meant', async () => {
    const rules = [{ kind: 'contains', texts: ['a'] }, { kind: 'no' }];
    const faults = await faultsOf('/api/v1/tasks/rehearse', {
      acceptance: { kind: 'all', of: rules },
      results: 'a',
    });
    assert.deepEqual(places(faults), [
      ...['body.acceptance.of[0].texts', 'body.acceptance.of[0].values'],
      ...['body.acceptance.of[1].kind', 'body.results'],
    ]);
    const table = await faultsOf('/api/v1/games/poker/tables', {
      format: 'cash',
      bigBlind: -2,
      smallBlind: true,
    });
    const blinds = table.filter(({ field }) => /Blind$/.test(field)).map(({ message }) => message);
    assert.match(blinds.sort().join(' '), /bigBlind must be >= 0.* string or integer; got true/);
  });

  it('name a nested place, and the names of its object', async () => {
    const step = { title: 'One', description: 'A step.', reward: '5' };
    const faults = await faultsOf('/api/v1/chains', {
      requester: world.alice.account,
      title: 'Two',
      steps: [step, { ...step, titel: 'x' }],
    });
    const nested = faults.find(({ field }) => field === 'body.steps[1].titel');
    assert.equal(nested?.nearest, 'title', JSON.stringify(faults));
    assert.ok(nested.allowed?.includes('rewardAmount'));
  });

  it('are twenty at most, of few bytes, whatever is sent', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, n) => [`${'x'.repeat(n % 40)}${n}`, n]),
    );
    assert.equal((await faultsOf('/api/v1/tasks', many)).length, 20);
    const long = { [`title${'e'.repeat(100_000)}`]: 'a', title: 'b'.repeat(100_000) };
    const [first] = await faultsOf('/api/v1/tasks', long);
    assert.ok(first !== undefined && first.message.length <= 300);
    const steps = Array.from({ length: 3_000 }, () => ({ titel: 1 }));
    assert.ok((await faultsOf('/api/v1/chains', { steps })).length <= 20);
  });

  it('take the event loop no longer than other work', async () => {
    const names = Array.from({ length: 16_000 }, (_, n) => [`reward_${n}`, n] as const);
    const rules = Array.from({ length: 400 }, () => ({ kind: 'all', rules: [{ kind: 'no' }] }));
    const bodies: readonly (readonly [string, unknown])[] = [
      ['/api/v1/tasks', Object.fromEntries(names)],
      ['/api/v1/tasks', { acceptance: { kind: 'all', rules }, tags: names.map(([name]) => name) }],
      [
        '/api/v1/games/poker/tables',
        { ...Object.fromEntries(names), bigBlind: -1, format: 'cash' },
      ],
      ['/api/v1/chains', { steps: names.slice(0, 5_000).map(() => ({ titel: 1 })) }],
    ];
    for (const [path, body] of bodies) {
      const held = await holdOf(async () => {
        const request = await world.alice.signed('POST', path, body);
        return () => fetch(request).then((answer) => answer.text());
      });
      assert.ok(held <= HOLD_MS_MAX, `${path} held it for ${held} ms`);
    }
  });

  it('are in the answers of the doors', async () => {
    const rpc = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'publish-task', arguments: { titel: 'A', amount: '5' } },
    };
    const answer = await world.alice.post('/mcp', rpc);
    assert.match(answer.text, /body\.titel/);
    assert.match(answer.text, /nearest[^,]*title/);
  });

  it('are absent where a refusal is about neither query nor body', async () => {
    const refused = await world.alice.get('/api/v1/tasks/01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90');
    mustRefuse(refused, 404, 'not-found');
    assert.equal(at(refused.body, 'faults'), undefined);
  });
});
