import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { checkRule } from '../../../domain/acceptance/checkRule.ts';
import type { AcceptanceRule, Verdict } from '../../../domain/acceptance/rule.ts';
import vectors from '../../../spec/vectors/acceptance.json' with { type: 'json' };
import { ChecksBusy, ChecksFault, createChecks } from './checks.ts';
import type { Checks } from './checks.ts';

/** Two tries of compile, run and grace, and a thread start, on a machine that is busy. */
const BOUND_MS = 6_000;
/** Of one check that ends by itself: it has 500 and 250 ms on a machine of its own. */
const CPU_MS_MAX = 1_000;
const PATIENT = { compileMs: 20_000, recompileMs: 20_000, runMs: 20_000 };
const BIG = 256 * 1024;

/** Walks both branches at every level: 2^60 visits of one nested list. */
const HOSTILE = schemaRule({
  anyOf: [
    { type: 'array', items: { $ref: '#' } },
    { type: 'array', items: { $ref: '#' } },
  ],
});
const QUICK = schemaRule({ type: 'object', required: ['a'] });

describe('checks', () => {
  let checks: Checks;
  beforeEach(() => {
    checks = createChecks();
  });
  afterEach(() => checks.close());

  it('gives the verdict and the texts of every vector', async () => {
    const verdicts: readonly {
      case: string;
      rule: unknown;
      result: unknown;
      accepted: boolean;
      texts?: readonly string[];
    }[] = vectors.verdicts;
    for (const { case: name, rule, result, accepted, texts } of verdicts) {
      const compiled = await checks.compile(rule);
      ok('ok' in compiled, `${name}: ${JSON.stringify(compiled)}`);
      const verdict = await checks.judge(compiled.rule, result);
      equal(verdict.accepted, accepted, name);
      deepEqual(textsOf(verdict), texts ?? [], name);
    }
  });

  it('refuses every vector of bad rules with the pointer of what offends', async () => {
    const bad: readonly { case: string; rule: unknown; pointer: string }[] =
      vectors.refusedAtPublication;
    for (const { case: name, rule, pointer } of bad) {
      const compiled = await checks.compile(rule);
      ok('refused' in compiled, name);
      equal(compiled.refused, 'bad-acceptance', name);
      equal(compiled.pointer, pointer, name);
    }
  });

  it('gives pure rules the same verdict in a worker as without one', async () => {
    const rule = parsed({ kind: 'contains', values: ['caf\u00e9', 'z'] });
    const long = { text: 'cafe\u0301', filler: 'x'.repeat(BIG) };
    deepEqual(textsOf(await checks.judge(rule, long)).length, 1);
    equal((await checks.judge(rule, { ...long, last: 'z' })).accepted, true);
  });
});

