import assert from 'node:assert/strict';
import { HUB_BPS, JUDGES_BPS } from '../../../domain/tasks/limits.ts';
import { ruleOf, type Condition } from './conditions.ts';
import { EMPTY_DRAFT, faultOf, requestOf, type TaskDraft } from './draft.ts';
import { FEES_BPS, splitOf } from './split.ts';

const condition = (kind: Condition['kind'], text: string, path = ''): Condition => ({
  kind,
  path,
  text,
});
const draft = (change: Partial<TaskDraft>): TaskDraft => ({
  ...EMPTY_DRAFT,
  title: 'Say hello',
  ...change,
});

describe('the bar for judges that a person chooses', () => {
  it('is sent with a panel alone, and only when one is chosen', () => {
    const barOf = (change: Partial<TaskDraft>) =>
      requestOf(draft(change), 'key:a', 'sandbox', 0).minReliabilityBps;
    assert.equal(barOf({ verification: 'validator', reliability: '7000' }), 7_000);
    assert.equal(barOf({ verification: 'validator' }), undefined);
    assert.equal(barOf({ verification: 'requester', reliability: '7000' }), undefined);
  });
});

describe('the terms of work for one worker', () => {
  const KEY = 'key:3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt';
  const offer = { offeredTo: ` ${KEY}, ${KEY} `, offeredFor: '3600' };
  const termsOf = (change: Partial<TaskDraft>) => {
    const { leaseSeconds, renewForSeconds, offeredTo, audience } = requestOf(
      draft(change),
      'key:a',
      'sandbox',
      0,
    );
    return { leaseSeconds, renewForSeconds, offeredTo, audience };
  };
  const all = { lease: '86400', renew: '259200', audience: 'parties', ...offer };

  it('are sent as they are chosen, each account once', () => {
    assert.deepEqual(termsOf(all), {
      leaseSeconds: 86_400,
      renewForSeconds: 259_200,
      offeredTo: { accounts: [KEY], until: '1970-01-01T01:00:00.000Z' },
      audience: 'parties',
    });
    const kept = termsOf({ ...offer, offeredFor: '', offeredThen: 'withdrawn' });
    assert.deepEqual(kept.offeredTo, { accounts: [KEY], then: 'withdrawn' });
  });

  it('are left out of other work, and where none is chosen', () => {
    const none = {
      leaseSeconds: undefined,
      renewForSeconds: undefined,
      offeredTo: undefined,
      audience: undefined,
    };
    assert.deepEqual(termsOf({ ...all, mode: 'open' }), none);
    assert.deepEqual(termsOf({}), none);
    assert.equal(termsOf({ ...all, mode: 'pitch' }).offeredTo, undefined);
  });

  it('say what cannot be before the hub refuses it', () => {
    const fault = (change: Partial<TaskDraft>) => faultOf(draft(change));
    assert.equal(fault(all), undefined);
    assert.equal(fault({ offeredTo: 'Maria' }), 'offeredTo');
    assert.equal(fault({ offeredTo: `${KEY}, javascript:alert(1)` }), 'offeredTo');
    const many = Array.from({ length: 21 }, (_, n) => `${KEY.slice(0, -2)}${11 + n}`).join(',');
    assert.equal(fault({ offeredTo: many.replaceAll('0', '1a') }), 'offeredTo');
    assert.equal(fault({ ...offer, lasts: '3600' }), 'offeredFor');
    assert.equal(fault({ lease: '3600', lasts: '3600' }), 'lease');
    assert.equal(fault({ lease: '86400', renew: '21600' }), 'renew');
    assert.equal(fault({ mode: 'open', lease: '3600', lasts: '3600' }), undefined);
  });
});

describe('conditions that a person types', () => {
  it('make no rule when there are none', () => {
    assert.deepEqual(ruleOf([]), { rule: undefined, faults: [] });
  });

  it('make one rule of each kind', () => {
    const made = [
      condition('contains', 'alpha\n\nbeta'),
      condition('any', 'alpha'),
      condition('equals', '42', '/sum'),
      condition('equals', 'forty-two', 'sum'),
      condition('length', ' 5 ', 'plans'),
      condition('schema', '{"type":"object"}'),
    ].map((each) => ruleOf([each]).rule);
    assert.deepEqual(made, [
      { kind: 'contains', values: ['alpha', 'beta'] },
      { kind: 'contains', mode: 'any', values: ['alpha'] },
      { kind: 'fields', checks: [{ path: '/sum', equals: 42 }] },
      { kind: 'fields', checks: [{ path: 'sum', equals: 'forty-two' }] },
      { kind: 'fields', checks: [{ path: 'plans', minLength: 5 }] },
      { kind: 'json_schema', schema: { type: 'object' } },
    ]);
  });

  it('are joined, checks of places in one rule of fields', () => {
    const { rule } = ruleOf([
      condition('equals', 'true', '/done'),
      condition('contains', 'alpha'),
      condition('length', '3', '/name'),
    ]);
    assert.deepEqual(rule, {
      kind: 'all',
      of: [
        {
          kind: 'fields',
          checks: [
            { path: '/done', equals: true },
            { path: '/name', minLength: 3 },
          ],
        },
        { kind: 'contains', values: ['alpha'] },
      ],
    });
  });

  it('make none while one of them has a fault, and say which', () => {
    const { rule, faults } = ruleOf([
      condition('contains', 'alpha'),
      condition('contains', ' \n '),
      condition('length', '-1', 'a'),
      condition('length', '1000001', 'a'),
      condition('schema', '[]'),
      condition('schema', '{'),
    ]);
    assert.equal(rule, undefined);
    assert.deepEqual(faults, [undefined, 'words', 'number', 'number', 'schema', 'schema']);
  });
});

