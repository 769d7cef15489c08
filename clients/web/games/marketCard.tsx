import { percent } from '../format.ts';
import { Badge, Money, Time } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { pathTo } from '../routes.ts';
import { moreTexts } from '../texts/more.ts';
import { marketTexts as M } from '../texts/markets.ts';
import type { Market } from '../types.ts';
import { cents } from './payout.ts';

export function MarketCard({ market }: { readonly market: Market }) {
  const { id, question, state, outcome, pot, network, window, sandboxAgent } = market;
  return (
    <li class="card market">
      <p>
        <a class="untrusted plain" href={pathTo(`markets/${id}`)}>
          {question}
        </a>
      </p>
      {outcome === undefined ? (
        <Chance market={market} />
      ) : (
        <p>
          {M.outcome}: <b>{moreTexts.games.outcomes[outcome]}</b>
        </p>
      )}
      <p class="meta">
        {state !== 'open' && <StateBadge of="market" state={state} />}
        {sandboxAgent === true && state === 'open' && <Badge tone="good">{M.practice}</Badge>}
        <span>
          {moreTexts.games.pot} <Money units={pot} network={network} />
        </span>
        <span>
          {state === 'open' ? moreTexts.games.closes : moreTexts.games.closed}{' '}
          <Time at={window.closesAt} />
        </span>
      </p>
    </li>
  );
}

export function Chance({ market: { sides } }: { readonly market: Market }) {
  const bps = sides.find(({ side }) => side === 'yes')?.potBps;
  if (bps === undefined) return <p class="quiet">{M.noChance}</p>;
  return (
    <div class="chance">
      <p>
        <b>{percent(bps / 10_000)}</b> <span class="quiet">{M.chance}</span>
      </p>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="4" class="part1" />
        <rect width={bps / 100} height="4" class="part0" />
      </svg>
      <p class="meta">
        {sides.map(
          ({ side, returns }) =>
            returns !== undefined && (
              <span key={side}>
                <i class={side === 'yes' ? 'part0' : 'part1'} aria-hidden="true" /> {M.sides[side]}:{' '}
                {M.returns(cents(returns.after))}
              </span>
            ),
        )}
      </p>
    </div>
  );
}
