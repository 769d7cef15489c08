import { later } from '../parts/later.tsx';
import { RangeChoice, useRange } from '../parts/ranges.tsx';
import { useSeries } from '../parts/series.ts';
import { Section } from '../parts/shown.tsx';
import { With } from '../parts/states.tsx';
import { homeTexts as H } from '../texts/home.ts';

/** The plots lie below what a first reader needs, so their code comes after it. */
const SeriesPlots = later(() => import('./seriesPlots.tsx').then((part) => part.SeriesPlots));

/** Money that work brought and tasks that paid, over the range that a person chooses. */
export function PaidOverTime({ network }: { readonly network: string }) {
  const [range, setRange] = useRange('7d');
  const series = useSeries(range);
  return (
    <Section title={H.over} aside={<RangeChoice value={range} onChange={setRange} />}>
      <div class="plots">
        <With of={series}>{(value) => <SeriesPlots series={value} network={network} />}</With>
      </div>
    </Section>
  );
}
