import { unwrap } from '../../typescript/index.ts';
import { count, usdc } from '../format.ts';
import { useLoad } from '../load.ts';
import { Plot } from '../parts/plot.tsx';
import { RangeChoice, useRange } from '../parts/ranges.tsx';
import { Section } from '../parts/shown.tsx';
import { With } from '../parts/states.tsx';
import { reader } from '../session.ts';
import { T } from '../texts.ts';
import type { Got } from '../types.ts';

type Series = Got<'/api/v1/stats/series'>;
const EVERY_MS = 60_000;

/** Money that work brought and tasks that paid, over the range that a person chooses. */
export function PaidOverTime({ network }: { readonly network: string }) {
  const [range, setRange] = useRange('7d');
  const series = useLoad(
    `series ${range}`,
    async (signal) => {
      const params = { query: { range } };
      return unwrap(await reader.GET('/api/v1/stats/series', { params, signal }));
    },
    EVERY_MS,
  );
  return (
    <Section title={T.home.over} aside={<RangeChoice value={range} onChange={setRange} />}>
      <div class="plots">
        <With of={series}>{(value) => <Plots series={value} network={network} />}</With>
      </div>
    </Section>
  );
}

function Plots({ series, network }: { readonly series: Series; readonly network: string }) {
  const { parts, partSeconds } = series;
  const bucketMs = partSeconds * 1_000;
  const starts = parts.map(({ from }) => Date.parse(from));
  const first = starts[0] ?? 0;
  const axes = { kind: 'bars', from: first, until: first + parts.length * bucketMs } as const;
  return (
    <div class="columns2 even">
      <Plot
        {...axes}
        title={T.home.paidPlot}
        labels={[T.home.paid]}
        samples={parts.map(({ paidNet }, place) => ({
          at: starts[place] ?? 0,
          values: [Number(paidNet)],
        }))}
        bucketMs={bucketMs}
        format={(units) => usdc(String(units))}
        unit={T.unit(network)}
        smallest={1}
      />
      <Plot
        {...axes}
        title={T.home.tasksPlot}
        labels={[T.home.tasksPaid]}
        samples={parts.map(({ tasksPaid }, place) => ({
          at: starts[place] ?? 0,
          values: [tasksPaid],
        }))}
        bucketMs={bucketMs}
        format={count}
        unit={T.home.tasksUnit}
        smallest={1}
      />
    </div>
  );
}
