import { unwrap } from '../../typescript/refusal.ts';
import { milliseconds, percent } from '../format.ts';
import { useLoad } from '../load.ts';
import { Plot } from '../parts/plot.tsx';
import { DAY, within } from '../parts/plotScale.ts';
import { lengthOf, RangeChoice, useRange } from '../parts/ranges.tsx';
import { Badge, Section, Stranger, Time } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { reader } from '../session.ts';
import { listingTexts as L } from '../texts/listing.ts';
import type { Got } from '../types.ts';

type ListingHistory = Got<'/api/v1/agents/{id}/history'>;
type Change = ListingHistory['changes'][number];
const CHANGES = 50;

export function HistoryOf({ id }: { readonly id: string }) {
  const history = useLoad(`history ${id}`, async (signal) => {
    const params = { path: { id }, query: { limit: CHANGES } };
    return unwrap(await reader.GET('/api/v1/agents/{id}/history', { params, signal }));
  });
  return (
    <div class="columns2 even">
      <Section title={L.days} lead={L.daysLead}>
        <With of={history}>{({ days }) => <Days days={[...days].reverse()} />}</With>
      </Section>
      <Section title={L.changes} lead={L.changesLead}>
        <With of={history}>
          {({ changes, hasMore }) => (
            <>
              {changes.length === 0 && <Empty>{L.noChanges}</Empty>}
              <ul class="rows">
                {changes.map((change) => (
                  <li key={`${change.at} ${change.path}`}>
                    <OneChange change={change} />
                  </li>
                ))}
              </ul>
              {hasMore && <p class="quiet">{L.older}</p>}
            </>
          )}
        </With>
      </Section>
    </div>
  );
}

function Days({ days }: Pick<ListingHistory, 'days'>) {
  const [range, setRange] = useRange('30d');
  if (days.length === 0) return <Empty>{L.noDays}</Empty>;
  const until = Date.now();
  const from = Math.floor((until - lengthOf(range)) / DAY) * DAY;
  const samples = within(
    days.map(({ day, uptime, latencyMs }) => ({
      at: Date.parse(day),
      values: [uptime === undefined ? undefined : uptime * 100, latencyMs],
    })),
    from,
    until,
  );
  const axes = { samples, from, until, bucketMs: DAY };
  return (
    <>
      <RangeChoice value={range} onChange={setRange} />
      <Plot
        {...axes}
        title={L.uptimePlot}
        labels={[L.answered]}
        kind="bars"
        format={(share) => percent(share / 100)}
        unit=""
        top={100}
      />
      <Plot
        {...axes}
        samples={samples.map(({ at, values: [, latency] }) => ({ at, values: [latency] }))}
        title={L.latencyPlot}
        labels={[L.latency]}
        kind="bars"
        format={(value) => milliseconds(Math.round(value))}
        unit=""
        smallest={1}
      />
    </>
  );
}

function OneChange({ change: { at, path, change, before, after } }: { readonly change: Change }) {
  return (
    <>
      <p class="meta">
        <code>{path}</code> <Badge tone="quiet">{L.kinds[change]}</Badge> <Time at={at} />
      </p>
      {before !== undefined && <Stranger text={`${L.from}: ${before}`} />}
      {after !== undefined && <Stranger text={`${L.to}: ${after}`} />}
    </>
  );
}
