import assert from 'node:assert/strict';
import type { SearchIndex } from '../../domain/search/index.ts';
import { asked, given, indexOf, rowsOf, type AskedIn } from './_languages.ts';
import { listings } from './_set.ts';

/** The first place, of the queries by which the vocabulary was mended, and of those held out. */
const FIRST_MIN = { mended: 0.9, heldOut: 0.86 };
const QUERIES = 300;
const LANGUAGES = 10;
const QUERY_MS_MAX = 20;

const first = (index: SearchIndex, text: string): string | undefined =>
  index.find({ text, kinds: ['agent'], order: 'score', count: 1 })[0]?.ref;

describe('a search in ten languages', () => {
  const index = indexOf(given);

  it('has 30 queries of each language, with answers that exist', () => {
    const known = new Set(listings.map(({ listing }) => listing.host));
    const counts = new Map<string, number>();
    for (const { language } of asked) counts.set(language, (counts.get(language) ?? 0) + 1);
    assert.equal(asked.length, QUERIES);
    assert.deepEqual([...counts.values()], Array(LANGUAGES).fill(QUERIES / LANGUAGES));
    assert.deepEqual(
      asked.flatMap(({ right }) => right.filter((host) => !known.has(host))),
      [],
    );
  });

  it('has the right answer first, of the queries that were held out as well', () => {
    const missed: string[] = [];
    const share = (some: readonly AskedIn[]): number => {
      const right = some.filter(({ language, query, right }) => {
        const found = first(index, query) ?? 'nothing';
        const isRight = right.includes(found);
        if (!isRight) missed.push(`${language} ${query}: ${found}`);
        return isRight;
      });
      return right.length / some.length;
    };
    const mended = share(asked.filter((_, n) => n % 2 === 0));
    const heldOut = share(asked.filter((_, n) => n % 2 === 1));
    assert.ok(mended >= FIRST_MIN.mended, `${mended}\n${missed.join('\n')}`);
    assert.ok(heldOut >= FIRST_MIN.heldOut, `${heldOut}\n${missed.join('\n')}`);
  });

  it('answers a long query of common words within its time', () => {
    const texts = asked.map(({ query }) => query);
    const long = texts.join(' ').slice(0, 256);
    const hostile = ['wettervorhersage'.repeat(16), '天气'.repeat(128), 'ß'.repeat(256), long];
    for (const text of hostile) {
      first(index, text);
      const spent = Array.from({ length: 5 }, () => {
        const before = process.cpuUsage();
        first(index, text);
        return process.cpuUsage(before).user / 1000;
      });
      assert.ok(Math.min(...spent) < QUERY_MS_MAX, `${text.slice(0, 20)}: ${spent.join(', ')} ms`);
    }
  });
});

describe('listings in other languages', () => {
  const index = indexOf([
    {
      id: 'de',
      name: 'Wetterdienst',
      description:
        'Vorhersagen und Unwetterwarnungen für alle Städte, mit den Karten der Stationen.',
    },
    {
      id: 'fr',
      name: 'Traducteur',
      description: 'Il traduit vos documents dans toutes les langues, avec les notes de la page.',
    },
    {
      id: 'es',
      name: 'Recetario',
      description: 'Las recetas de la abuela para cocinar con lo que tienes en la nevera.',
    },
    { id: 'ru', name: 'Погода', description: 'Прогнозы на неделю и предупреждения о штормах.' },
    { id: 'el', name: 'Ο Καιρός', description: 'Προγνώσεις για όλες τις πόλεις.' },
    { id: 'zh', name: '快递助手', description: '查询包裹的位置。' },
    { id: 'en', name: 'Die Cutter', description: 'Cuts a die for les Paul guitars with gpt4.' },
  ]);
  const rows: readonly (readonly [what: string, query: string, id: string])[] = [
    ['another ending of a German word', 'Vorhersage', 'de'],
    ['a part of a German compound', 'Warnung mit Karten', 'de'],
    ['an English word for a German listing', 'weather map of the cities', 'de'],
    ['another form of a French verb', 'traduire des documents', 'fr'],
    ['another form of a Spanish verb', 'cocinando recetas', 'es'],
    ['another case of a Russian word', 'прогноз шторма', 'ru'],
    ['Latin letters for Russian ones', 'pogoda', 'ru'],
    ['another case of a Greek word', 'πρόγνωση πόλη', 'el'],
    ['Latin letters for Greek ones', 'kairos', 'el'],
    ['an English word for a Chinese listing', 'parcel', 'zh'],
    ['letters of a word that ends with digits', 'gpt 4', 'en'],
    ['a Japanese word for a Chinese listing', '荷物', 'zh'],
  ];
  for (const [what, query, id] of rows) {
    it(`are found by ${what}`, () => assert.equal(first(index, query), id));
  }

  it('leave the terms of English texts as they were', () => {
    const english = rowsOf({
      id: 'a',
      name: 'Die Cutter',
      description: 'A tool that cuts les Paul.',
    });
    const terms = String(english[0]?.[4])
      .trim()
      .split(' ')
      .map((each) => each.split(':')[0]);
    assert.deepEqual([...terms].sort(), ['=diecutter', 'cut', 'die', 'les', 'paul', 'tool']);
  });
});
