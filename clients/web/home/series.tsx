import { count, usdc } from '../format.ts';
import { Plot } from '../parts/plot.tsx';
import { RangeChoice, useRange } from '../parts/ranges.tsx';
import { plotted, useSeries, type Series } from '../parts/series.ts';
import { Section } from '../parts/shown.tsx';
import { With } from '../parts/states.tsx';
import { T } from '../texts.ts';
import { homeTexts as H } from '../texts/home.ts';

/** Money that work brought and tasks that paid, over the range that a person chooses. */
export function PaidOverTime({ network }: { readonly network: string }) {
  const [range, setRange] = useRange('7d');
  const series = useSeries(range);
  return (
    <Section title={H.over} aside={<RangeChoice value={range} onChange={setRange} />}>
      <div class="plots">
        <With of={series}>{(value) => <Plots series={value} network={network} />}</With>
      </div>
    </Section>
  );
}

function Plots({ series, network }: { readonly series: Series; readonly network: string }) {
  return (
    <div class="columns2 even">
      <Plot
        {...plotted(series, ({ paidNet }) => [Number(paidNet)])}
        kind="bars"
        title={H.paidPlot}
        labels={[H.paid]}
        format={(units) => usdc(String(units))}
        unit={T.unit(network)}
        smallest={1}
      />
      <Plot
        {...plotted(series, ({ tasksPaid }) => [tasksPaid])}
        kind="bars"
        title={H.tasksPlot}
        labels={[H.tasksPaid]}
        format={count}
        unit={H.tasksUnit}
        smallest={1}
      />
    </div>
  );
}
