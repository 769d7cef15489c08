import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { checkRule } from '../../../domain/acceptance/checkRule.ts';
import type { AcceptanceRule, Verdict } from '../../../domain/acceptance/rule.ts';
import vectors from '../../../spec/vectors/acceptance.json' with { type: 'json' };
import { ChecksBusy, ChecksFault, createChecks } from './checks.ts';
import type { Checks } from './checks.ts';

/** Two tries of compile, run and grace, and a thread start, on a machine that is busy. */
const BOUND_MS = 6_000;
/** For one check that ends by itself: it has 500 and 250 ms on a machine of its own. */
const CPU_MS_MAX = 1_000;
const PATIENT = { compileMs: 20_000, recompileMs: 20_000, runMs: 20_000 };
const BIG = 256 * 1024;
const HERE = { ip: '192.0.2.1' };
const THERE = { ip: '198.51.100.1' };

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
      const compiled = await checks.compile(rule, HERE);
      ok('ok' in compiled, `${name}: ${JSON.stringify(compiled)}`);
      const verdict = await checks.judge(compiled.rule, result, HERE);
      equal(verdict.accepted, accepted, name);
      deepEqual(textsOf(verdict), texts ?? [], name);
    }
  });

  it('refuses every vector of bad rules with the pointer of what offends', async () => {
    const bad: readonly { case: string; rule: unknown; pointer: string }[] =
      vectors.refusedAtPublication;
    for (const { case: name, rule, pointer } of bad) {
      const compiled = await checks.compile(rule, HERE);
      ok('refused' in compiled, name);
      equal(compiled.refused, 'bad-acceptance', name);
      equal(compiled.pointer, pointer, name);
    }
  });

  it('gives pure rules the same verdict in a worker as without one', async () => {
    const rule = parsed({ kind: 'contains', values: ['caf\u00e9', 'z'] });
    const long = { text: 'cafe\u0301', filler: 'x'.repeat(BIG) };
    deepEqual(textsOf(await checks.judge(rule, long, HERE)).length, 1);
    equal((await checks.judge(rule, { ...long, last: 'z' }, HERE)).accepted, true);
  });
});