describe('checks under attack', () => {
  let checks: Checks;
  /** Held to the processor that they use, not to a clock that others on the machine use up. */
  let patient: Checks;
  before(async () => {
    checks = createChecks();
    patient = createChecks(PATIENT);
    for (const each of [checks, patient]) await each.judge(QUICK, {});
  });
  after(async () => {
    for (const each of [checks, patient]) await each.close();
  });

  const nested = (levels: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level += 1) value = [value];
    return value;
  };
  const text = 'a'.repeat(BIG);
  const numbers = Array.from({ length: BIG / 2 }, (_, at) => at % 10);
  const fewer = numbers.slice(0, 20_000);
  const mixed = Array.from({ length: 40_000 }, (_, at) => (at % 2 === 0 ? at : [at]));
  const attacks: readonly (readonly [string, unknown, unknown, boolean])[] = [
    ['a pattern of nested choices', { pattern: '^(a|a)*$' }, `${'a'.repeat(30)}X`, false],
    ['the same on 256 KB', { pattern: '^(a|a)*$' }, text, true],
    ['nested repetition on 256 KB', { pattern: '(x+x+)+y' }, text, false],
    ['a repetition of options', { pattern: '^(?:a?){100}a{100}$' }, 'a'.repeat(150), true],
    [
      'a hostile member pattern',
      { patternProperties: { '^(a|a)*$': false } },
      { [text]: 1 },
      false,
    ],
    [
      'a hostile name pattern',
      { propertyNames: { pattern: '^(a+)+$' } },
      { [`${text}!`]: 1 },
      false,
    ],
    ['uniqueItems on mixed items', { uniqueItems: true }, mixed, true],
    ['uniqueItems on repeated numbers', { uniqueItems: true }, numbers, false],
    ['contains that never matches', { contains: { const: 11 } }, fewer, false],
    ['minContains out of reach', { contains: { const: 1 }, minContains: 1e6 }, fewer, false],
    ['a huge enum', { enum: Array.from({ length: 1_900 }, (_, at) => `v${at}`) }, 'v', false],
    ['130,000 wrong items', { items: { type: 'string' } }, numbers, false],
    ['a hostile date', { format: 'date-time' }, 'T'.repeat(BIG), false],
    ['a hostile address', { format: 'email' }, `a@${'a.'.repeat(BIG / 2)}!`, false],
    ['a hostile uri', { format: 'uri' }, `http://${text}\u0000`, false],
    ['a name every object inherits', { required: ['__proto__', 'constructor'] }, {}, false],
    [
      'a member named __proto__',
      { properties: { a: true }, additionalProperties: false },
      protoMember(),
      false,
    ],
    ['a nested result', { items: { $ref: '#' } }, nested(64), true],
    ['a result nested too deep', { items: { $ref: '#' } }, nested(50_000), false],
    ['a lone surrogate', { pattern: '^.$', minLength: 1 }, '\ud800', true],
    ['lone surrogates in a set', { uniqueItems: true }, [['\ud800'], ['\udc00']], true],
  ];
  for (const [name, schema, result, accepted] of attacks) {
    it(`answers in bounded time: ${name}`, async () => {
      const began = process.cpuUsage();
      const verdict = await patient.judge(schemaRule(schema), result);
      const { user, system } = process.cpuUsage(began);
      equal(verdict.accepted, accepted, JSON.stringify(verdict).slice(0, 500));
      ok(!verdict.accepted || textsOf(verdict).length === 0);
      ok(!textsOf(verdict).includes('check ran out of time'));
      // Of the processor, threads included: what others do on the machine is no fault of a check.
      ok((user + system) / 1000 < CPU_MS_MAX, `${user + system} microseconds`);
    });
  }

  it('refuses a 31-character pattern that would stall a backtracking engine', async () => {
    // The shape of CVE-2025-69873: a short pattern handed to the engine's own expressions.
    const pattern = '^((a|a)*)*(a|a)*(?:b|b)*c(d|d)$';
    equal(pattern.length, 31);
    const verdict = await checks.judge(schemaRule({ pattern }), `${'a'.repeat(BIG)}X`);
    ok(!verdict.accepted);
    equal(verdict.refused[0]?.rule, 'json_schema.pattern');
  });

  it('refuses patterns that are too large together', async () => {
    const anyOf = Array.from({ length: 20 }, (_, at) => ({ pattern: `x{1000}${at}` }));
    const compiled = await checks.compile(schemaRule({ anyOf }));
    ok('refused' in compiled);
    equal(compiled.pointer, '/schema/anyOf/9/pattern');
  });

  it('keeps ten reasons, however many alternatives a value fails', async () => {
    const anyOf = Array.from({ length: 50 }, (_, at) => ({ const: at + 1 }));
    const verdict = await patient.judge(
      schemaRule({ items: { anyOf } }),
      numbers.map(() => 0),
    );
    equal(textsOf(verdict).length, 10);
  });

  it('kills a check that overruns, refuses the result and goes on', async () => {
    const began = performance.now();
    const verdict = await checks.judge(HOSTILE, nested(60));
    deepEqual(textsOf(verdict), ['check ran out of time']);
    ok(performance.now() - began < BOUND_MS);
    equal((await checks.judge(QUICK, { a: 1 })).accepted, true);
  });

  it('judges others while a worker is being killed', async () => {
    await Promise.all([checks.judge(QUICK, {}), checks.judge(QUICK, {})]);
    let killed = false;
    const hostile = checks.judge(HOSTILE, nested(60)).then((verdict) => {
      killed = true;
      return verdict;
    });
    let judged = 0;
    for (let turn = 0; turn < 50; turn += 1) {
      equal((await checks.judge(QUICK, { a: turn })).accepted, true);
      if (killed) break;
      judged += 1;
    }
    // How many of the fifty it is, the machine's pace decides.
    ok(judged > 0);
    deepEqual(textsOf(await hostile), ['check ran out of time']);
  });
});

