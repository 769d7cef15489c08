import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
import { rehearse, similarity } from './rehearse.ts';
import type { Advice, Wording } from './rehearse.ts';

const CLEAR: Wording = {
  question: 'Will example.org show 100 on 2027-01-01 at 12:00 UTC?',
  source: 'https://example.org/count, the first number',
  closesAt: instant(1_800_000_000_000),
  isChecked: false,
};
const adviceOn = (over: Partial<Wording>): readonly Advice[] => rehearse({ ...CLEAR, ...over }, []);
const moment = (missing: string): Advice => ({
  concern: 'moment',
  says: `The question leaves open ${missing}.`,
});
const answers = (says: string): Advice => ({ concern: 'two-answers', says });
const NO_ADDRESS: Advice = {
  concern: 'source',
  says: 'The source names no address. Say the page or feed, and which reading of it means yes.',
};
const NO_QUESTION = answers('It does not end as a question that yes or no answers.');

describe('advice on the source', () => {
  for (const source of [
    'example.org',
    'EXAMPLE.ORG',
    'the count of feeds.example-site.org',
    'http://localhost:8080/count',
    'https://127.0.0.1/',
  ]) {
    it(`takes "${source}" for an address`, () => {
      assert.deepEqual(adviceOn({ source }), []);
    });
  }

  for (const source of [
    'the news',
    'the press, e.g. a daily',
    'a list, etc. .org only',
    'https:// of the office',
    '.org',
    'version 1.2.3',
  ]) {
    it(`finds no address in "${source}"`, () => {
      assert.deepEqual(adviceOn({ source }), [NO_ADDRESS]);
    });
  }
});

describe('advice on the moment', () => {
  const missing: readonly [string, string][] = [
    ['this year', 'the day, the time of day, the time zone'],
    ['by UTC', 'the day, the time of day'],
    ['at 12:00', 'the day, the time zone'],
    ['on 2027-01-01', 'the time of day, the time zone'],
    ['at 12:00 UTC', 'the day'],
    ['on 2027-01-01 UTC', 'the time of day'],
    ['on 2027-01-01 at 12:00', 'the time zone'],
  ];
  for (const [when, says] of missing) {
    it(`misses ${says} in "${when}"`, () => {
      assert.deepEqual(adviceOn({ question: `Will it be open ${when}?` }), [moment(says)]);
    });
  }

  const days: readonly [(day: string) => string, readonly string[], readonly string[]] = [
    (day) => `Will it be open at noon UTC on ${day}?`,
    ['2027-01-01', '1 January 2027', '2nd of March', '3. Apr', 'January 15, 2027', 'Dec 31'],
    ['January', 'January 2027', '2027', 'the 15th', '2027-1-1'],
  ];
  const hours: typeof days = [
    (hour) => `Will it be open on 2027-01-01, ${hour}, UTC?`,
    ['9:30', '12:00', '3pm', '3 am', '11am', '10 PM', 'noon', 'midnight'],
    ['at 9', '1200', 'the pm', 'morning', '123pm'],
  ];
  const zones: typeof days = [
    (zone) => `Will it be open on 2027-01-01 at 12:00:00${zone}?`,
    [' UTC', ' GMT', ' Z', 'Z', ' utc', '.250Z', '+02:00', '-0330', ' +05:45'],
    ['', ' local time', '+2', ' +030', ' UTCX', ' with 10-1200 users'],
  ];
  it('finds all three in a time as the hub itself writes it', () => {
    for (const when of ['2027-01-01T12:00:00.000Z', '2027-01-01T12:00Z', '2027-01-01 12:00Z']) {
      assert.deepEqual(adviceOn({ question: `Will it be open at ${when}?` }), [], when);
    }
  });

  for (const [part, [ask, known, unknown]] of [
    ['the day', days],
    ['the time of day', hours],
    ['the time zone', zones],
  ] as const) {
    it(`finds ${part} in each of its forms`, () => {
      for (const each of known) assert.deepEqual(adviceOn({ question: ask(each) }), [], each);
    });

    it(`misses ${part} in what only resembles it`, () => {
      for (const each of unknown) {
        assert.deepEqual(adviceOn({ question: ask(each) }), [moment(part)], each);
      }
    });
  }
});

