import assert from 'node:assert/strict';
import { verify } from '../../../clients/typescript/node.ts';
import { verify as webVerify } from '../../../clients/typescript/verify/verifier.ts';
import { parseJson } from '../../../domain/json.ts';
import { corruptions, otherNumbers, resignedBodies, type Corruption } from './_corrupt.ts';
import { valueAt, without, withValue } from './_places.ts';
import { askPython, preparePython, runPythonTests } from './_python.ts';
import { good, keys, logProofs, refused } from './_vectors.ts';

/**
 * The two verifiers share no code and must find the same: on every vector, on every corruption, and
 * under every list of keys. Without Python the TypeScript side is held to the same rules alone.
 */
const LONGEST_MS = 600_000;
const CORRUPTIONS_MIN = 1_000;
const SHOWN = 10;

interface Case extends Corruption {
  /** Place in the list of key lists. */
  readonly keys: number;
}

const firstTime = ['keys', 2, 'notBefore'];
/** The published list, then those under which some of the objects are no longer good. */
const keyLists: readonly unknown[] = [
  keys,
  { keys: [] },
  without(keys, ['keys', 2]),
  without(keys, firstTime),
  withValue(keys, firstTime, '2026-01-01T00:01:00.121Z'),
  withValue(keys, ['keys', 2, 'notAfter'], '2026-01-01T00:00:00.000Z'),
  swappedTimes(),
];
/** Unusable lists: the caller gets a TypeError. */
const badKeyLists: readonly unknown[] = [
  null,
  [],
  {},
  { keys: {} },
  { keys: [null] },
  { keys: [{}] },
  withValue(keys, ['keys', 0, 'keyId'], '1'.repeat(32)),
  withValue(keys, ['keys', 0, 'keyId'], valueAt(keys, ['keys', 1, 'keyId'])),
  withValue(keys, ['keys', 0, 'publicKeyHex'], '00'.repeat(32)),
  withValue(keys, firstTime, '2026-01-01'),
  withValue(keys, firstTime, null),
];
const TEXTS: readonly string[] = [
  ...['{"a":1,"a":2}', '{"a":{"b":1,"\\u0062":2}}', '["\\ud800"]', '{"\\udc00":1}', '["\\u0000"]'],
  ...['{"__proto__":1}', '[NaN]', '[Infinity]', '[1e400]', '[9007199254740991]', '[1.0]', '[-0]'],
  ...['[9007199254740992]', '[9007199254740992.0]', '[01]', '[1.]', '[.5]', '[+1]', '[0x10]'],
  ...['[1,]', '{"a":1,}', "{'a':1}", '', ' ', '\ufeff[]', '\u00a0[]', '["\t"]', '[1]x', 'null'],
  ...['"\\ud83d\\ude00"', '["a\\"[[[["]', '["\\\\"]', '[\u0661]', '[1e5]', '[true]', '[True]'],
  ...['['.repeat(64) + ']'.repeat(64), '['.repeat(65) + ']'.repeat(65), '['.repeat(100_000)],
];

const corrupted: readonly Case[] = corruptions().map((each) => ({ ...each, keys: 0 }));
const agreed: readonly Case[] = [
  ...[...resignedBodies(), ...otherNumbers()].map((each) => ({ ...each, keys: 0 })),
  ...[...good, ...refused, ...logProofs].flatMap(({ name, value }) =>
    keyLists.map((_, at) => ({
      name: `${name} under list ${at}`,
      text: JSON.stringify(value),
      keys: at,
    })),
  ),
];

