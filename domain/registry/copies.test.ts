import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { bandsOf, isCopy, shared, signatureOf, standsBefore, type CopiedText } from './copies.ts';

/** The listings that searches are measured on. */
const LISTINGS = readFileSync('conformance/search/listings.txt', 'utf8').trim().split('\n');
const TEXTS = LISTINGS.map((line): CopiedText => {
  const [, , description = '', skills = ''] = line.split(' | ');
  const tools = skills.split(' ; ').map((skill) => {
    const [name = '', text = ''] = skill.split(': ');
    return { name, description: text };
  });
  return { description, tools };
});

/** The text of a server with a share of its words replaced, as a clone would have it. */
function changed(text: string, share: number): string {
  return text
    .split(' ')
    .map((word, nth) => ((nth * 7_919) % 100 < share * 100 ? `other${nth}` : word))
    .join(' ');
}

const ONE: CopiedText = {
  description:
    'Forecasts and warnings of the weather for any place on earth, by hour and by day, from ' +
    'measurements of public services, with a history of ten years and a map of rain.',
  tools: Array.from({ length: 12 }, (_, nth) => ({
    name: `forecast-${nth}`,
    description: `Returns the forecast number ${nth} for a place and says how sure it is of it.`,
  })),
};

describe('copies of a listing', () => {
  it('finds a clone that changed its name and a few words', () => {
    const original = signatureOf(ONE) ?? [];
    for (const share of [0, 0.02, 0.05]) {
      const clone = signatureOf({ ...ONE, description: changed(ONE.description, share) }) ?? [];
      assert.ok(isCopy(original, clone), `${share}: ${shared(original, clone)}`);
      const bands = new Set(bandsOf(original));
      assert.ok(
        bandsOf(clone).some((band) => bands.has(band)),
        'a band finds it',
      );
    }
  });

  it('takes no two of 305 listings for copies, and finds the clones of each', () => {
    const signed = TEXTS.flatMap((text) => {
      const signature = signatureOf(text);
      return signature === undefined ? [] : [{ text, signature }];
    });
    const pairs = signed.flatMap((one, at) => signed.slice(at + 1).map((other) => [one, other]));
    const mistaken = pairs.filter(([one, other]) =>
      isCopy(one?.signature ?? [], other?.signature ?? []),
    );
    const found = signed.filter(({ text, signature }) => {
      const clone = { ...text, description: changed(text.description, 0.05) };
      const other = signatureOf(clone) ?? [];
      const bands = new Set(bandsOf(other));
      return isCopy(signature, other) && bandsOf(signature).some((band) => bands.has(band));
    });
    console.log(
      `      ${signed.length} of ${TEXTS.length} texts are long enough, ${pairs.length} pairs, ` +
        `${mistaken.length} taken for copies; clones with 5 % other words found ${found.length}`,
    );
    assert.ok(signed.length >= 50);
    assert.equal(mistaken.length, 0);
    assert.ok(found.length >= 0.9 * signed.length, `${found.length}`);
    assert.equal(signatureOf({ description: 'Adds two numbers.', tools: [] }), undefined);
  });

  it('lets a proved domain stand for the group, then who was seen first', () => {
    const one = { id: 'b', isProved: false, firstSeenAt: 1 };
    assert.ok(standsBefore(one, { id: 'a', isProved: false, firstSeenAt: 2 }));
    assert.ok(standsBefore({ id: 'c', isProved: true, firstSeenAt: 9 }, one));
    assert.ok(standsBefore({ ...one, id: 'a' }, one));
  });
});
