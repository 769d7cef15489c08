import { useState } from 'preact/hooks';
import { unwrap, type Hub } from '../../typescript/index.ts';
import { usdc } from '../format.ts';
import { useLoad } from '../load.ts';
import { Plot } from '../parts/plot.tsx';
import { Account, Money, ScrolledTable, Section, Time } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { T } from '../texts.ts';
import type { StatementEntry } from '../types.ts';

interface StatementProps {
  readonly hub: Hub;
  readonly account: string;
  readonly network: string;
  /** Changes when money moved, so that the list is asked for again. */
  readonly seen: string;
}

const LIMIT = 25;

export function Statement({ hub, account, network, seen }: StatementProps) {
  const [after, setAfter] = useState<string>();
  const query = { limit: LIMIT, network, ...(after !== undefined && { after }) };
  const params = { path: { owner: account }, query };
  const loaded = useLoad(`statement ${account} ${after ?? ''} ${seen}`, async (signal) =>
    unwrap(await hub.GET('/api/v1/wallet/{owner}/statement', { params, signal })),
  );
  return (
    <Section title={T.statement.title} lead={T.statement.lead}>
      <With of={loaded}>
        {({ entries, next }) => (
          <>
            {entries.length === 0 ? (
              <Empty>{T.statement.none}</Empty>
            ) : (
              <Balance entries={entries} network={network} />
            )}
            {entries.length > 0 && <Entries entries={entries} network={network} own={account} />}
            <p class="actions">
              {after !== undefined && (
                <button type="button" onClick={() => setAfter(undefined)}>
                  {T.newest}
                </button>
              )}
              {next !== undefined && (
                <button type="button" onClick={() => setAfter(next)}>
                  {T.older}
                </button>
              )}
            </p>
          </>
        )}
      </With>
    </Section>
  );
}

/** The balance after each entry of the page. */
function Balance({ entries, network }: Pick<EntriesProps, 'entries' | 'network'>) {
  const samples = entries
    .map(({ at, balanceAfter }) => ({ at: Date.parse(at), values: [Number(balanceAfter)] }))
    .reverse();
  return (
    <Plot
      title={T.statement.plot}
      labels={[T.account.balance]}
      samples={samples}
      kind="steps"
      from={samples[0]?.at ?? 0}
      until={Date.now()}
      format={(units) => usdc(String(units))}
      unit={T.unit(network)}
      smallest={1}
    />
  );
}

interface EntriesProps {
  readonly entries: readonly StatementEntry[];
  readonly network: string;
  readonly own: string;
}

function Entries({ entries, network, own }: EntriesProps) {
  return (
    <ScrolledTable label={T.statement.title}>
      <thead>
        <tr>
          <th scope="col">{T.when}</th>
          <th scope="col">{T.statement.what}</th>
          <th scope="col" class="number">
            {T.amount}
          </th>
          <th scope="col" class="number">
            {T.statement.after}
          </th>
          <th scope="col">{T.statement.with}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.seq}>
            <td>
              <Time at={entry.at} />
            </td>
            <td>
              {T.reasons[entry.reason] ?? entry.reason}
              <small class="quiet"> {T.statement.directions[entry.direction]}</small>
              {entry.memo !== undefined && <div class="stranger">{entry.memo}</div>}
            </td>
            <td class="number">
              {entry.direction === 'out' && '−'}
              <Money units={entry.amount} network={network} />
            </td>
            <td class="number">
              <Money units={entry.balanceAfter} network={network} />
            </td>
            <td>
              {entry.counterparty !== undefined && <Account name={entry.counterparty} own={own} />}
            </td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  );
}