describe('two verifiers', function () {
  this.timeout(LONGEST_MS);
  let python: string | undefined;
  before(async () => {
    python = await preparePython((text) => console.log(`      ${text}`));
    if (process.env['PYTHON_REQUIRED'] === '1') assert.ok(python !== undefined, 'no Python');
  });

  /**
   * Returns the TypeScript client's result for each case; asserts that Python has the same, where
   * it is.
   */
  async function answers(cases: readonly Case[]): Promise<readonly unknown[]> {
    const found: unknown[] = [];
    for (const { text, keys: at } of cases) {
      const value: unknown = JSON.parse(text);
      found.push(await verify.file(value, keyLists[at]));
    }
    if (python === undefined) return found;
    const theirs = await askPython(python, keyLists, cases);
    assert.equal(theirs.length, cases.length);
    const differing = cases.flatMap(({ name }, at) => {
      const [here, there] = [JSON.stringify(sorted(found[at])), JSON.stringify(sorted(theirs[at]))];
      return here === there ? [] : [`${name}\n  TypeScript ${here}\n  Python     ${there}`];
    });
    assert.equal(differing.length, 0, differing.slice(0, SHOWN).join('\n'));
    return found;
  }

  it('find every published object good, and name its facts alike', async () => {
    const cases = good.map(({ name, value }) => ({ name, text: JSON.stringify(value), keys: 0 }));
    const found = await answers(cases);
    const bad = cases.filter((_, at) => valueAt(found[at], ['ok']) !== true);
    assert.deepEqual(
      bad.map(({ name }) => name),
      [],
    );
  });

  it('refuse every published refusal with its reason, at its place', async () => {
    const cases = refused.map(({ name, value }) => ({
      name,
      text: JSON.stringify(value),
      keys: 0,
    }));
    const found = await answers(cases);
    for (const [at, { name, reason, at: place }] of refused.entries()) {
      const reported = ['ok', 'reason', 'at'].map((member) => valueAt(found[at], [member]));
      assert.deepEqual(reported, [false, reason, place], name);
    }
  });

  it(`let none of ${corrupted.length} corruptions pass`, async () => {
    assert.ok(corrupted.length >= CORRUPTIONS_MIN);
    const found = await answers(corrupted);
    const passed = corrupted.filter(
      (each, at) => valueAt(found[at], ['ok']) !== false && !isUnsigned(each),
    );
    assert.deepEqual(passed.map(({ name }) => name).slice(0, SHOWN), []);
  });

  it(`agree on ${agreed.length} other objects and lists of keys`, async () => {
    const found = await answers(agreed);
    const reasons = new Set(found.map((each) => valueAt(each, ['reason'])));
    for (const reason of ['unknown-key', 'key-time', undefined]) assert.ok(reasons.has(reason));
  });

  it('refuse a list of keys that cannot be used, whatever the object', async () => {
    const values: readonly unknown[] = [good[0]?.value, [], 5, { promise: 1 }];
    const cases = badKeyLists.flatMap((_, at) =>
      values.map((value) => ({ keys: at, text: JSON.stringify(value) })),
    );
    const here = await Promise.all(
      cases.map(({ keys: at, text }) =>
        verify.file(JSON.parse(text), badKeyLists[at]).then(
          () => undefined,
          (error: unknown) => (error instanceof TypeError ? { error: error.message } : undefined),
        ),
      ),
    );
    for (const each of here) assert.match(String(valueAt(each, ['error'])), /GET \/keys/);
    if (python !== undefined) assert.deepEqual(await askPython(python, badKeyLists, cases), here);
  });

  it('pass the tests that the Python client comes with', async () => {
    if (python !== undefined) await runPythonTests(python);
  });

  it('read the same texts, and no text that has two meanings', async () => {
    const here = TEXTS.map((text) => {
      const parsed = parseJson(Buffer.from(text));
      return parsed.ok ? { ok: true, value: parsed.value } : { ok: false };
    });
    assert.ok(here.some(({ ok }) => ok) && here.some(({ ok }) => !ok));
    if (python === undefined) return;
    const there = await askPython(
      python,
      [],
      TEXTS.map((read) => ({ read })),
    );
    for (const [at, text] of TEXTS.entries()) {
      assert.equal(JSON.stringify(there[at]), JSON.stringify(here[at]), text.slice(0, SHOWN * 4));
    }
  });
});

describe('the verifier for browsers', function () {
  this.timeout(LONGEST_MS);

  it('finds what the one for Node finds', async () => {
    for (const { name, value } of [...good, ...refused]) {
      assert.deepEqual(await webVerify.file(value, keys), await verify.file(value, keys), name);
    }
  });
});

/** A block without a proof says unsigned where it was stamped; its proof decides (BYTES.md 9). */
function isUnsigned({ name }: Corruption): boolean {
  return /a block not yet stamped: (flip|that of .*) at seal\.stampedIn$|^chain of blocks: flip at 2\.seal\.stampedIn$/.test(
    name,
  );
}

/** Facts are compared by name: their order is no part of an answer. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The times of the two keys that sign, exchanged. */
function swappedTimes(): unknown {
  const second = withValue(keys, ['keys', 1, 'notBefore'], '2026-01-01T00:00:00.000Z');
  const ended = withValue(second, ['keys', 1, 'notAfter'], '2026-01-01T00:08:00.900Z');
  return without(withValue(ended, firstTime, '2026-01-01T00:07:00.900Z'), ['keys', 2, 'notAfter']);
}
