import assert from 'node:assert/strict';
import { parseAccount } from '../account.ts';
import { instant } from '../instant.ts';
import {
  afterAttempt,
  DISABLED_AFTER_MS,
  faultOf,
  RETRY_DELAYS_MS,
  retryAfterMs,
  type AfterAttempt,
} from './attempt.ts';
import { messageId, signedText } from './message.ts';
import { wants } from './webhook.ts';

const AT = instant(1_800_000_000_000);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NEW = { failures: 0, failingSince: undefined, paceMs: 0 };
const FAILED = { status: 500, durationMs: 100 };
const ACCOUNT = parseAccount(`key:${'1'.repeat(32)}`) ?? assert.fail('an account');

describe('the rules of webhooks', () => {
  it('settles an event with any status from 200 to 299 and no other', () => {
    for (const status of [200, 204, 299]) {
      const after = afterAttempt({ ...NEW, failures: 3 }, { status, durationMs: 4 }, AT, 0.5);
      assert.deepEqual([after.outcome, after.isSettled, after.failures], ['delivered', true, 0]);
      assert.equal(after.failingSince, undefined);
    }
    for (const status of [199, 300, 302, 404, 500]) {
      const after = afterAttempt(NEW, { status, durationMs: 4 }, AT, 0.5);
      assert.deepEqual([after.outcome, after.isSettled, after.failures], ['failed', false, 1]);
      assert.equal(faultOf({ status, durationMs: 4 }), `The address answered ${status}.`);
    }
  });

  it('retries over about three days, and goes on with the next event after that', () => {
    let webhook: Pick<AfterAttempt, 'failures' | 'failingSince' | 'paceMs'> = NEW;
    let at: number = AT;
    const waits: number[] = [];
    for (;;) {
      const after = afterAttempt(webhook, FAILED, instant(at), 0.5);
      webhook = after;
      if (after.isSettled) {
        assert.deepEqual([after.outcome, after.failures, after.state], ['dead', 0, 'active']);
        break;
      }
      waits.push(after.nextAt - at);
      at = after.nextAt;
    }
    assert.deepEqual(waits, RETRY_DELAYS_MS);
    assert.ok(at - AT > 2.9 * DAY && at - AT < 3.1 * DAY, `${(at - AT) / DAY} days`);
    assert.equal(webhook.failingSince, AT);
  });

  it('spreads retries by a tenth to either side', () => {
    const waits = [0, 1].map((chance) => afterAttempt(NEW, FAILED, AT, chance).nextAt - AT);
    assert.deepEqual(waits, [4_500, 5_500]);
  });

  it('waits as long as the receiver wishes, within six hours, and never shorter than its own', () => {
    const waits = [1, 60, 86_400 * 30].map((seconds) => {
      const result = { status: 503, durationMs: 1, retryAfterMs: seconds * 1_000 };
      return afterAttempt(NEW, result, AT, 0.5).nextAt - AT;
    });
    assert.deepEqual(waits, [5_000, 60_000, 6 * HOUR]);
    assert.equal(retryAfterMs('120', AT), 120_000);
    assert.equal(retryAfterMs('Fri, 15 Jan 2027 08:01:00 GMT', AT), 60_000);
    assert.equal(retryAfterMs('Fri, 15 Jan 2016 08:01:00 GMT', AT), 0);
    for (const bad of [undefined, '', '-1', 'soon', '9'.repeat(30)]) {
      assert.equal(retryAfterMs(bad, AT), undefined, bad);
    }
  });

  it('disables at 410, and where an event dies after five days without a delivery', () => {
    const gone = afterAttempt(NEW, { status: 410, durationMs: 1 }, AT, 0.5);
    assert.deepEqual([gone.state, gone.isSettled], ['disabled', false]);
    assert.match(gone.why ?? '', /410/);
    const last = { ...NEW, failures: RETRY_DELAYS_MS.length, failingSince: AT };
    const early = afterAttempt(
      { ...last, failures: 2 },
      FAILED,
      instant(AT + 2 * DISABLED_AFTER_MS),
      0.5,
    );
    assert.deepEqual([early.state, early.outcome], ['active', 'failed']);
    const states = [-1, 0].map((ms) => {
      const after = afterAttempt(last, FAILED, instant(AT + DISABLED_AFTER_MS + ms), 0.5);
      return [after.state, after.isSettled];
    });
    assert.deepEqual(states, [
      ['active', true],
      ['disabled', true],
    ]);
  });

  it('averages the duration of attempts, so that one slow answer counts for several', () => {
    let paceMs = 100;
    const paces = [15_000, 50, 50, 50, 50, 50, 50, 50, 50, 50].map((durationMs) => {
      ({ paceMs } = afterAttempt({ ...NEW, paceMs }, { status: 200, durationMs }, AT, 0.5));
      return paceMs;
    });
    assert.equal(paces.filter((pace) => pace > 1_000).length, 5, paces.join(' '));
  });

  it('sends kinds that were asked for, by their name or their first word', () => {
    assert.ok(wants({ types: [] }, 'task.claimed'));
    assert.ok(wants({ types: ['task'] }, 'task.claimed'));
    assert.ok(wants({ types: ['money.in', 'task.claimed'] }, 'task.claimed'));
    assert.ok(!wants({ types: ['task'] }, 'tasks.claimed'));
    assert.ok(!wants({ types: ['task.claimed'] }, 'task.claimedtwice'));
    assert.ok(!wants({ types: ['money.in'] }, 'money.out'));
  });

  it('gives each event one id, which holds no full stop', () => {
    const ids = [
      messageId(ACCOUNT, 'events', 1),
      messageId(ACCOUNT, 'events', 2),
      messageId(ACCOUNT, 'sandbox', 1),
    ];
    assert.equal(new Set(ids).size, 3);
    for (const id of ids) assert.match(id, /^msg_[0-9a-f]{32}$/);
    assert.equal(messageId(ACCOUNT, 'events', 1), ids[0]);
    assert.equal(signedText({ id: 'msg_1', kind: 'a', body: '{}' }, 12), 'msg_1.12.{}');
  });
});