describe('a task that a person types', () => {
  it('is refused with the first thing that it lacks', () => {
    assert.equal(faultOf(EMPTY_DRAFT), 'title');
    assert.equal(faultOf(draft({ reward: 'much' })), 'reward');
    assert.equal(faultOf(draft({ input: '[1]' })), 'input');
    assert.equal(faultOf(draft({ tags: 'docs, two words' })), 'tags');
    for (const target of ['docs.example', 'ftp://docs.example', 'https://']) {
      assert.equal(faultOf(draft({ target })), 'target');
    }
    assert.equal(faultOf(draft({ conditions: [condition('contains', '')] })), 'conditions');
    assert.equal(faultOf(draft({ verification: 'automatic' })), 'rule');
    assert.equal(faultOf(draft({})), undefined);
  });

  it('becomes a request with nothing in it that was left empty', () => {
    assert.deepEqual(requestOf(draft({ silence: '' }), 'key:abc', 'sandbox', 0), {
      requester: 'key:abc',
      title: 'Say hello',
      verification: 'requester',
      mode: 'exclusive',
      network: 'sandbox',
      disputeWindowSeconds: 86400,
      deadline: '1970-01-08T00:00:00.000Z',
    });
    const full = draft({
      description: 'Greet us.',
      reward: '0.25',
      skills: 'writing, , english',
      input: '{"to":"us"}',
      conditions: [condition('contains', 'hello')],
    });
    const { description, rewardAmount, requiredSkills, input, acceptance, autoAcceptSeconds } =
      requestOf(full, 'key:abc', 'sandbox', 0);
    assert.deepEqual(
      { description, rewardAmount, requiredSkills, input, acceptance, autoAcceptSeconds },
      {
        description: 'Greet us.',
        rewardAmount: '250000',
        requiredSkills: ['writing', 'english'],
        input: { to: 'us' },
        acceptance: { kind: 'contains', values: ['hello'] },
        autoAcceptSeconds: 86400,
      },
    );
  });

  it('is exclusive work with the tag of plans when a plan is to be chosen', () => {
    const request = requestOf(draft({ mode: 'pitch' }), 'key:a', 'sandbox', 0);
    assert.equal(request.mode, 'exclusive');
    assert.deepEqual(request.tags, ['pitch']);
    const tagged = draft({ mode: 'pitch', tags: 'docs, pitch' });
    assert.deepEqual(requestOf(tagged, 'key:a', 'sandbox', 0).tags, ['docs', 'pitch']);
    assert.equal(requestOf(draft({}), 'key:a', 'sandbox', 0).tags, undefined);
  });

  it('divides the reward of open work among several winners, and runs no other window', () => {
    const open = { mode: 'open', reward: '1', winners: 'places' } as const;
    const { shares, verification, disputeWindowSeconds, autoAcceptSeconds } = requestOf(
      draft({ ...open, verification: 'automatic', places: '50, 33.34,16.66' }),
      'key:a',
      'sandbox',
      0,
    );
    assert.deepEqual(
      [shares, verification, disputeWindowSeconds, autoAcceptSeconds],
      [{ places: [5_000, 3_334, 1_666] }, 'requester', 0, undefined],
    );
    const split = requestOf(draft({ ...open, winners: 'split' }), 'key:a', 'sandbox', 0);
    assert.deepEqual(split.shares, { split: true });
    for (const change of [{ mode: 'exclusive' }, { winners: 'one' }, { reward: '' }] as const) {
      assert.equal(
        requestOf(draft({ ...open, ...change }), 'key:a', 'sandbox', 0).shares,
        undefined,
      );
    }
    for (const places of ['', '100', '60, 30', '60, 30, 10.001', '60, x, 40', '99.999, 0.001']) {
      assert.equal(faultOf(draft({ ...open, places })), 'places');
    }
    assert.equal(faultOf(draft({ ...open, places: '60, 30, 10' })), undefined);
  });

  it('names the site that it is about, with a path, and how often a worker may try', () => {
    const request = (change: Partial<TaskDraft>) => requestOf(draft(change), 'key:a', 'sandbox', 0);
    assert.deepEqual(request({ target: 'https://docs.example' }).target, {
      origin: 'https://docs.example',
    });
    assert.deepEqual(request({ target: ' https://docs.example:8443/a/b?q=1 ' }).target, {
      origin: 'https://docs.example:8443',
      paths: ['/a/b'],
    });
    assert.equal(request({ attempts: '1' }).maxAttempts, 1);
    assert.equal(request({}).maxAttempts, undefined);
  });
});

describe('who gets what of a reward', () => {
  it('is shared as the hub shares it, to the unit', () => {
    assert.deepEqual(splitOf('1000999', 'requester'), {
      worker: '970970',
      hub: '30029',
      judges: '0',
    });
    assert.deepEqual(splitOf('1000999', 'validator'), {
      worker: '960961',
      hub: '30029',
      judges: '10009',
    });
  });

  it('uses the fees that the hub puts into new tasks', () => {
    assert.deepEqual(FEES_BPS, { hub: HUB_BPS, judges: JUDGES_BPS });
  });
});
