import assert from 'node:assert/strict';
import { listedSkill } from '../../db/registry/fixture.ts';
import { instant } from '../instant.ts';
import { atomic } from '../money.ts';
import { descriptorHash } from './descriptor.ts';
import type { ListedSkill, ToolVerdict } from './listing.ts';
import { nextCursor, readTools, type ReadTool } from './readTools.ts';
import { asksForKey, doorAccess, skillOfTool, toolsToCall, type Called } from './toolSkill.ts';

const NOON = instant(Date.parse('2026-11-28T12:00:00Z'));
const SCHEMA = { type: 'object', properties: {} };
const GOOD = { name: 'get_news', description: 'Reads the news.', inputSchema: SCHEMA };
const readOne = (tool: unknown) => readTools([{ tools: [tool] }]);
const broken = (...tools: readonly unknown[]): readonly string[] =>
  readTools([{ tools }]).violations.map(({ rule, path, says }) => `${rule} ${path}: ${says}`);

describe('the tools of a server', () => {
  it('are read with the hash of their descriptor', () => {
    const outputSchema = { type: 'object' };
    assert.deepEqual(readOne({ ...GOOD, outputSchema }), {
      tools: [
        {
          ...GOOD,
          outputSchema,
          descriptorHash: descriptorHash(GOOD.name, GOOD.description, SCHEMA, outputSchema),
        },
      ],
      violations: [],
      texts: [
        { path: 'tools/0/name', text: 'get_news' },
        { path: 'tools/0/description', text: 'Reads the news.' },
      ],
    });
    assert.equal(
      descriptorHash('a', 'b', undefined),
      'e3abe422cafdd2616964f353fad26a0d88dd7deceed60218522bf8729eb66c5c',
    );
  });

  it('have null for a member that is absent, and as a value within their schemas', () => {
    const unset = { title: null, annotations: null, outputSchema: null, _meta: null, icons: null };
    assert.deepEqual(readOne({ ...GOOD, ...unset }), readOne(GOOD));
    const hints = { readOnlyHint: null, title: null, destructiveHint: null };
    assert.deepEqual(
      readOne({ ...GOOD, annotations: hints }),
      readOne({ ...GOOD, annotations: {} }),
    );
    const loose = { ...SCHEMA, required: null, description: null, additionalProperties: null };
    assert.deepEqual(readOne({ ...GOOD, inputSchema: loose }), readOne(GOOD));
    const schema = { type: 'object', properties: { a: { enum: ['x', null], default: null } } };
    const [tool] = readOne({ ...GOOD, inputSchema: schema }).tools;
    assert.deepEqual(tool?.inputSchema, schema);
  });

  it('come from all pages, as lists or as objects by name', () => {
    const { tools } = readTools([
      { tools: [GOOD] },
      { tools: { get_time: { description: 'The time.', parameters: SCHEMA }, other: 7 } },
      { tools: { a: { ...GOOD, name: 'get_own', input_schema: SCHEMA, inputSchema: null } } },
      { tools: 7 },
      7,
    ]);
    assert.deepEqual(
      tools.map(({ name, inputSchema }) => [name, inputSchema]),
      [
        ['get_news', SCHEMA],
        ['get_time', SCHEMA],
        ['get_own', SCHEMA],
      ],
    );
  });

  it('are a thousand at most', () => {
    const tools = Array.from({ length: 1_001 }, (_, nth) => ({ ...GOOD, name: `get_${nth}` }));
    assert.equal(readTools([{ tools }]).tools.length, 1_000);
  });

  it('are named with each rule that they break', () => {
    const grammar =
      'tool-name-grammar tools/0: Names have letters, digits, _, - and . only, at most 128.';
    const noName = 'The tool has no name; it is left out.';
    assert.deepEqual(broken(7, { name: '' }), [
      `tool-name tools/0: ${noName}`,
      `tool-name tools/1: ${noName}`,
    ]);
    assert.deepEqual(broken(GOOD, GOOD), [
      'tool-name-unique tools/1: Another tool is named get_news; the first of them counts.',
    ]);
    assert.deepEqual(broken({ ...GOOD, name: 'get news' }), [grammar]);
    assert.deepEqual(broken({ ...GOOD, name: 'a'.repeat(129) }), [grammar]);
    assert.deepEqual(broken({ ...GOOD, name: 'A-z_0.'.padEnd(128, 'a') }), []);
    assert.deepEqual(broken({ name: 'a', inputSchema: 7 }), [
      'tool-description tools/0: a has no description.',
      'tool-schema tools/0: a has no input schema that is an object of usual size.',
    ]);
    assert.deepEqual(broken({ name: 'a', title: 'A title', inputSchema: SCHEMA }), []);
    assert.deepEqual(broken({ ...GOOD, outputSchema: { type: 'whole' } }), [
      'tool-output-schema tools/0: The output schema of get_news promises nothing, since the hub cannot judge it: /type is a type name or a list of distinct ones.',
    ]);
  });

  it('give their descriptions to read, those of their arguments among them', () => {
    const properties = { city: { description: 'Which city?' }, other: { type: 'string' }, c: 7 };
    const { texts } = readOne({
      ...GOOD,
      title: 'News',
      inputSchema: { type: 'object', properties },
      outputSchema: { properties: { text: { description: 'The text.' } } },
    });
    assert.deepEqual(texts, [
      { path: 'tools/0/name', text: 'get_news' },
      { path: 'tools/0/title', text: 'News' },
      { path: 'tools/0/description', text: 'Reads the news.' },
      { path: 'tools/0/inputSchema/city', text: 'Which city?' },
      { path: 'tools/0/outputSchema/text', text: 'The text.' },
    ]);
  });

  it('go on at a cursor that was not seen yet', () => {
    const seen = new Set<string>();
    assert.equal(nextCursor({ nextCursor: '' }, seen), '');
    assert.equal(nextCursor({ nextCursor: 'a' }, seen), 'a');
    assert.equal(nextCursor({ nextCursor: 'a' }, seen), undefined);
    assert.equal(nextCursor({ nextCursor: 'c'.repeat(8_192) }, seen)?.length, 8_192);
    for (const page of [{ nextCursor: 'c'.repeat(8_193) }, { nextCursor: 7 }, {}, null]) {
      assert.equal(nextCursor(page, seen), undefined);
    }
  });
});

