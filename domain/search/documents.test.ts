import assert from 'node:assert/strict';
import { commentDocument, listingDocuments, taskDocument, type ListingText } from './documents.ts';

const entries = (weights: ReadonlyMap<string, number>): Readonly<Record<string, number>> =>
  Object.fromEntries(weights);

describe('the documents of a listing', () => {
  const text: ListingText = {
    id: 'agent',
    name: 'Watch Tower',
    description: 'Sees ships.',
    host: 'api.tower-watch.example:8443',
    skills: [
      { place: 0, name: 'spot_ship', description: 'Finds one.', tags: ['sea'] },
      { place: 4, name: 'count', description: 'x', tags: [] },
    ],
    standing: { answers: false, karma: 3, reach: 9 },
  };

  const OWN = {
    '=watchtower': 255,
    '=spotship': 200,
    '=count': 200,
    watch: 256 + 182,
    tow: 256 + 182,
    see: 121,
    ship: 184,
    spot: 161,
    count: 161,
    sea: 143,
    find: 81,
    one: 81,
    x: 81,
  };
  const SHIP = {
    '=spotship': 255,
    spot: 256 + 159,
    ship: 256 + 159,
    sea: 143,
    find: 121,
    one: 121,
    watch: 61,
    tow: 61,
  };

  it('are one of its own and one of each skill', () => {
    const [own, ship, count] = listingDocuments(text);
    assert.deepEqual(
      [own, ship, count].map((each) => [each?.kind, each?.ref, each?.part]),
      [
        ['agent', 'agent', 0],
        ['skill', 'agent', 0],
        ['skill', 'agent', 4],
      ],
    );
    assert.deepEqual(own?.standing, text.standing);
    assert.deepEqual(ship?.standing, { answers: true, karma: 0, reach: 0 });
    assert.deepEqual(entries(own?.weights ?? new Map()), OWN);
    assert.deepEqual(entries(ship?.weights ?? new Map()), SHIP);
  });

  it('name the labels of a host that are its own', () => {
    const hostOf = (host: string): readonly string[] => {
      const [own] = listingDocuments({ ...text, name: '', description: '', skills: [], host });
      return [...(own?.weights.keys() ?? [])];
    };
    assert.deepEqual(hostOf('www.api.mcp.a2a.agent.example'), []);
    assert.deepEqual(hostOf('mcp.orchard.pier.example:80'), ['orchard', 'pier']);
    assert.deepEqual(hostOf('localhost'), []);
  });

  it('are a thousand skills at most, and a hundred names of them', () => {
    const skills = Array.from({ length: 1_001 }, (_, place) => {
      return { place, name: `n${place}q`, description: '', tags: [] };
    });
    const all = listingDocuments({ ...text, skills });
    assert.equal(all.length, 1_001);
    const names = [...(all[0]?.weights.keys() ?? [])].filter((term) => /^=n/.test(term));
    assert.equal(names.length, 100);
  });

  it('have the first twelve words of each skill', () => {
    const words = Array.from({ length: 13 }, (_, nth) => `w${nth}q`);
    const skills = [{ place: 0, name: 'x', description: words.join('  '), tags: [] }];
    const [own] = listingDocuments({ ...text, skills });
    assert.deepEqual([own?.weights.has('w11q'), own?.weights.has('w12q')], [true, false]);
  });

  it('have another digest for another text alone', () => {
    const digest = (over: Partial<ListingText>): string =>
      listingDocuments({ ...text, ...over })[0]?.digest ?? '';
    assert.match(digest({}), /^[0-9a-f]{13}$/);
    const standing = { answers: true, karma: 0, reach: 0 };
    assert.equal(digest({ standing, id: 'other' }), digest({}));
    assert.notEqual(digest({ name: 'Watch Towers' }), digest({}));
  });
});

describe('the documents of tasks and comments', () => {
  it('weigh a title above labels above a text', () => {
    const task = taskDocument({
      id: 't',
      title: 'Orchard',
      labels: ['pier'],
      description: 'meadow',
    });
    assert.deepEqual([task.kind, task.ref, task.part], ['task', 't', 0]);
    assert.deepEqual(entries(task.weights), {
      orchard: 256 + 170,
      pier: 143,
      meadow: 125,
      '=orchard': 255,
    });
    const comment = commentDocument('c', 'meadow');
    assert.deepEqual(
      [comment.kind, comment.ref, entries(comment.weights)],
      ['comment', 'c', { meadow: 125 }],
    );
  });
});
