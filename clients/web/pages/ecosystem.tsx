import { useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { count } from '../format.ts';
import { ofHub } from '../hubAddress.ts';
import { useLoad } from '../load.ts';
import { monthly } from '../months.ts';
import { Choice } from '../parts/fields.tsx';
import { Plot } from '../parts/plot.tsx';
import { MONTH_MS } from '../parts/plotScale.ts';
import { Section, Time } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { reader } from '../session.ts';
import { ecosystemTexts as E } from '../texts/ecosystem.ts';
import type { Got } from '../types.ts';

const PATH = '/api/v1/crawl/feeds';
const params = { query: { by: 'month' } } as const;
type Ecosystem = Got<typeof PATH>;
type Row = NonNullable<Ecosystem['months']>[number];

/** Plots how many of the addresses that other lists name answer, by the month of their naming. */
export function Ecosystem() {
  const [feed, setFeed] = useState('');
  const stats = useLoad('ecosystem', async (signal) =>
    unwrap(await reader.GET(PATH, { params, signal })),
  );
  return (
    <>
      <h1>{E.title}</h1>
      <p class="lead">{E.lead}</p>
      <With of={stats}>
        {({ months: rows = [], figures = [], at }) => {
          const feeds = [...new Set(rows.map((row) => row.feed))];
          const chosen = rows.filter((row) => feed === '' || row.feed === feed);
          return (
            <>
              <p class="quiet">
                {E.asOf} <Time at={at} />. <a href={ofHub(`${PATH}?by=month`)}>{E.asJson}</a>
              </p>
              {feeds.length > 1 && (
                <div class="filters">
                  <Choice
                    label={E.feed}
                    value={feed}
                    options={[['', E.allFeeds], ...feeds.map((url) => [url, url] as const)]}
                    onChange={setFeed}
                  />
                </div>
              )}
              {rows.length === 0 ? (
                <Empty>{E.none}</Empty>
              ) : (
                <Section title={E.byMonth}>
                  <div class="plots columns2 even">
                    {figures.map((figure) => (
                      <Figure key={figure.figure} {...figure} rows={chosen} />
                    ))}
                  </div>
                </Section>
              )}
            </>
          );
        }}
      </With>
    </>
  );
}

type FigureProps = NonNullable<Ecosystem['figures']>[number] & { readonly rows: readonly Row[] };

function Figure({ figure, counts, query, rows }: FigureProps) {
  const months = monthly(rows.map((row) => ({ month: row.month, value: row[figure] })));
  const from = months[0]?.at ?? 0;
  const until = (months.at(-1)?.at ?? 0) + MONTH_MS;
  const total = months.reduce((sum, { values: [value = 0] }) => sum + value, 0);
  return (
    <div>
      <Plot
        title={E.figures[figure]}
        labels={[E.figures[figure]]}
        samples={months}
        kind="bars"
        from={from}
        until={until}
        bucketMs={MONTH_MS}
        format={count}
        unit={E.unit}
        smallest={1}
      />
      <p>{counts}</p>
      <p class="meta">
        <span>{E.total(count(total))}</span>
        <a href={ofHub(query)}>{E.query}</a>
      </p>
    </div>
  );
}
