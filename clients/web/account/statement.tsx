import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { usdc } from '../format.ts';
import { useLoad, useReloadOn } from '../load.ts';
import { LongWorkButton, useLongWork } from '../parts/longWork.tsx';
import { Plot } from '../parts/plot.tsx';
import { within } from '../parts/plotScale.ts';
import { lengthOf, RangeChoice, useRange } from '../parts/ranges.tsx';
import { Section } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { T } from '../texts.ts';
import { accountTexts } from '../texts/account.ts';
import type { Me, StatementEntry } from '../types.ts';
import { causesOf } from './causes.ts';
import { cursorOf } from './nextLink.ts';
import { Lines } from './lines.tsx';
import { saveFile } from '../parts/files.ts';
import { defined } from '../../../domain/defined.ts';

interface StatementProps {
  readonly hub: Hub;
  readonly account: string;
  readonly wallet: Me['wallet'];
  readonly title: string;
  /** Shows so many of the newest lines alone, without the file and older entries. */
  readonly limit?: number;
  readonly aside?: ComponentChildren;
}

const PAGE = 200;

/** One line for each cause, newest first, with the balance over time and a file of all entries. */
export function Statement({ hub, account, wallet, title, limit, aside }: StatementProps) {
  const { network, balance, held } = wallet;
  const [most, setMost] = useState(PAGE);
  const loaded = useLoad(`statement ${account} ${network}`, (signal) =>
    entriesUpTo(most, { hub, account, network }, signal),
  );
  useReloadOn(`${balance} ${held.total} ${most}`, loaded.reload);
  return (
    <Section
      title={title}
      aside={aside ?? <Download hub={hub} account={account} network={network} />}
    >
      <With of={loaded}>
        {({ entries, hasMore }) =>
          entries.length === 0 ? (
            <Empty>{accountTexts.statement.none}</Empty>
          ) : (
            <>
              <Balance entries={entries} network={network} />
              <Lines lines={causesOf(entries).slice(0, limit)} network={network} own={account} />
              {limit === undefined && hasMore && (
                <p class="actions">
                  <button
                    type="button"
                    onClick={() => setMost(most + PAGE)}
                    aria-busy={loaded.isLoading}
                  >
                    {T.older}
                  </button>
                </p>
              )}
            </>
          )
        }
      </With>
    </Section>
  );
}

async function entriesUpTo(
  most: number,
  { hub, account, network }: DownloadProps,
  signal: AbortSignal,
) {
  const entries: StatementEntry[] = [];
  let after: string | undefined;
  do {
    const query = { limit: PAGE, network, ...(after !== undefined && { cursor: after }) };
    const params = { path: { owner: account }, query };
    const page = unwrap(await hub.GET('/api/v1/wallet/{owner}/statement', { params, signal }));
    entries.push(...page.entries);
    after = page.nextCursor;
  } while (after !== undefined && entries.length < most);
  return { entries, hasMore: after !== undefined };
}

interface BalanceProps {
  readonly entries: readonly StatementEntry[];
  readonly network: string;
}

const SPAN_MS_MIN = 60_000;

/** The balance after each entry; the plot of a young account begins with its first one. */
function Balance({ entries, network }: BalanceProps) {
  const [range, setRange] = useRange('24h');
  const until = Date.now();
  const all = entries
    .map(({ at, balanceAfter }) => ({ at: Date.parse(at), values: [Number(balanceAfter)] }))
    .reverse();
  const from = Math.max(
    until - lengthOf(range),
    Math.min(all[0]?.at ?? until, until - SPAN_MS_MIN),
  );
  return (
    <>
      <RangeChoice value={range} onChange={setRange} />
      <Plot
        title={accountTexts.statement.plot}
        labels={[accountTexts.account.balance]}
        samples={within(all, from, until)}
        kind="steps"
        from={from}
        until={until}
        format={(units) => usdc(String(units))}
        unit={T.unit(network)}
        smallest={1}
      />
    </>
  );
}

interface DownloadProps {
  readonly hub: Hub;
  readonly account: string;
  readonly network: string;
}

const FILE_PAGE = 200;

/** Every entry as the hub writes it for spreadsheets (choices pipeline.exports). */
function Download({ hub, account, network }: DownloadProps) {
  const work = useLongWork(
    async (cursor, signal) => {
      const query = { limit: FILE_PAGE, network, ...defined({ cursor }) };
      const reply = await hub.GET('/api/v1/wallet/{owner}/statement', {
        params: { path: { owner: account }, query },
        headers: { accept: 'text/csv' },
        parseAs: 'text',
        signal,
      });
      const text = unwrap(reply);
      // The names of the columns are in the file once.
      const part = cursor === undefined ? text : text.slice(text.indexOf('\n') + 1);
      const next = cursorOf(reply.response.headers.get('link'));
      return { part, done: part.split('\n').length - 1, next };
    },
    (parts) => saveFile(`statement-${account.slice(4, 12)}.csv`, parts.join(''), 'text/csv'),
  );
  return (
    <LongWorkButton
      of={work}
      label={accountTexts.statement.download}
      format={accountTexts.statement.entries}
    />
  );
}