const tool = (name: string, over: Partial<ReadTool> = {}): ReadTool => ({
  name,
  description: 'd',
  descriptorHash: `hash of ${name}`,
  ...over,
});

describe('a tool as it is listed', () => {
  const described = {
    id: 'a',
    name: 'a',
    description: 'd',
    tags: [],
    inputSchema: SCHEMA,
    descriptorHash: 'hash of a',
  };
  const given = tool('a', { inputSchema: SCHEMA });
  const price = { amount: atomic(5n), asset: 'USDC', network: 'base', payTo: '0x1' };

  it('has the access that its call showed', () => {
    const cases = [
      ['served', 'open'],
      ['quoted', 'paid'],
      ['key-needed', 'auth-required'],
      ['refused', 'closed'],
      ['failed', 'unknown'],
    ] as const;
    for (const [verdict, access] of cases) {
      const called: Called = { verdict, message: 'm'.repeat(500), durationMs: 7, at: NOON };
      assert.deepEqual(skillOfTool(given, called, undefined), {
        ...described,
        access,
        accessCheckedAt: NOON,
        verdict,
        why: 'm'.repeat(400),
        durationMs: 7,
      });
    }
    const quote = { x402Version: 1, scheme: 'exact', price, accept: {} } as const;
    const called: Called = { verdict: 'quoted', message: 'm', durationMs: 7, at: NOON, quote };
    assert.deepEqual(skillOfTool(given, called, undefined).price, price);
  });

  it('keeps what was measured of the same tool', () => {
    const measured = {
      access: 'paid',
      accessCheckedAt: NOON,
      verdict: 'quoted',
      why: 'It asked for money.',
      durationMs: 9,
      price,
    } as const;
    const before = { ...described, ...measured, description: 'other' };
    assert.deepEqual(skillOfTool(given, undefined, before), { ...described, ...measured });
    const fresh = {
      ...described,
      access: 'unknown',
      verdict: 'not-called',
      why: 'It was not its turn yet; each look calls a few tools only.',
    };
    const { accessCheckedAt: _never, ...unmeasured } = before;
    for (const other of [undefined, { ...before, descriptorHash: 'x' }, unmeasured]) {
      assert.deepEqual(skillOfTool(given, undefined, other), fresh);
    }
    const notCalled = { ...given, notCalled: 'It requires 1 argument(s).' };
    assert.equal(skillOfTool(notCalled, undefined, undefined).why, 'It requires 1 argument(s).');
  });
});

