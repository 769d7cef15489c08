import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { usdc } from '../format.ts';
import { useLoad, useReloadOn, useAction } from '../load.ts';
import { Plot } from '../parts/plot.tsx';
import { within } from '../parts/plotScale.ts';
import { lengthOf, RangeChoice, useRange } from '../parts/ranges.tsx';
import { Section } from '../parts/shown.tsx';
import { Empty, With, Failure } from '../parts/states.tsx';
import { T } from '../texts.ts';
import { accountTexts } from '../texts/account.ts';
import type { Me, StatementEntry } from '../types.ts';
import { causesOf } from './causes.ts';
import { Lines } from './lines.tsx';
import { saveFile } from '../parts/files.ts';

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

/** Every entry as the hub writes it for spreadsheets (choices pipeline.exports). */
function Download({ hub, account, network }: DownloadProps) {
  const action = useAction();
  const save = (): void =>
    action.run(async () => {
      const name = `statement-${account.slice(4, 12)}.csv`;
      saveFile(name, await allPages({ hub, account, network }), 'text/csv');
    });
  return (
    <>
      <button type="button" class="small" onClick={save} aria-busy={action.isRunning}>
        {accountTexts.statement.download}
      </button>
      {action.error !== undefined && <Failure error={action.error} />}
    </>
  );
}

const FILE_PAGE = 200;
/** More entries are a matter for the API: 200,000 are 40 MB. */
const PAGES_MAX = 1_000;

async function allPages({ hub, account, network }: DownloadProps): Promise<string> {
  const texts: string[] = [];
  let after: string | undefined;
  do {
    const query = { limit: FILE_PAGE, network, ...(after !== undefined && { cursor: after }) };
    const reply = await hub.GET('/api/v1/wallet/{owner}/statement', {
      params: { path: { owner: account }, query },
      headers: { accept: 'text/csv' },
      parseAs: 'text',
    });
    const text = unwrap(reply);
    texts.push(texts.length === 0 ? text : text.slice(text.indexOf('\n') + 1));
    after = nextOf(reply.response.headers.get('link'));
  } while (after !== undefined && texts.length < PAGES_MAX);
  return texts.join('');
}

/** The cursor in `<…?after=…>; rel="next"`. */
function nextOf(link: string | null): string | undefined {
  const [, address] = /<([^>]*)>; rel="next"/.exec(link ?? '') ?? [];
  if (address === undefined) return undefined;
  return new URL(address, location.origin).searchParams.get('after') ?? undefined;
}
