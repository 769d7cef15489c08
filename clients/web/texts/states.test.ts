import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STATES, type Kind } from './states.ts';

const here = import.meta.dirname;

interface Schema {
  readonly enum?: readonly string[];
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Where the contract lists the states of each kind: a schema, or its property `state`. */
const SCHEMAS: Readonly<Record<Kind, string>> = {
  task: 'TaskState',
  attempt: 'Attempt',
  step: 'ChainStep',
  pitch: 'Pitch',
  dispute: 'Dispute',
  listing: 'Availability',
  submission: 'Submission',
  market: 'PredictionMarket',
  table: 'PokerTable',
  player: 'PokerSeatState',
  judge: 'SeatState',
  movement: 'Movement',
  key: 'BoundKey',
  approval: 'Approval',
  webhook: 'Webhook',
  amendment: 'Amendment',
};

describe('the words for states', () => {
  const document = JSON.parse(
    readFileSync(join(here, '../../../generated/openapi.json'), 'utf8'),
  ) as { readonly components: { readonly schemas: Readonly<Record<string, Schema>> } };
  const schema = (name: string): Schema => document.components.schemas[name] ?? {};
  const enumOf = (found: Schema): readonly string[] =>
    found.enum ??
    (found.$ref === undefined
      ? (found.allOf ?? []).flatMap(enumOf)
      : enumOf(schema(found.$ref.slice('#/components/schemas/'.length))));

  for (const [kind, name] of Object.entries(SCHEMAS) as [Kind, string][]) {
    it(`have one word for each state, and no word twice: ${kind}`, () => {
      const found = schema(name);
      const states = enumOf(found.properties?.['state'] ?? found);
      assert.deepEqual(Object.keys(STATES[kind]).sort(), [...states].sort());
      const words = Object.values(STATES[kind]).map(([word]) => word);
      assert.equal(new Set(words).size, words.length, words.join(', '));
    });
  }

  it('are nowhere else: no other text of the pages has a table of states', () => {
    const texts = readdirSync(here).filter((path) => /(?<!\.test)\.ts$/.test(path));
    assert.ok(texts.length > 20);
    assert.deepEqual(
      texts.filter((path) => /^ *states(: |,| =)/m.test(readFileSync(join(here, path), 'utf8'))),
      [],
    );
  });
});
