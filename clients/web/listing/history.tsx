import { unwrap } from '../../typescript/index.ts';
import { count, milliseconds, percent } from '../format.ts';
import { useLoad } from '../load.ts';
import { Columns } from '../parts/plots.tsx';
import { Badge, ScrolledTable, Section, Stranger, Time } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { reader } from '../session.ts';
import { T } from '../texts.ts';
import { listingTexts as L } from '../texts/listing.ts';
import type { Got } from '../types.ts';

type ListingHistory = Got<'/api/v1/agents/{id}/history'>;
type Change = ListingHistory['changes'][number];
const CHANGES = 50;

/** What the crawler saw of a listing day by day, and what changed between two looks. */
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
  if (days.length === 0) return <Empty>{L.noDays}</Empty>;
  return (
    <>
      <Columns
        title={L.daysPlot(days.length)}
        shares={days.map(({ uptime = 0 }) => uptime * 100)}
      />
      <details>
        <summary>{L.figures}</summary>
        <ScrolledTable label={L.days}>
          <thead>
            <tr>
              <th scope="col">{L.day}</th>
              <th scope="col" class="number">
                {L.looks}
              </th>
              <th scope="col" class="number">
                {L.answered}
              </th>
              <th scope="col" class="number">
                {L.latency}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, looks, uptime, latencyMs }) => (
              <tr key={day}>
                <td>{day}</td>
                <td class="number">{count(looks)}</td>
                <td class="number">{uptime === undefined ? T.notMeasured : percent(uptime)}</td>
                <td class="number">
                  {latencyMs === undefined ? T.notMeasured : milliseconds(latencyMs)}
                </td>
              </tr>
            ))}
          </tbody>
        </ScrolledTable>
      </details>
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
