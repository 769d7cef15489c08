import assert from 'node:assert/strict';
import { houseAccount } from '../account.ts';
import { instant } from '../instant.ts';
import { atomic } from '../money.ts';
import { isRefused, type Refused } from './change.ts';
import { at, DAY, draft, T0, type Over } from './fixture.ts';
import { publish } from './publish.ts';

const mustFail = (is: Refused, over: Over, now = T0): void =>
  assert.deepEqual(publish(draft(over), 'task', now), is);
const taken = (over: Over, now = T0): boolean => !isRefused(publish(draft(over), 'task', now));

describe('a publication is refused', () => {
  it('is one with a description or an input that is too long, counted in bytes', () => {
    const long: Refused = {
      refused: 'body-too-large',
      why: 'The description is over 16384 bytes.',
      field: 'body.description',
    };
    mustFail(long, { description: `${'é'.repeat(8_192)}x` });
    assert.ok(taken({ description: 'é'.repeat(8_192) }));
    const much: Refused = {
      refused: 'body-too-large',
      why: 'The input is over 65536 bytes.',
      field: 'body.input',
    };
    const around = '{"a":""}'.length;
    mustFail(much, { input: { a: 'x'.repeat(65_537 - around) } });
    assert.ok(taken({ input: { a: 'x'.repeat(65_536 - around) } }));
  });

  it('is one with a deadline that is too soon or too late', () => {
    const is = (first: string, last: string): Refused => ({
      refused: 'deadline',
      why: `The deadline must lie between ${first} and ${last}.`,
      field: 'body.deadline',
    });
    const often = is('2027-01-15T08:05:00.000Z', '2027-04-15T08:00:00.000Z');
    mustFail(often, { deadline: instant(at(300) - 1) });
    mustFail(often, { deadline: instant(at(90 * DAY + 1)) });
    for (const later of [300, 90 * DAY]) assert.ok(taken({ deadline: at(later) }));
    const now = instant(T0 + 900);
    assert.ok(taken({ deadline: instant(at(300) + 900) }, now), 'cut to its second');
  });

  it('is one with a reward below the least', () => {
    const is: Refused = {
      refused: 'reward-too-small',
      why: 'The least reward is 1000 atomic units.',
      field: 'body.rewardAmount',
    };
    mustFail(is, { rewardAmount: atomic(999n) });
    assert.ok(taken({ rewardAmount: atomic(1_000n) }));
  });

  it('is one with a tag of the hub, however it is written', () => {
    const tags = ['starter', 'Demand', ' trial ', 'bonus:welcome', 'BOARD', 'ｈouse', 'sandbox:x'];
    for (const tag of tags) {
      const shown = tag.toLowerCase();
      const is: Refused = {
        refused: 'unknown-field-value',
        why: `The tag ${shown} marks tasks of the hub itself; leave it out.`,
        field: 'body.tags',
        hint: 'Send the call again without this tag.',
      };
      mustFail(is, { tags: ['data', tag] });
      assert.ok(taken({ tags: [tag], isHouse: true }));
      assert.ok(taken({ tags: [tag], requester: houseAccount('hub:board') }));
    }
    for (const tag of ['starters', 'my-house', 'demand-side', 'x:board']) {
      assert.ok(taken({ tags: [tag] }), tag);
    }
    assert.ok(!taken({ tags: ['house'], isHouse: false }));
  });

  it('is one that is a discussion with a reward', () => {
    const is: Refused = {
      refused: 'thread-only',
      why: 'A task tagged `thread` is a discussion and carries no reward.',
      field: 'body.rewardAmount',
      hint: 'Send the call again without rewardAmount, or without the tag.',
    };
    mustFail(is, { tags: ['thread'] });
    assert.ok(taken({ tags: ['thread'], unpaid: true }));
  });

  it('is one that is an open task that takes pitches', () => {
    const is: Refused = {
      refused: 'wrong-mode',
      why: 'A task tagged `pitch` is exclusive: one worker is chosen for it.',
      field: 'body.mode',
      allowed: ['exclusive'],
      hint: 'Send the call again without mode, or without the tag.',
    };
    mustFail(is, { tags: ['pitch'], mode: 'open' });
    assert.ok(taken({ tags: ['pitch'], mode: 'exclusive' }));
    assert.ok(taken({ tags: ['data'], mode: 'open' }));
  });

  it('is one that takes pitches and has shares, with or without a mode', () => {
    const divided = { tags: ['pitch'], shares: { places: [10_000] } };
    const is: Refused = {
      refused: 'wrong-mode',
      why: 'A task tagged `pitch` is exclusive: one worker is chosen for it.',
      field: 'body.shares',
      hint: 'Send the call again without shares, or without the tag.',
    };
    mustFail(is, divided);
    mustFail(is, { ...divided, mode: 'open' });
    assert.ok(taken({ tags: ['pitch'] }));
    assert.ok(taken({ ...divided, tags: [] }));
  });

  it('is one with automatic verification and no rule', () => {
    mustFail(
      {
        refused: 'acceptance-required',
        why: 'Automatic verification needs an acceptance rule.',
        field: 'body.acceptance',
        allowed: ['all', 'json_schema', 'fields', 'contains', 'files'],
      },
      { verification: 'automatic', minReliabilityBps: 1 },
    );
  });

  it('is one with a bar for judges where no panel judges', () => {
    const acceptance = { kind: 'contains', values: ['x'] } as const;
    for (const verification of ['automatic', 'requester'] as const) {
      mustFail(
        {
          refused: 'not-together',
          why: `No panel judges a task whose verification is ${verification}; send verification validator, or leave minReliabilityBps out.`,
          field: 'body.minReliabilityBps',
        },
        { verification, minReliabilityBps: 0, acceptance },
      );
      assert.ok(taken({ verification, acceptance }));
    }
    assert.ok(taken({ verification: 'validator', minReliabilityBps: 0 }));
  });
});