describe('checks under attack', () => {
  let checks: Checks;
  /** Held to the processor that they use, not to a clock that others on the machine use up. */
  let patient: Checks;
  before(async () => {
    checks = createChecks();
    patient = createChecks(PATIENT);
    for (const each of [checks, patient]) await each.judge(QUICK, {}, HERE);
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
      const verdict = await patient.judge(schemaRule(schema), result, HERE);
      const { user, system } = process.cpuUsage(began);
      equal(verdict.accepted, accepted, JSON.stringify(verdict).slice(0, 500));
      ok(!verdict.accepted || textsOf(verdict).length === 0);
      ok(!textsOf(verdict).includes('check ran out of time'));
      // Time of the processor, threads included: what others do on the machine is no fault of a check.
      ok((user + system) / 1000 < CPU_MS_MAX, `${user + system} microseconds`);
    });
  }

  it('refuses a 31-character pattern that would stall a backtracking engine', async () => {
    // The shape of CVE-2025-69873: a short pattern handed to the engine's own expressions.
    const pattern = '^((a|a)*)*(a|a)*(?:b|b)*c(d|d)$';
    equal(pattern.length, 31);
    const verdict = await checks.judge(schemaRule({ pattern }), `${'a'.repeat(BIG)}X`, HERE);
    ok(!verdict.accepted);
    equal(verdict.refused[0]?.rule, 'json_schema.pattern');
  });

  it('refuses patterns that are too large together', async () => {
    const anyOf = Array.from({ length: 20 }, (_, at) => ({ pattern: `x{1000}${at}` }));
    const compiled = await checks.compile(schemaRule({ anyOf }), HERE);
    ok('refused' in compiled);
    equal(compiled.pointer, '/schema/anyOf/9/pattern');
  });

  it('keeps ten reasons, however many alternatives a value fails', async () => {
    const anyOf = Array.from({ length: 50 }, (_, at) => ({ const: at + 1 }));
    const verdict = await patient.judge(
      schemaRule({ items: { anyOf } }),
      numbers.map(() => 0),
      HERE,
    );
    equal(textsOf(verdict).length, 10);
  });

  it('kills a check that overruns, refuses the result and goes on', async () => {
    const began = performance.now();
    const verdict = await checks.judge(HOSTILE, nested(60), HERE);
    deepEqual(textsOf(verdict), ['check ran out of time']);
    ok(performance.now() - began < BOUND_MS);
    equal((await checks.judge(QUICK, { a: 1 }, HERE)).accepted, true);
  });

  it('judges others while a worker is being killed', async () => {
    await Promise.all([checks.judge(QUICK, {}, HERE), checks.judge(QUICK, {}, HERE)]);
    let killed = false;
    const hostile = checks.judge(HOSTILE, nested(60), HERE).then((verdict) => {
      killed = true;
      return verdict;
    });
    let judged = 0;
    for (let turn = 0; turn < 50; turn += 1) {
      equal((await checks.judge(QUICK, { a: turn }, THERE)).accepted, true);
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
    const verdict = await checks.judge(schemaRule({ $defs, $ref: '#/$defs/d0' }), result, HERE);
    deepEqual(textsOf(verdict), ['check ran out of memory']);
    await checks.close();
  });

  it('refuses at publication what cannot compile in time', async () => {
    const checks = createChecks({ compileMs: 0 });
    const compiled = await checks.compile(schemaRule({ type: 'object' }), HERE);
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
    await rejects(checks.judge(slow, {}, HERE), faultThat(/at compilation: check ran out of time/));
    await checks.close();
  });

  it('never turns a worker that cannot start into a verdict', async () => {
    const checks = createChecks({ startMs: 1 });
    await rejects(checks.judge(QUICK, {}, HERE), faultThat(/no check worker starts/));
    await checks.close();
  });

  it('refuses one check more than may wait, and answers all that do', async () => {
    const checks = createChecks({ workers: 1, queueMax: 2 });
    const waiting = [checks.judge(QUICK, {}, HERE), checks.judge(QUICK, { a: 1 }, HERE)];
    await rejects(checks.judge(QUICK, {}, HERE), ChecksBusy);
    deepEqual(
      (await Promise.all(waiting)).map(({ accepted }) => accepted),
      [false, true],
    );
    await checks.close();
  });

  it('refuses the newest of the longest line when another address finds the queue full', async () => {
    const checks = createChecks({ workers: 1, queueMax: 3 });
    const flood = [1, 2, 3].map((n) => checks.judge(QUICK, { a: n }, HERE));
    const pushed = rejects(flood[2] ?? Promise.resolve(), ChecksBusy);
    equal((await checks.judge(QUICK, { a: 1 }, THERE)).accepted, true);
    await pushed;
    await Promise.all(flood.slice(0, 2));
    await checks.close();
  });

  it('serves another address while one address sends many slow checks', async () => {
    const checks = createChecks();
    const slow = schemaRule({ pattern: '\\p{L}{1,900}\\p{N}{1,900}$' });
    await checks.judge(QUICK, {}, THERE);
    let ended = 0;
    const flood = Array.from({ length: 20 }, (_, at) =>
      checks.judge(slow, `${'a'.repeat(15_000)}${at}b`, HERE).then((verdict) => {
        ended += 1;
        return verdict;
      }),
    );
    await flood[0];
    for (let turn = 0; turn < 10; turn += 1) {
      equal((await checks.judge(QUICK, { a: turn }, THERE)).accepted, true);
    }
    ok(ended <= 4, `${ended} of the slow checks came before ten quick ones`);
    await Promise.all([checks.close(), ...flood.map((each) => each.catch(() => undefined))]);
  });

  it('refuses by the counted work of patterns, the same in every try', async () => {
    const checks = createChecks();
    const pattern = '^(?:a{1,1000}){1}$';
    const compiled = await checks.compile({ kind: 'json_schema', schema: { pattern } }, HERE);
    ok('ok' in compiled);
    const { patternCharacters = 0, patternInstructions } = compiled.budget;
    ok(patternInstructions >= 1_000 && patternCharacters > 0);
    const within = await checks.judge(compiled.rule, 'b'.repeat(patternCharacters), HERE);
    const beyond = await checks.judge(compiled.rule, 'b'.repeat(patternCharacters + 1), HERE);
    ok(!within.accepted && !beyond.accepted);
    equal(within.refused[0]?.rule, 'json_schema.pattern');
    equal(beyond.refused[0]?.rule, 'check.work');
    await checks.close();
  });

  it('fails what waits when it is closed, and everything after', async () => {
    const checks = createChecks({ workers: 1 });
    const waiting = rejects(checks.judge(QUICK, {}, HERE), ChecksFault);
    await checks.close();
    await waiting;
    await rejects(checks.judge(QUICK, {}, HERE), ChecksFault);
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
