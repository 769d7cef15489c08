import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { document as read } from '../../harness/contract.ts';
import { eachOperation, type Document, type Schema } from '../../../tools/generate/document.ts';

const document = read as unknown as Document;
const { schemas } = document.components;
const choices = readFileSync('spec/choices/pipeline.md', 'utf8');

/** Names in the first column of the table behind a sentence of choices pipeline.shapes. */
function listed(sentence: string): readonly string[] {
  const from = choices.indexOf(sentence);
  assert.ok(from > 0, sentence);
  const lines = choices.slice(from).split('\n').slice(4);
  const rows = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('|')),
  );
  return rows.flatMap((row) => {
    const [, first = ''] = row.split('|');
    return [...first.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  });
}

interface Place {
  readonly at: string;
  readonly schema: Schema;
  /** Whether an object around it has asset and network. */
  readonly isPlaced: boolean;
}

/** Every schema that is written in place, and the components themselves. */
function* placesIn(schema: Schema, at: string, isPlaced = false): Generator<Place> {
  const { properties = {}, items, oneOf = [], additionalProperties: others } = schema;
  const here = isPlaced || ('asset' in properties && 'network' in properties);
  yield { at, schema, isPlaced: here };
  for (const [name, each] of Object.entries(properties)) {
    yield* placesIn(each, `${at}.${name}`, here);
  }
  const inside = [...(items === undefined ? [] : [items]), ...oneOf];
  if (typeof others === 'object') inside.push(others as Schema);
  for (const each of inside) yield* placesIn(each, at, here);
}

const all = Object.entries(schemas).flatMap(([name, schema]) => [...placesIn(schema, name)]);
const parameters = [
  ...Object.values(document.components.parameters ?? {}),
  ...eachOperation(document).flatMap(({ operation }) => operation.parameters ?? []),
].flatMap((each) => ('name' in each ? [...placesIn(each.schema, `parameter ${each.name}`)] : []));
const componentOf = ({ $ref }: Schema): string => $ref?.split('/').at(-1) ?? '';
const unique = (names: readonly string[]): readonly string[] => [...new Set(names)].sort();

describe('shapes of the contract (choices pipeline.shapes)', () => {
  it('are one component for each kind of id, key, amount and digest', () => {
    const patterns = new Map(
      Object.entries(schemas).flatMap(([name, { pattern }]) =>
        typeof pattern === 'string' ? [[pattern, name] as const] : [],
      ),
    );
    // One that may be null is no reference: typed languages need it as it is.
    const repeated = all.flatMap(({ at, schema: { type, pattern } }) => {
      const name = typeof pattern === 'string' ? patterns.get(pattern) : undefined;
      const isOwn = name === undefined || at in schemas || type !== 'string';
      return isOwn ? [] : [`${at}: say ${name}`];
    });
    assert.deepEqual(repeated, []);
  });

  it('have every moment and every cursor of the hub in one component', () => {
    const moments = [...all, ...parameters].filter(
      ({ schema: { format } }) => format === 'date-time',
    );
    assert.deepEqual(unique(moments.map(({ at }) => at)), ['Timestamp']);
    const cursors = all.filter(({ at }) => /\.nextCursor$/.test(at));
    assert.deepEqual(unique(cursors.map(({ schema }) => componentOf(schema))), ['', 'Cursor']);
    // The form of another project's list.
    const foreign = cursors.filter(({ schema }) => componentOf(schema) === '');
    assert.deepEqual(unique(foreign.map(({ at }) => at)), ['McpServerList.metadata.nextCursor']);
  });

  it('call a moment …At, and the rest is in the table', () => {
    const others = all.flatMap(({ at, schema }) => {
      const name = at.split('.').at(-1) ?? '';
      return componentOf(schema) === 'Timestamp' && !/(^a|A)t$/.test(name) ? [name] : [];
    });
    assert.deepEqual(unique(others), unique(listed('Moments that are not called')));
  });

  it('name who signs `account` or as the table has it', () => {
    const owners = eachOperation(document).flatMap(({ operation }) => operation['x-owner'] ?? []);
    const names = owners.map((owner) => owner.split('.')[1] ?? '');
    const others = names.filter((name) => name !== 'account');
    assert.deepEqual(unique(others), unique(listed('Who signs is not called')));
  });

  it('have asset and network beside an amount, or the table says where they are', () => {
    const bare = all.flatMap(({ at, schema, isPlaced }) => {
      const isAmount = ['AtomicAmount', 'LedgerSum'].includes(componentOf(schema));
      return isAmount && !isPlaced ? [at.split('.')[0] ?? ''] : [];
    });
    assert.deepEqual(unique(bare), unique(listed('Amounts without asset and network')));
  });
});
