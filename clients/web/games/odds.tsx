import { Plot } from '../parts/plot.tsx';
import { Section } from '../parts/shown.tsx';
import { Empty } from '../parts/states.tsx';
import { marketTexts as M } from '../texts/markets.ts';
import type { Market } from '../types.ts';
import { oddsOf } from './payout.ts';

export function OddsOf({ market }: { readonly market: Market }) {
  const { odds = [], state, window } = market;
  const samples = oddsOf(odds);
  return (
    <Section title={M.odds} lead={M.oddsLead}>
      {samples.length === 0 ? (
        <Empty>{M.noBets}</Empty>
      ) : (
        <Plot
          title={M.oddsPlot(odds.length)}
          labels={[M.sides.yes]}
          samples={samples}
          kind="steps"
          from={samples[0]?.at ?? 0}
          until={state === 'open' ? Date.now() : Date.parse(window.closesAt)}
          format={(share) => String(Math.round(share * 10) / 10)}
          unit="%"
          top={100}
        />
      )}
    </Section>
  );
}
