import assert from 'node:assert/strict';
import { expansionsOf, type Terms } from './expansions.ts';
import type { Term } from './plan.ts';
import { deletionVariants } from './typos.ts';

/** Words with the number of agents that have them. */
function termsOf(counts: Readonly<Record<string, number>>): Terms {
  const all = Object.entries(counts).map(([term, agents], id): Term => {
    return { id, term, documents: [agents, 0, 0, 9] };
  });
  return {
    named: (word) => all.find(({ term }) => term === word),
    beginningWith: (beginning) => all.filter(({ term }) => term.startsWith(beginning)),
    withForm: (forms) =>
      all.filter(({ term }) => deletionVariants(term).some((form) => forms.includes(form))),
  };
}

function found(
  counts: Readonly<Record<string, number>>,
  word: string,
  {
    others = [] as readonly string[],
    forms = [] as readonly string[],
    meanings = [] as readonly string[],
    isLast = false,
    whole = word,
  } = {},
): string {
  const abroad = { forms: () => forms, meanings: () => meanings };
  const asked = { term: word, whole, others, ...abroad, isLast };
  return expansionsOf(termsOf(counts), asked, ['agent'])
    .map(({ term, share }) => `${term.term} ${share}`)
    .join(', ');
}

describe('the words that may stand for one that was asked for', () => {
  it('are not looked for in other languages where many documents have the word itself', () => {
    const unasked = (): never => assert.fail('its stems are worked out for nothing');
    const common = { term: 'weather', whole: 'weather', others: [], isLast: false };
    const asked = { ...common, forms: unasked, meanings: unasked };
    assert.equal(expansionsOf(termsOf({ weather: 50 }), asked, ['agent']).length, 1);
  });

  it('are English words for one of another language, and then no misspelled ones', () => {
    const counts = { weather: 9, better: 5, wetter: 0 };
    const meanings = ['weather', 'storm'];
    assert.equal(found(counts, 'wetter', { meanings, isLast: true }), 'weather 90');
    assert.equal(found({ ...counts, wetter: 4 }, 'wetter', { meanings }), 'wetter 100');
    assert.equal(
      found({ karten: 3, kart: 2 }, 'karten', { forms: ['kart'] }),
      'karten 100, kart 55',
    );
    assert.equal(found({ karten: 50, kart: 2 }, 'karten', { forms: ['kart'] }), 'karten 100');
    assert.match(found({ better: 5 }, 'wetter', { meanings }), /^better 60/, 'none is there');
  });

  it('are the word itself, and others of its meaning that a document has', () => {
    const counts = { music: 9, song: 3, tune: 0 };
    const others = ['song', 'tune', 'none'];
    assert.equal(found(counts, 'music', { others }), 'music 100, song 55');
    assert.equal(found({ ...counts, music: 0 }, 'music', { others }), 'song 55');
    assert.equal(found({}, 'music', { others }), '');
  });

  it('begin with the last word while it is rare, the most common first', () => {
    const counts = { orch: 2, orchid: 1, orchard: 5, orchestra: 5, orchre: 0 };
    const last = { isLast: true };
    const longer = 'orchard 70, orchestra 70, orchid 70';
    assert.equal(found(counts, 'orch', last), `orch 100, ${longer}`);
    assert.equal(found(counts, 'orch'), 'orch 100');
    assert.equal(found({ ...counts, orch: 3 }, 'orch', last), 'orch 100');
    assert.equal(found(counts, 'orc', last), 'orchard 70, orchestra 70, orch 70, orchid 70');
    assert.equal(found(counts, 'orc'), 'orchard 70, orchestra 70, orch 70, orchid 70');
    assert.equal(found(counts, 'or', last), '');
  });

  it('are five at most, each once', () => {
    const counts = { orch: 1, a: 1, b: 1, orchard: 4, orchid: 3, orchestra: 2, orche: 1, orchx: 1 };
    const asked = { isLast: true, others: ['orchard', 'a'] };
    assert.equal(
      found(counts, 'orch', asked),
      'orch 100, orchard 55, a 55, orchid 70, orchestra 70',
    );
    assert.equal(
      found(counts, 'orc'),
      'orchard 70, orchid 70, orchestra 70, orch 70',
      'four that begin so',
    );
  });

  it('are a letter off where nothing has the word, the nearest and most common first', () => {
    const counts = { leather: 2, feather: 7, weather: 2, wonder: 9 };
    assert.equal(found(counts, 'zeather'), 'feather 60, leather 60, weather 60');
    assert.equal(found({ ...counts, zeather: 1 }, 'zeather'), 'zeather 100');
    assert.equal(found({ ...counts, zeather: 0 }, 'zeather'), 'feather 60, leather 60, weather 60');
    assert.equal(found({ ...counts, feather: 0 }, 'zeather'), 'leather 60, weather 60');
    assert.equal(found({ cat: 9 }, 'cax'), '', 'three letters are too few');
  });

  it('are two letters off in words of eight letters and more', () => {
    assert.equal(found({ translator: 1 }, 'tanslatoxr'), 'translator 60');
    assert.equal(found({ orchards: 1 }, 'ochardxs'), 'orchards 60');
    assert.equal(found({ weather: 1 }, 'wathexr'), '');
    const near = { orchards: 1, ochardxy: 1 };
    assert.equal(found(near, 'ochardxs'), 'ochardxy 60, orchards 60');
  });

  it('are those whose ending the slip changed', () => {
    const counts = { translat: 4 };
    assert.equal(found(counts, 'transalt', { whole: 'transalte' }), 'translat 60');
    assert.equal(found({ invoic: 4 }, 'invocies', { whole: 'invocies' }), 'invoic 60');
  });
});
