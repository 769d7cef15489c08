import assert from 'node:assert/strict';
import { familyOf, OUTSIDE_REASONS, parseReason, REASONS } from './reasons.ts';
import { commitmentId, transferId } from './transfer.ts';

describe('reasons', () => {
  it('are those of their families, and no name that every object has', () => {
    assert.ok(REASONS.includes('pay') && REASONS.includes('task.escrow'));
    for (const reason of REASONS) assert.equal(parseReason(reason), reason);
    for (const text of ['constructor', 'task', '']) assert.equal(parseReason(text), undefined);
  });

  it('touch the outside only where money enters or leaves', () => {
    const outside = REASONS.filter((reason) => familyOf(reason) === 'in-out');
    assert.deepEqual(OUTSIDE_REASONS, outside);
    assert.ok(outside.includes('deposit') && outside.includes('withdraw'));
    assert.ok(!outside.some((reason) => ['pay', 'adjust', 'loan.advance'].includes(reason)));
  });
});

describe('ids of transfers and commitments', () => {
  const uuid = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';

  it('are lower-case UUIDs', () => {
    assert.equal(transferId(uuid), uuid);
    assert.equal(commitmentId(uuid), uuid);
  });

  for (const text of [uuid.toUpperCase(), `x${uuid}`, `${uuid}0`, uuid.slice(1), '']) {
    it(`reject "${text}"`, () => {
      const name = 'RangeError';
      assert.throws(() => transferId(text), { name, message: `not a transfer id: ${text}` });
      assert.throws(() => commitmentId(text), { name, message: `not a commitment id: ${text}` });
    });
  }
});
