import { percent, usdc } from '../format.ts';
import { Line } from '../parts/plots.tsx';
import { ScrolledTable, Section, Time } from '../parts/shown.tsx';
import { Empty } from '../parts/states.tsx';
import { T } from '../texts.ts';
import { marketTexts as M } from '../texts/markets.ts';
import type { Market } from '../types.ts';
import { oddsLine, type Odds } from './payout.ts';

/** How the odds moved, as a plot and as figures. */
export function OddsOf({ market }: { readonly market: Market }) {
  const { odds = [], state, window } = market;
  const until = state === 'open' ? Date.now() : Date.parse(window.closesAt);
  const points = oddsLine(odds, until);
  const now = points.at(-1);
  return (
    <Section title={M.odds} lead={M.oddsLead}>
      {now === undefined ? (
        <Empty>{M.noBets}</Empty>
      ) : (
        <>
          <Line title={M.oddsPlot(odds.length, percent(now.y / 100))} points={points} />
          <Figures odds={odds} />
        </>
      )}
    </Section>
  );
}

function Figures({ odds }: { readonly odds: readonly Odds[] }) {
  return (
    <details>
      <summary>{M.figures}</summary>
      <ScrolledTable label={M.odds}>
        <thead>
          <tr>
            <th scope="col">{T.when}</th>
            <th scope="col" class="number">
              {M.sides.yes}
            </th>
            <th scope="col" class="number">
              {M.sides.no}
            </th>
          </tr>
        </thead>
        <tbody>
          {odds.map(({ at, yes, no }, place) => (
            <tr key={place}>
              <td>
                <Time at={at} />
              </td>
              <td class="number">{usdc(yes)}</td>
              <td class="number">{usdc(no)}</td>
            </tr>
          ))}
        </tbody>
      </ScrolledTable>
    </details>
  );
}
