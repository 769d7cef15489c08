import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { cardText } from './cards.ts';
import { commitTo, deckKey, drawnSeats, entropyOf, firstButton, shuffledDeck } from './shuffle.ts';

interface Vector {
  readonly seed: string;
  readonly tableId: string;
  readonly n: number;
  readonly entropy: string;
  readonly commit: string;
  readonly key?: string;
  readonly deck?: string;
  readonly deckStarts?: string;
}
const { decks } = JSON.parse(
  readFileSync(new URL('../../spec/vectors/poker-deck.json', import.meta.url), 'utf8'),
) as { readonly decks: readonly Vector[] };

describe('the committed shuffle', () => {
  for (const vector of decks) {
    it(`gives the vector of hand ${vector.n}`, () => {
      const seed = Buffer.from(vector.seed, 'hex');
      const key = deckKey({ ...vector, seed });
      const deck = shuffledDeck(key).map(cardText).join(' ');
      assert.equal(commitTo(seed), vector.commit);
      if (vector.key !== undefined) assert.equal(Buffer.from(key).toString('hex'), vector.key);
      if (vector.deck !== undefined) assert.equal(deck, vector.deck);
      if (vector.deckStarts !== undefined) assert.ok(deck.startsWith(vector.deckStarts));
    });
  }

  it('takes the digest of an empty list as the vector does', () => {
    assert.equal(entropyOf([]), decks[0]?.entropy);
  });

  it('spreads cards, buttons and drawn seats evenly', () => {
    const rounds = 5_200;
    const first = new Array<number>(52).fill(0);
    const buttons = new Array<number>(6).fill(0);
    const seats = new Array<number>(6).fill(0);
    for (let n = 1; n <= rounds; n += 1) {
      const key = deckKey({ seed: Buffer.alloc(32, 7), tableId: 't', n, entropy: 'e' });
      const deck = shuffledDeck(key);
      assert.equal(new Set(deck).size, 52);
      bump(first, deck[0]);
      bump(buttons, firstButton(key, 6));
      bump(seats, drawnSeats(key, [0, 1, 2, 3, 4, 5]).indexOf(0));
    }
    // Six standard deviations of a fair draw.
    assert.ok(
      first.every((count) => Math.abs(count - 100) < 60),
      `${first}`,
    );
    for (const counts of [buttons, seats]) {
      assert.ok(
        counts.every((count) => Math.abs(count - rounds / 6) < 162),
        `${counts}`,
      );
    }
  });
});

function bump(counts: number[], at: number | undefined): void {
  if (at !== undefined) counts[at] = (counts[at] ?? 0) + 1;
}
