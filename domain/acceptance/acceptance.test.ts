import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import vectors from '../../spec/vectors/acceptance.json' with { type: 'json' };
import { canonical } from '../json.ts';
import { checkRule } from './checkRule.ts';
import { madeSchema } from './fixture.ts';
import { judge } from './judge.ts';
import { usesSchema } from './rule.ts';
import type { AcceptanceRule, JsonSchemaRule, Refusal, Verdict } from './rule.ts';
import { containsText, normalText } from './text.ts';
import { identity, jsonEqual, preview } from './values.ts';

interface VerdictVector {
  readonly case: string;
  readonly rule: unknown;
  readonly result: unknown;
  readonly accepted: boolean;
  readonly texts?: readonly string[];
}
const verdicts: readonly VerdictVector[] = vectors.verdicts;

/** Refused by the pattern engine, which lives in a check worker: tried in server/checks. */
const ENGINE_CASES = /^(?:lookahead|back-reference|repetition over|pattern in the second)/;

describe('acceptance rules', () => {
  for (const vector of verdicts) {
    const rule = parsed(vector.rule);
    it(`judges: ${vector.case}`, () => {
      const verdict = judge(rule, vector.result, usesSchema(rule) ? bySchema : noSchema);
      equal(verdict.accepted, vector.accepted);
      if (!verdict.accepted) deepEqual(texts(verdict), vector.texts);
    });
  }

  const refusedAtPublication: readonly { case: string; rule: unknown; pointer: string }[] =
    vectors.refusedAtPublication;
  for (const vector of refusedAtPublication) {
    if (ENGINE_CASES.test(vector.case)) continue;
    it(`refuses at publication: ${vector.case}`, () => {
      const check = checkRule(vector.rule);
      ok('refused' in check, 'it was let through');
      equal(check.refused, 'bad-acceptance');
      equal(check.pointer, vector.pointer);
      ok(check.why.length > 0 && check.why.length < 300);
    });
  }

  const nested = (levels: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level += 1) value = [value];
    return value;
  };
  const equals = (value: unknown): unknown => ({
    kind: 'fields',
    checks: [{ path: '', equals: value }],
  });
  const limits: readonly (readonly [string, unknown, boolean])[] = [
    ['32 levels', equals(nested(29)), true],
    ['33 levels', equals(nested(30)), false],
    ['200,000 levels', equals(nested(200_000)), false],
    ['2,000 values', equals(Array.from({ length: 1_994 }, () => 0)), true],
    ['2,001 values', equals(Array.from({ length: 1_995 }, () => 0)), false],
    ['32 KB', equals('a'.repeat(32_768 - 52)), true],
    ['a byte more', equals('a'.repeat(32_768 - 51)), false],
    ['32 KB of wide characters', equals('é'.repeat(16_384)), false],
    ['50 values', { kind: 'contains', values: Array.from({ length: 50 }, String) }, true],
    ['a lone surrogate', { kind: 'contains', values: ['\ud800'] }, false],
    ['a lone surrogate as a key', equals({ '\udc00': 1 }), false],
    ['text that only looks like one', { kind: 'contains', values: ['\\ud800'] }, true],
    ['a pair', { kind: 'contains', values: ['\u{1f600}'] }, true],
    ['a member named __proto__', JSON.parse('{"kind":"all","of":[],"__proto__":{}}'), false],
    [
      'a schema member named __proto__',
      JSON.parse('{"kind":"json_schema","schema":{"properties":{"__proto__":{"const":1}}}}'),
      false,
    ],
  ];
  for (const [name, rule, accepted] of limits) {
    it(`${accepted ? 'lets through' : 'refuses'} ${name}`, () => {
      equal('ok' in checkRule(rule), accepted);
    });
  }

  it('reports at most ten reasons, each with at most 80 characters of the value', () => {
    const checks = Array.from({ length: 50 }, (_, at) => ({ path: `p${at}`, equals: 1 }));
    const result = Object.fromEntries(checks.map(({ path }) => [path, 'x'.repeat(5_000)]));
    const verdict = judge(parsed({ kind: 'fields', checks }), result, noSchema);
    ok(!verdict.accepted);
    equal(verdict.refused.length, 10);
    for (const { got } of verdict.refused) equal(Array.from(got).length, 80);
  });

  it('refuses a result nested deeper than 64 levels whatever the rule', () => {
    const rule = parsed({ kind: 'contains', values: ['1'] });
    const verdict = judge(rule, nested(100_000), noSchema);
    ok(!verdict.accepted);
    equal(verdict.refused[0]?.rule, 'result.depth');
  });

  it('takes a lone surrogate in a result for what it is', () => {
    const rule = parsed({ kind: 'contains', values: ['x'] });
    equal(judge(rule, { a: '\ud800', b: 'x' }, noSchema).accepted, true);
    const same = { kind: 'fields', checks: [{ path: 'a', minLength: 1 }] };
    equal(judge(parsed(same), { a: '\ud800' }, noSchema).accepted, true);
  });
});

describe('acceptance values', () => {
  it('are equal exactly when their canonical texts are', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(value, value, (a, b) => {
        const same = canonical(a) === canonical(b);
        equal(jsonEqual(a, b), same);
        equal(identity(a) === identity(b), same);
        equal(jsonEqual(a, structuredClone(a)), true);
      }),
    );
  });

  it('are shown in bounded text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 2, max: 80 }), (value, max) => {
        const shown = preview(value, max);
        ok(Array.from(shown).length <= max);
        if (!shown.endsWith('…')) equal(shown, JSON.stringify(value));
      }),
    );
  });
});

describe('acceptance text', () => {
  const big = 256 * 1024;
  const hostile: Readonly<Record<string, () => unknown>> = {
    'marks out of order': () => normalText(`a${'\u0301\u0323'.repeat(big / 2)}`),
    'marks in two blocks': () => normalText('\u0301'.repeat(big / 2) + '\u0323'.repeat(big / 2)),
    'a value that nearly matches everywhere': () =>
      containsText('a'.repeat(big), `${'a'.repeat(15_000)}b${'a'.repeat(15_000)}`),
    'a short value that nearly matches everywhere': () =>
      containsText('a'.repeat(big), `${'a'.repeat(32)}b${'a'.repeat(31)}`),
  };
  for (const [name, run] of Object.entries(hostile)) {
    it(`stays linear on 256 KB of ${name}`, () => {
      // Processor time, not the wall's: how busy the machine is says nothing about the code.
      const began = process.cpuUsage();
      run();
      ok(process.cpuUsage(began).user < 1_000_000);
    });
  }

  it('finds long values exactly as the native search does', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 200 });
    const needle = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 65, maxLength: 90 });
    fc.assert(
      fc.property(letters, needle, letters, fc.boolean(), (before, value, after, held) => {
        const text = held ? before + value + after : before + after;
        equal(containsText(text, value), text.includes(value));
      }),
    );
  });
});

function parsed(value: unknown): AcceptanceRule {
  const check = checkRule(value);
  ok('ok' in check, JSON.stringify(check));
  return check.rule;
}

function texts(verdict: Verdict): readonly string[] {
  return verdict.accepted ? [] : verdict.refused.map(({ text }) => text);
}

function bySchema({ schema }: JsonSchemaRule, result: unknown): readonly Refusal[] {
  const made = madeSchema(schema);
  ok('ok' in made);
  return made.reasons(result, true);
}

function noSchema(): never {
  throw new Error('a pure rule asked for a schema');
}
