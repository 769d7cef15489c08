import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { deref, operations, type Json } from '../../harness/contract.ts';

/**
 * One paging idiom for every list of the contract (choices pipeline.paging): a page says `count`,
 * `limit`, `hasMore` and, unless it is the last, `nextCursor`, which is the `cursor` of the next page.
 */

/** Lists in the form of another standard, whose clients read them as they are. */
const OF_STANDARDS = ['discovery.resources', 'registry.servers'];
/** The offset that the interface allows for two lists, beside `cursor`, and that of a file's bytes. */
const TAKES_OFFSET = ['discovery.cases', 'registry.list', 'tasks.file'];
/** Where `after` is the sequence number of a table and its answer is no list (interface, Games). */
const VIEWS = ['poker.get', 'poker.seat'];
/** Where the envelope of a list is built when it is not in the handler of its own name. */
const BUILT_IN: Readonly<Record<string, string>> = {
  'wallet.statement': 'wallet/present/statement.ts',
  'wallet.transactions': 'wallet/present/statement.ts',
};
/** Its `nextCursor` is there on the last page too, since one waits with it for what comes. */
const FOLLOWED = 'wallet.events';
/** Names of a cursor that would be a second idiom. */
const OTHER_CURSOR = /^(?:before|page|pageToken|since|start|from)$/;
const OTHER_NEXT = /^(?:more|next(?:Before|After|Offset|Page|Token)|cursor)$/;

interface Parameter extends Json {
  readonly name: string;
  readonly in: string;
  readonly schema: Json;
}

interface Listed {
  readonly operationId: string;
  readonly query: readonly Parameter[];
  readonly answer: Json;
  readonly members: Readonly<Record<string, Json>>;
}

const reads: readonly Listed[] = operations.flatMap(({ operationId, method, responses, raw }) => {
  const schema = responses['200']?.content?.['application/json']?.schema;
  if (method !== 'GET' || schema === undefined) return [];
  const answer = deref<Json>(schema);
  const members = (answer['properties'] ?? {}) as Readonly<Record<string, Json>>;
  const query = ((raw['parameters'] ?? []) as unknown[])
    .map((each) => deref<Parameter>(each))
    .filter((each) => each.in === 'query');
  return [{ operationId, query, answer, members }];
});
const takes = ({ query }: Listed, name: string): boolean =>
  query.some((each) => each.name === name);
const pages = reads.filter(
  (each) => takes(each, 'limit') && !OF_STANDARDS.includes(each.operationId),
);

describe('every page of a list', () => {
  it('is one of many', () => {
    assert.ok(pages.length >= 31, `${pages.length} pages`);
  });

  for (const list of pages) {
    const { operationId, query, answer, members } = list;
    const typed = (name: string): unknown => deref<Json>(members[name] ?? {})['type'];

    it(`${operationId} has the one envelope`, () => {
      const required = answer['required'] as readonly string[];
      assert.deepEqual(
        [typed('count'), typed('hasMore'), typed('nextCursor')],
        ['integer', 'boolean', 'string'],
      );
      assert.ok(['count', 'hasMore'].every((name) => required.includes(name)));
      assert.equal(required.includes('nextCursor'), operationId === FOLLOWED);
      // The interface puts what was applied to the agents' list into `query`.
      const applied = operationId === 'registry.list' ? deref<Json>(members['query']) : answer;
      const { limit } = applied['properties'] as Readonly<Record<string, Json>>;
      assert.equal(limit?.['type'], 'integer');
    });

    it(`${operationId} takes the cursor of a page as it is, under its old names too`, () => {
      const schemaOf = (named: string): unknown => query.find(({ name }) => name === named)?.schema;
      const one = { $ref: '#/components/schemas/Cursor' };
      assert.deepEqual(
        [members['nextCursor'], schemaOf('cursor'), schemaOf('after')],
        [one, one, one],
      );
      const old = [members['next'], query.find(({ name }) => name === 'after')];
      assert.deepEqual(
        old.map((each) => deref<Json>(each)['deprecated']),
        [true, true],
      );
    });

    it(`${operationId} has its rows in the first list of the answer`, () => {
      const lists = Object.keys(members).filter((name) => typed(name) === 'array');
      const rows = deref<Json>(members[lists[0] ?? '']);
      const names = Object.keys(members);
      assert.ok(rows['items'] !== undefined, `${operationId} has no list`);
      assert.ok(names.indexOf('count') < names.indexOf(lists[0] ?? '') || lists.length === 1);
    });

    it(`${operationId} builds it by the one helper`, () => {
      const own = BUILT_IN[operationId] ?? `${operationId.replace('.', '/')}.ts`;
      const text = readFileSync(new URL(`../../../handlers/${own}`, import.meta.url), 'utf8');
      const says = operationId === FOLLOWED ? /presentEvents\(/ : /\.\.\.envelope|= envelopeOf\(/;
      assert.match(text, says);
    });
  }

  /** `from` beside `to` is a span of time. */
  const isSpan = (query: readonly Parameter[], name: string): boolean =>
    name === 'from' && query.some((each) => each.name === 'to');

  it('knows no other cursor', () => {
    const others = pages.flatMap(({ operationId, query, members }) => [
      ...query
        .filter(({ name }) => OTHER_CURSOR.test(name) && !isSpan(query, name))
        .map(({ name }) => [operationId, name]),
      ...Object.keys(members)
        .filter((name) => OTHER_NEXT.test(name))
        .map((name) => [operationId, name]),
    ]);
    assert.deepEqual(others, [['registry.list', 'nextOffset']], 'the interface has this one');
    const byOffset = reads.filter(
      (each) => takes(each, 'offset') && !OF_STANDARDS.includes(each.operationId),
    );
    assert.deepEqual(byOffset.map((each) => each.operationId).sort(), TAKES_OFFSET);
  });
});

describe('every whole list', () => {
  it('says how many it has and takes no cursor', () => {
    for (const list of reads) {
      if (takes(list, 'limit') || VIEWS.includes(list.operationId)) continue;
      assert.ok(!takes(list, 'after') && !takes(list, 'cursor'), list.operationId);
      assert.ok(list.members['hasMore'] === undefined, `${list.operationId} has no cursor`);
    }
    const whole = reads.filter((each) => !takes(each, 'limit') && 'count' in each.members);
    assert.ok(whole.length >= 9, `${whole.length} whole lists`);
    for (const { operationId, members, answer } of whole) {
      assert.ok((answer['required'] as readonly string[]).includes('count'), operationId);
      const types = Object.values(members).map((each) => deref<Json>(each)['type']);
      assert.ok(types.includes('array'), operationId);
    }
  });
});
