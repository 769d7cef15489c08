import assert from 'node:assert/strict';
import { ATTEMPTS_MAX, measure, measureAt, WINDOW_HOURS, type MeasuredAttempt } from './measure.ts';

const attempt = (callId: string, more: Partial<MeasuredAttempt> = {}): MeasuredAttempt => ({
  callId,
  provider: 'acme',
  ok: true,
  tokens: 0,
  tokensMs: 0,
  ...more,
});
const fast = (callId: string, firstTokenMs: number) => attempt(callId, { firstTokenMs });
const spoke = (callId: string, tokens: number, tokensMs: number, ok = true) =>
  attempt(callId, { tokens, tokensMs, ok });

describe('how a model did', () => {
  it('covers a thousand attempts of a day', () => {
    assert.deepEqual([WINDOW_HOURS, ATTEMPTS_MAX], [24, 1_000]);
  });

  it('has no figure of what was not measured', () => {
    assert.deepEqual(measure([]), { calls: 0, windowHours: 24 });
    const unmeasured = [attempt('a'), spoke('b', 1, 500), spoke('c', 9, 0)];
    assert.deepEqual(measure(unmeasured), { calls: 3, windowHours: 24, uptime: 1 });
  });

  it('counts a call as answered when one of its providers answered', () => {
    const fails = (callId: string) => attempt(callId, { ok: false });
    const attempts = [fails('a'), attempt('a'), attempt('b'), fails('b'), fails('c')];
    assert.deepEqual(measure(attempts), { calls: 3, windowHours: 24, uptime: 0.6667 });
    assert.equal(measure([fails('a')]).uptime, 0);
  });

  it('takes the middle of the times to the first token, of answers alone', () => {
    const failed = attempt('d', { ok: false, firstTokenMs: 1 });
    const times = [fast('a', 900), fast('b', 20.4), fast('c', 100.6), failed];
    assert.equal(measure(times).firstTokenMs, 101);
    assert.equal(measure([fast('a', 0), failed]).firstTokenMs, 0);
  });

  it('takes the pace of answers from their second token on', () => {
    assert.equal(measure([spoke('a', 2, 300)]).tokensPerSecond, 3.3);
    const paces = [spoke('a', 11, 1_000), spoke('b', 101, 1_000), spoke('c', 3, 1_000)];
    assert.equal(measure([...paces, spoke('d', 9_999, 1, false)]).tokensPerSecond, 10);
  });

  it('counts each provider for itself, also where another one answered the call', () => {
    const at = (provider: string, ok: boolean, firstTokenMs?: number) =>
      attempt('a', { provider, ok, ...(firstTokenMs !== undefined && { firstTokenMs }) });
    const attempts = [at('acme', false), at('dear', true, 90), at('acme', true, 40.4)];
    assert.deepEqual(measureAt(attempts, 'acme'), { asked: 2, answered: 0.5, firstTokenMs: 40 });
    assert.deepEqual(measureAt(attempts, 'dear'), { asked: 1, answered: 1, firstTokenMs: 90 });
    assert.deepEqual(measureAt(attempts, 'none'), { asked: 0 });
  });
});