describe('the tools that a look calls', () => {
  const hours = (count: number) => instant(NOON - count * 3_600_000);
  const known = (entries: Readonly<Record<string, number>>): ReadonlyMap<string, ListedSkill> =>
    new Map(
      Object.entries(entries).map(([name, ago]) => [
        name,
        listedSkill(name, { descriptorHash: `hash of ${name}`, accessCheckedAt: hours(ago) }),
      ]),
    );
  const tools = ['a', 'b', 'c', 'd'].map((name) => tool(name));
  const names = (...of: Parameters<typeof toolsToCall>): string =>
    toolsToCall(...of)
      .map(({ name }) => name)
      .join('');

  it('are those never called, then the ones called longest ago, and none twice in 20 hours', () => {
    const before = known({ a: 20, b: 30, c: 19 });
    assert.equal(names(tools, before, NOON, 'due'), 'dba');
    assert.equal(names(tools, before, NOON, 'now'), 'dbac');
    assert.equal(names(tools, before, NOON, 'none'), '');
  });

  it('are called again once they changed', () => {
    const changed = [tool('a', { descriptorHash: 'new' }), tool('b')];
    assert.equal(names(changed, known({ a: 1, b: 1 }), NOON, 'due'), 'a');
  });

  it('are ten at most, and never one that a rule forbids', () => {
    const many = Array.from({ length: 15 }, (_, nth) => tool(`t${nth}`));
    const forbidden = tool('x', { notCalled: 'It says that it is destructive.' });
    assert.equal(toolsToCall([forbidden, ...many], new Map(), NOON, 'due').length, 10);
    assert.equal(names([forbidden], new Map(), NOON, 'now'), '');
  });
});

describe('the access of a server that opened without a key', () => {
  const access = (...verdicts: readonly ToolVerdict[]) =>
    doorAccess(verdicts.map((verdict) => listedSkill('t', { verdict })));

  it('is the best that its tools showed', () => {
    assert.deepEqual(access('refused', 'key-needed', 'quoted', 'served'), { access: 'open' });
    assert.deepEqual(access('refused', 'key-needed', 'quoted'), { access: 'paid' });
    assert.deepEqual(access('refused', 'key-needed'), {
      access: 'auth-required',
      accessNote: 'Its door opens to everybody; the tools that were called asked for a key.',
    });
    assert.deepEqual(access('refused', 'failed'), {
      access: 'open',
      accessNote:
        'Inferred: its door opens to everybody; the tools that were called without arguments refused.',
    });
    for (const none of [access(), access('failed', 'not-called')]) {
      assert.deepEqual(none, {
        access: 'open',
        accessNote:
          'Inferred: it listed its tools without key or price; the hub has called none of them.',
      });
    }
  });

  it('is read from the words of a failure that ask for a key', () => {
    const asking = [
      ...['Unauthorized', 'unauthorised', 'user is unauthenticated', 'Not authenticated'],
      ...['Authentication required', '403 Forbidden', 'missing API key', 'api_key', 'API-key'],
      ...['no access token', 'auth token', 'authorization token', 'Log in first', 'credentials'],
    ];
    for (const text of asking) assert.equal(asksForKey(text), true, text);
    for (const text of [
      'not found',
      'keyboard',
      'blog in first',
      `${' '.repeat(4_000)}forbidden`,
    ]) {
      assert.equal(asksForKey(text), false, text);
    }
  });
});
