import { usdc } from '../format.ts';
import { Plot } from '../parts/plot.tsx';
import { RangeChoice, useRange } from '../parts/ranges.tsx';
import { plotted, useSeries, type Series } from '../parts/series.ts';
import { With } from '../parts/states.tsx';
import { T } from '../texts.ts';
import { trustTexts } from '../texts/trustPage.ts';

/** How much money there was, and how much of it users had and holds reserved. */
export function SupplyPlots() {
  const [range, setRange] = useRange('7d');
  const series = useSeries(range);
  return (
    <>
      <div class="head">
        <h3>{trustTexts.trust.overTime}</h3>
        <RangeChoice value={range} onChange={setRange} />
      </div>
      <div class="plots">
        <With of={series}>{(value) => <Plots series={value} />}</With>
      </div>
    </>
  );
}

/** Two plots, because the house of a sandbox has far more money than all its users. */
function Plots({ series }: { readonly series: Series }) {
  const shared = {
    kind: 'steps',
    format: (units: number) => usdc(String(units)),
    unit: T.unit(series.network),
    smallest: 1,
  } as const;
  return (
    <div class="columns2 even">
      <Plot
        {...shared}
        {...plotted(series, ({ supply }) => [Number(supply)])}
        title={trustTexts.trust.supplyPlot}
        labels={[trustTexts.trust.supplyNow]}
      />
      <Plot
        {...shared}
        {...plotted(series, ({ ofUsers, held }) => [Number(ofUsers), Number(held)])}
        title={trustTexts.trust.usersPlot}
        labels={[trustTexts.trust.columns.users, trustTexts.trust.columns.held]}
      />
    </div>
  );
}
