import { unwrap, type Hub } from '../../typescript/index.ts';
import { count, shareOf } from '../format.ts';
import { useGrowing } from '../growing.ts';
import { LongTable } from '../parts/longTable.tsx';
import { Columns } from '../parts/plots.tsx';
import { Account, Money, Section, Time } from '../parts/shown.tsx';
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

/** What is seen at once is asked for first, and what one scrolls through in larger pages. */
const FIRST = 50;
const LATER = 500;
/** The plot is of the newest ones. */
const PLOTTED = 50;

const idOf = ({ seq }: StatementEntry): string => String(seq);

export function Statement({ hub, account, network, seen }: StatementProps) {
  const key = `statement ${account} ${network}`;
  const list = useGrowing<StatementEntry>(
    key,
    seen,
    async (after, signal) => {
      const query = {
        network,
        limit: after === undefined ? FIRST : LATER,
        ...(after !== undefined && { after }),
      };
      const params = { path: { owner: account }, query };
      const { entries, next } = unwrap(
        await hub.GET('/api/v1/wallet/{owner}/statement', { params, signal }),
      );
      return { rows: entries, next };
    },
    idOf,
  );
  return (
    <Section title={T.statement.title} lead={T.statement.lead}>
      <With of={list}>
        {({ rows, next }) =>
          rows.length === 0 ? (
            <Empty>{T.statement.none}</Empty>
          ) : (
            <>
              <Balance entries={rows.slice(0, PLOTTED)} />
              <Entries entries={rows} network={network} own={account} more={list.more} />
              <p class="actions">
                {next !== undefined && (
                  <button type="button" onClick={list.more} aria-busy={list.isLoading}>
                    {T.older}
                  </button>
                )}
                <span class="quiet">{T.statement.shown(count(rows.length))}</span>
              </p>
            </>
          )
        }
      </With>
    </Section>
  );
}

/** The balance after each entry of the page, oldest first. */
function Balance({ entries }: Pick<EntriesProps, 'entries'>) {
  const after = entries.map(({ balanceAfter }) => balanceAfter).reverse();
  const most = after.reduce((max, each) => (BigInt(each) > BigInt(max) ? each : max), '0');
  return <Columns title={T.statement.plot} shares={after.map((each) => shareOf(each, most))} />;
}

interface EntriesProps {
  readonly entries: readonly StatementEntry[];
  readonly network: string;
  readonly own: string;
  readonly more: () => void;
}

function Entries({ entries, network, own, more }: EntriesProps) {
  return (
    <LongTable
      label={T.statement.title}
      head={[
        <th scope="col">{T.when}</th>,
        <th scope="col">{T.statement.what}</th>,
        <th scope="col" class="number">
          {T.amount}
        </th>,
        <th scope="col" class="number">
          {T.statement.after}
        </th>,
        <th scope="col">{T.statement.with}</th>,
      ]}
      rows={entries}
      idOf={idOf}
      cells={(entry) => <Cells entry={entry} network={network} own={own} />}
      onEnd={more}
    />
  );
}

interface CellsProps extends Pick<EntriesProps, 'network' | 'own'> {
  readonly entry: StatementEntry;
}

function Cells({ entry, network, own }: CellsProps) {
  const { at, reason, direction, memo, amount, balanceAfter, counterparty } = entry;
  return (
    <>
      <td>
        <Time at={at} />
      </td>
      <td>
        {T.reasons[reason] ?? reason}
        <small class="quiet"> {T.statement.directions[direction]}</small>
        {memo !== undefined && (
          <div class="stranger" title={memo}>
            {memo}
          </div>
        )}
      </td>
      <td class="number">
        {direction === 'out' && '−'}
        <Money units={amount} network={network} />
      </td>
      <td class="number">
        <Money units={balanceAfter} network={network} />
      </td>
      <td>{counterparty !== undefined && <Account name={counterparty} own={own} />}</td>
    </>
  );
}