describe('advice on the answers', () => {
  const when = 'on 2027-01-01 at 12:00 UTC';

  it('names each word without a measure', () => {
    for (const word of [
      ...['significant', 'significantly', 'substantial', 'substantially', 'successful'],
      ...['successfully', 'soon', 'popular', 'most people', 'a lot', 'Major'],
    ]) {
      assert.deepEqual(adviceOn({ question: `Will it be ${word} ${when}?` }), [
        answers(`"${word}" has no measure: two judges may answer differently. Name a number.`),
      ]);
    }
  });

  it('names the word that joins two conditions', () => {
    for (const word of ['and', 'or', 'and/or', 'OR']) {
      assert.deepEqual(adviceOn({ question: `Will it rain ${word} snow ${when}?` }), [
        answers(`"${word}" joins two conditions; say what happens when only one is true.`),
      ]);
    }
  });

  it('leaves longer words alone that contain one of these', () => {
    for (const word of ['unlikely', 'goodness', 'significance', 'order', 'brand']) {
      assert.deepEqual(adviceOn({ question: `Will it say ${word} ${when}?` }), [], word);
    }
  });

  it('asks for a question mark at the end, and lets spaces follow it', () => {
    assert.deepEqual(adviceOn({ question: `It will rain ${when}.` }), [NO_QUESTION]);
    assert.deepEqual(adviceOn({ question: `Will it rain? Yes, ${when}` }), [NO_QUESTION]);
    assert.deepEqual(adviceOn({ question: `Will it rain ${when}?` }), []);
    assert.deepEqual(adviceOn({ question: ` Will it rain ${when}? \n` }), []);
  });

  it('has all concerns in one order, and none of them for a number', () => {
    const question = 'it will be good or bad';
    const open = [{ id: 'm1', question }];
    const alike: Advice = {
      concern: 'look-alike',
      says: 'An open market asks nearly the same; two of them split the pot.',
      marketId: 'm1',
    };
    assert.deepEqual(rehearse({ ...CLEAR, question, source: 'the news' }, open), [
      NO_ADDRESS,
      moment('the day, the time of day, the time zone'),
      answers('"good" has no measure: two judges may answer differently. Name a number.'),
      answers('"or" joins two conditions; say what happens when only one is true.'),
      NO_QUESTION,
      alike,
    ]);
    const checked = { ...CLEAR, question, source: 'the news', isChecked: true };
    assert.deepEqual(rehearse(checked, open), [alike]);
    assert.deepEqual(rehearse(checked, []), []);
  });
});

describe('advice on markets that look alike', () => {
  it('names each market that shares seven words in ten, and none below', () => {
    const wording = { ...CLEAR, isChecked: true, question: 'a b c d e f g h' };
    const open = [
      { id: 'same', question: 'H g f e d c b A?' },
      { id: 'seven-of-eleven', question: 'a b c d e f g i j k' },
      { id: 'seven-of-ten', question: 'a b c d e f g i j' },
      { id: 'other', question: 'x y z' },
    ];
    assert.deepEqual(
      rehearse(wording, open).map(({ concern, marketId }) => [concern, marketId]),
      [
        ['look-alike', 'same'],
        ['look-alike', 'seven-of-ten'],
      ],
    );
  });

  const pairs: readonly [string, string, number][] = [
    ['a b', 'a c', 1 / 3],
    ['a b c', 'a b c d', 3 / 4],
    ['one two two', 'Two, one!', 1],
    ['tar', 'rat', 0],
    ['Maße', 'Masse', 0],
    ['caf\u00e9', 'CAFE\u0301', 1],
    ['?!', '...', 0],
    ['', 'a', 0],
  ];
  for (const [a, b, part] of pairs) {
    it(`measures "${a}" and "${b}" by the words that they share`, () => {
      assert.equal(similarity(a, b), part);
    });
  }
});
