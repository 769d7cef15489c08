import { pokerTexts as P } from '../texts/poker.ts';
import { chipsText } from './chips.ts';

const SIGNS: Readonly<Record<string, string>> = { c: '♣', d: '♦', h: '♥', s: '♠' };

function PlayingCard({ card }: { readonly card: string }) {
  const rank = card.charAt(0);
  const suit = card.charAt(1);
  return (
    <span
      class={`playing ${suit}`}
      role="img"
      aria-label={P.card(P.ranks[rank] ?? rank, P.suits[suit] ?? suit)}
    >
      {rank === 'T' ? '10' : rank}
      <br />
      {SIGNS[suit]}
    </span>
  );
}

export function Cards({ cards }: { readonly cards: readonly string[] }) {
  return (
    <span class="cards">
      {cards.map((card) => (
        <PlayingCard key={card} card={card} />
      ))}
    </span>
  );
}

export function Backs() {
  return (
    <span class="cards" role="img" aria-label={P.hidden}>
      <span class="playing back" />
      <span class="playing back" />
    </span>
  );
}

const PILE_MAX = 6;

/** A pile that grows with the digits of the amount, and the amount. */
export function Chips({ chips }: { readonly chips: string }) {
  const height = chips === '0' ? 0 : Math.min(PILE_MAX, chips.length);
  return (
    <span class="chips">
      <svg viewBox="0 0 20 24" aria-hidden="true">
        {Array.from({ length: height }, (_, place) => (
          <ellipse
            key={place}
            cx="10"
            cy={20 - place * 3}
            rx="9"
            ry="3.4"
            class={`part${place % 5}`}
          />
        ))}
      </svg>
      {chipsText(chips)}
    </span>
  );
}