describe('checks and the hub itself', () => {
  it('refuses a result whose check takes more memory than it may', async () => {
    const checks = createChecks({ runMs: 15_000 });
    // Nine hundred references at every level of the result: more calls than a stack holds.
    const links = Array.from({ length: 900 }, (_, at): readonly [string, unknown] => [
      `d${at}`,
      { $ref: `#/$defs/d${at + 1}` },
    ]);
    const $defs: Readonly<Record<string, unknown>> = {
      ...Object.fromEntries<unknown>(links),
      d900: { items: { $ref: '#/$defs/d0' } },
    };
    let result: unknown = 1;
    for (let level = 0; level < 64; level += 1) result = [result];
    const verdict = await checks.judge(schemaRule({ $defs, $ref: '#/$defs/d0' }), result);
    deepEqual(textsOf(verdict), ['check ran out of memory']);
    await checks.close();
  });

  it('refuses at publication what cannot compile in time', async () => {
    const checks = createChecks({ compileMs: 0 });
    const compiled = await checks.compile(schemaRule({ type: 'object' }));
    ok('refused' in compiled);
    equal(compiled.why, 'check ran out of time');
    await checks.close();
  });

  it('never turns a slow compiler into a verdict on a result', async () => {
    // Compiling takes a hundred times the budget, so no pace of the machine lets it end in time.
    const items = { type: 'object', required: ['a'] };
    const properties = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [
        `p${at}`,
        { minItems: at, uniqueItems: true, items },
      ]),
    );
    const checks = createChecks({ recompileMs: 0, graceMs: 1 });
    const slow = schemaRule({ properties });
    await rejects(checks.judge(slow, {}), faultThat(/at compilation: check ran out of time/));
    await checks.close();
  });

  it('never turns a worker that cannot start into a verdict', async () => {
    const checks = createChecks({ startMs: 1 });
    await rejects(checks.judge(QUICK, {}), faultThat(/no check worker starts/));
    await checks.close();
  });

  it('refuses one check more than may wait, and answers all that do', async () => {
    const checks = createChecks({ workers: 1, queueMax: 2 });
    const waiting = [checks.judge(QUICK, {}), checks.judge(QUICK, { a: 1 })];
    await rejects(checks.judge(QUICK, {}), ChecksBusy);
    deepEqual(
      (await Promise.all(waiting)).map(({ accepted }) => accepted),
      [false, true],
    );
    await checks.close();
  });

  it('fails what waits when it is closed, and everything after', async () => {
    const checks = createChecks({ workers: 1 });
    const waiting = rejects(checks.judge(QUICK, {}), ChecksFault);
    await checks.close();
    await waiting;
    await rejects(checks.judge(QUICK, {}), ChecksFault);
  });
});

function faultThat(says: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof ChecksFault && says.test(error.message);
}

function protoMember(): unknown {
  return JSON.parse('{"__proto__":{"a":1}}');
}

function schemaRule(schema: unknown): AcceptanceRule {
  return parsed({ kind: 'json_schema', schema });
}

function parsed(value: unknown): AcceptanceRule {
  const check = checkRule(value);
  ok('ok' in check, JSON.stringify(check));
  return check.rule;
}

function textsOf(verdict: Verdict): readonly string[] {
  return verdict.accepted ? [] : verdict.refused.map(({ text }) => text);
}
