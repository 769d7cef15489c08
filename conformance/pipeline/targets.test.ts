import assert from 'node:assert/strict';
import { mustCarryHeaders, overWire, type WireAnswer } from '../harness/wire.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

/** Request targets that a URL parser would tidy up: none is taken for another path, none hangs. */
describe('odd request targets', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const get = (target: string): Promise<WireAnswer> =>
    overWire(world.hub.url, {
      method: 'GET',
      target,
      headers: [['Host', new URL(world.hub.url).host]],
    });

  const table: readonly (readonly [string, number, string])[] = [
    ['http://other.example/api/v1/tasks', 404, 'no-route'],
    ['//api/v1/tasks', 404, 'no-route'],
    ['//evil.example/api/v1/tasks', 404, 'no-route'],
    ['/api/v1/tasks/', 404, 'no-route'],
    ['/api/v1//tasks', 404, 'no-route'],
    ['/API/v1/tasks', 404, 'no-route'],
    ['/api/v1/Tasks', 404, 'no-route'],
    ['/api/v1/./tasks', 404, 'no-route'],
    ['/api/v1/x/../tasks', 404, 'no-route'],
    ['/api/v1/t%61sks', 404, 'no-route'],
    ['/api/v1%2Ftasks', 404, 'no-route'],
    ['/api/v1/tasks%00', 404, 'no-route'],
    ['/api/v1/tasks%20', 404, 'no-route'],
    ['/api/v1/tasks;a=1', 404, 'no-route'],
    ['/api/v1/tasks/%00', 400, 'bad-path'],
    ['/api/v1/tasks/%', 400, 'bad-path'],
    ['/api/v1/tasks/%zz', 400, 'bad-path'],
    ['/api/v1/tasks/%E0%A4', 400, 'bad-path'],
    ['/api/v1/tasks/%ED%A0%80', 400, 'bad-path'],
    ['/api/v1/tasks/..', 400, 'bad-path'],
    ['/api/v1/tasks/%2e%2e%2fme', 400, 'bad-path'],
    ['/api/v1/tasks/a%2Fcomments', 400, 'bad-path'],
    ['/api/v1/tasks/__proto__', 400, 'bad-path'],
    [`/api/v1/tasks/${'x'.repeat(8_000)}`, 400, 'bad-path'],
    ['/api/v1/tasks?limit=1&limit=2', 400, 'bad-request'],
    ['/api/v1/tasks?limit=1&%6Cimit=2', 400, 'bad-request'],
    ['/api/v1/tasks?limit[]=1', 400, 'bad-request'],
    ['/api/v1/tasks?limit=+5', 400, 'bad-request'],
    ['/api/v1/tasks?limit=5e1', 400, 'bad-request'],
    ['/api/v1/tasks?limit=0x10', 400, 'bad-request'],
    ['/api/v1/tasks?limit=1.0', 400, 'bad-request'],
    ['/api/v1/tasks?limit=-1', 400, 'bad-request'],
    ['/api/v1/tasks?limit=', 400, 'bad-request'],
    ['/api/v1/tasks?limit', 400, 'bad-request'],
    ['/api/v1/tasks?limit=-99999999999999999999999', 400, 'bad-request'],
    ['/api/v1/tasks?minReward=99999999999999999999999', 400, 'bad-amount'],
    ['/api/v1/tasks?=1', 400, 'bad-request'],
    ['/api/v1/tasks?__proto__=1', 400, 'bad-request'],
    ['/api/v1/tasks?constructor=1', 400, 'bad-request'],
    ['/api/v1/tasks?toString', 400, 'bad-request'],
    ['/api/v1/tasks?skill=%', 400, 'bad-request'],
    ['/api/v1/tasks?skill=%E0%A4%A', 400, 'bad-request'],
    ['/api/v1/tasks?skill=%ED%A0%80', 400, 'bad-request'],
    ['/api/v1/tasks?%ff=1', 400, 'bad-request'],
    [`/api/v1/tasks?${'n'.repeat(8_000)}=1`, 400, 'bad-request'],
    [`/api/v1/tasks?skill=${'n'.repeat(8_000)}`, 400, 'bad-request'],
    ['/api/v1/tasks?a?b', 400, 'bad-request'],
    ['/api/v1/tasks?state=Open', 400, 'unknown-filter'],
    ['/api/v1/tasks?', 200, ''],
    ['/api/v1/tasks?&&', 200, ''],
    ['/api/v1/tasks?skill=a+b%20c', 200, ''],
    ['/api/v1/tasks?skill=%00', 400, 'bad-request'],
    ['/api/v1/tasks?%00=1', 400, 'bad-request'],
    ['/api/v1/tasks?skill=%27%3B--', 200, ''],
    ['/api/v1/tasks?skill=%F0%9F%8F%B4', 200, ''],
    ['/api/v1/tasks?limit=1000000', 200, ''],
    ['/api/v1/tasks?limit=99999999999999999999999', 200, ''],
  ];
  for (const [target, status, code] of table) {
    it(`${target.slice(0, 60)} is ${status} ${code}`, async () => {
      const answer = await get(target);
      const found = [answer.status, answer.body['code'] ?? ''];
      assert.deepEqual(found, [status, code], answer.text.slice(0, 500));
      mustCarryHeaders(answer);
      assert.ok(String(answer.body['error'] ?? '').length <= 2_000);
      assert.ok(String(answer.body['field'] ?? '').length <= 300);
    });
  }

  it('a fragment is no part of a path', async () => {
    assert.equal((await get('/api/v1/tasks#top')).status, 404);
  });
});
