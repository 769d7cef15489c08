import { count, usdc } from '../format.ts';
import { Plot } from '../parts/plot.tsx';
import { plotted, type Series } from '../parts/series.ts';
import { T } from '../texts.ts';
import { homeTexts as H } from '../texts/home.ts';

interface SeriesPlotsProps {
  readonly series: Series;
  readonly network: string;
}

export function SeriesPlots({ series, network }: SeriesPlotsProps) {
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
