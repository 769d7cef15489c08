/**
 * Cards. A card is its place in a new deck, 0 to 51: rank `card % 13` from the deuce up, suit
 * `card / 13` in the order clubs, diamonds, hearts, spades (choices poker.shuffle).
 */
export type Card = number;

export const DECK_SIZE = 52;
const RANKS = '23456789TJQKA';
const SUITS = 'cdhs';

export function cardText(card: Card): string {
  return `${RANKS[card % 13] ?? '?'}${SUITS[Math.floor(card / 13)] ?? '?'}`;
}

/** Parses `As`; undefined when the text is not a card. */
function parseCard(text: string): Card | undefined {
  if (text.length !== 2) return undefined;
  const rank = RANKS.indexOf(text.charAt(0));
  const suit = SUITS.indexOf(text.charAt(1));
  return rank < 0 || suit < 0 ? undefined : suit * 13 + rank;
}

/** Cards of a text such as `As Kd 2c`; throws on anything else, for tests and vectors. */
export function parseCards(text: string): readonly Card[] {
  return text
    .split(/\s+/)
    .filter((each) => each !== '')
    .map((each) => {
      const card = parseCard(each);
      if (card === undefined) throw new RangeError(`not a card: ${each}`);
      return card;
    });
}
