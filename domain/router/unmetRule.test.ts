import assert from 'node:assert/strict';
import { madeSchema } from '../acceptance/fixture.ts';
import { judge } from '../acceptance/judge.ts';
import type { AcceptanceRule, Refusal } from '../acceptance/rule.ts';
import type { JsonObject } from '../jsonObject.ts';
import { withoutAnswer } from './unmetRule.ts';

const SECRET = 'swordfish';
const NUMBER = 4111111111111111;
const ANSWER = {
  word: SECRET,
  number: NUMBER,
  list: [{ [SECRET]: 1 }, SECRET],
  map: { [SECRET]: { deep: SECRET }, [NUMBER]: NUMBER },
};

function reported(rule: AcceptanceRule, answer: unknown = ANSWER): readonly Refusal[] {
  const verdict = judge(rule, answer, ({ schema }, value) => {
    const made = madeSchema(schema);
    if (!('ok' in made)) throw new Error(made.why);
    return made.reasons(value, true);
  });
  if (verdict.accepted) throw new Error('the answer keeps the rule');
  return withoutAnswer(rule, answer, verdict.refused);
}

const short = (refused: readonly Refusal[]): readonly string[] =>
  refused.map(({ path, rule }) => `${path} ${rule}`);

const schema = (given: JsonObject): AcceptanceRule => ({ kind: 'json_schema', schema: given });
const of = (name: string, given: unknown): AcceptanceRule =>
  schema({ properties: { [name]: given } });

describe('the report of a rule that an answer breaks', () => {
  const cases: readonly (readonly [title: string, AcceptanceRule, ...report: string[]])[] = [
    ['const', of('word', { const: 'a' }), '/word json_schema.const'],
    ['enum', of('number', { enum: [1, 2] }), '/number json_schema.enum'],
    ['type', of('map', { type: 'null' }), '/map json_schema.type'],
    ['bounds', of('number', { maximum: 5 }), '/number json_schema.maximum'],
    ['lengths', of('word', { maxLength: 1 }), '/word json_schema.maxLength'],
    ['pattern', of('word', { pattern: '^a' }), '/word json_schema.pattern'],
    ['format', of('word', { format: 'date' }), '/word json_schema.format'],
    ['not', of('word', { not: { type: 'string' } }), '/word json_schema.not'],
    ['false', of('word', false), '/word json_schema.false schema'],
    ['contains', of('list', { contains: { const: 2 } }), '/list json_schema.contains'],
    ['one item', of('list', { items: { type: 'object' } }), '/list/1 json_schema.type'],
    ['no items', of('list', { items: false }), '/list json_schema.items'],
    [
      'members of an item',
      of('list', { items: { additionalProperties: false } }),
      '/list/0 json_schema.additionalProperties',
    ],
    [
      'other members',
      of('map', { additionalProperties: false }),
      '/map json_schema.additionalProperties',
    ],
    [
      'members of other members',
      of('map', { additionalProperties: { properties: { deep: { type: 'null' } } } }),
      '/map json_schema.type',
    ],
    [
      'members by a pattern',
      of('map', { patternProperties: { '^.': { type: 'null' } } }),
      '/map json_schema.type',
    ],
    [
      'members that are left',
      of('map', { unevaluatedProperties: false }),
      '/map json_schema.unevaluatedProperties',
    ],
    ['names', of('map', { propertyNames: { maxLength: 2 } }), '/map json_schema.maxLength'],
    [
      'a missing member',
      of('map', { required: ['one', 'two'] }),
      '/map/one json_schema.required',
      '/map/two json_schema.required',
    ],
    [
      'several bounds of one value',
      schema({ allOf: [1, 2, 3].map((maximum) => ({ properties: { number: { maximum } } })) }),
      '/number json_schema.maximum',
    ],
    [
      'fields',
      {
        kind: 'fields',
        checks: [
          { path: 'word', equals: 'a' },
          { path: '/map/none', minLength: 3 },
          { path: 'word', minLength: 99 },
        ],
      },
      '/word fields.equals',
      '/map/none fields.minLength',
      '/word fields.minLength',
    ],
    ['texts', { kind: 'contains', values: ['a', 'zz', 'yy'] }, ' contains.all'],
    ['any of the texts', { kind: 'contains', mode: 'any', values: ['zz'] }, ' contains.any'],
    [
      'several rules',
      {
        kind: 'all',
        of: [{ kind: 'contains', values: ['zz'] }, of('word', { const: 1 })],
      },
      ' contains.all',
      '/word json_schema.const',
    ],
  ];
  for (const [title, rule, ...report] of cases) {
    it(`has a path and a rule, and nothing of the answer: ${title}`, () => {
      const refused = reported(rule);
      assert.deepEqual(short(refused), report);
      assert.doesNotMatch(JSON.stringify(refused), new RegExp(`${SECRET}|${NUMBER}|"deep"`));
    });
  }

  it('shows a name of the answer that the rule has too', () => {
    const rule = schema({
      allOf: [
        { properties: { map: { properties: { [SECRET]: {} } } } },
        { properties: { map: { additionalProperties: false } } },
      ],
    });
    const at = `/map/${SECRET} json_schema.additionalProperties`;
    assert.deepEqual(short(reported(rule)), [at, '/map json_schema.additionalProperties']);
  });

  it('says in one line where the rule is broken', () => {
    assert.deepEqual(reported(of('word', { const: 'a' })), [
      {
        path: '/word',
        rule: 'json_schema.const',
        expected: 'what your rule asks for',
        got: 'not shown',
        text: '/word breaks json_schema.const',
      },
    ]);
    const [whole] = reported({ kind: 'contains', values: ['zz'] });
    assert.equal(whole?.text, 'result breaks contains.all');
  });
});
