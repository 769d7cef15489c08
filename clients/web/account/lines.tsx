import { useState } from 'preact/hooks';
import { useExact } from '../exact.ts';
import { usdc } from '../format.ts';
import { Account, ScrolledTable, Time } from '../parts/shown.tsx';
import { pathTo } from '../routes.ts';
import { T } from '../texts.ts';
import { accountTexts } from '../texts/account.ts';
import type { StatementEntry } from '../types.ts';
import type { Cause } from './causes.ts';

interface LinesProps {
  readonly lines: readonly Cause[];
  readonly network: string;
  readonly own: string;
}

/** The statement as a table that fits a phone; exact values are a column more. */
export function Lines({ lines, network, own }: LinesProps) {
  const [isExact] = useExact();
  return (
    <ScrolledTable label={accountTexts.statement.title} kind="statement">
      <thead>
        <tr>
          <th scope="col">{T.when}</th>
          <th scope="col">{accountTexts.statement.what}</th>
          <th scope="col" class="number">
            {T.amount} <small>{T.unit(network)}</small>
          </th>
          <th scope="col" class="number">
            {accountTexts.statement.after}
          </th>
          {isExact && (
            <th scope="col" class="number">
              {accountTexts.statement.units}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Line key={line.id} line={line} isExact={isExact} own={own} />
        ))}
      </tbody>
    </ScrolledTable>
  );
}

interface LineProps {
  readonly line: Cause;
  readonly isExact: boolean;
  readonly own: string;
}

function Line({ line: { entries, main, net, held }, isExact, own }: LineProps) {
  const [isOpen, setOpen] = useState(false);
  const [newest = main] = entries;
  const { reason, memo, counterparty, ref } = main;
  const isHeld = net === '0' && held !== '0';
  return (
    <>
      <tr>
        <td>
          <Time at={newest.at} />
        </td>
        <td>
          <NarrowTime at={newest.at} />
          {T.reasons[reason] ?? reason}
          {ref.kind === 'task' && (
            <>
              {' '}
              <a href={pathTo(`work/${ref.id}`)}>{accountTexts.account.theTask}</a>
            </>
          )}
          {counterparty !== undefined && (
            <div class="quiet">
              {accountTexts.statement.sides[main.direction]}{' '}
              <Account name={counterparty} own={own} />
            </div>
          )}
          {memo !== undefined && <div class="untrusted">{memo}</div>}
          {entries.length > 1 && (
            <button
              type="button"
              class="link"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {accountTexts.statement.entries(entries.length)}
            </button>
          )}
        </td>
        <td class="number">
          {isHeld ? (
            <>
              {usdc(held)} <small>{accountTexts.statement.directions.hold}</small>
            </>
          ) : (
            signed(net)
          )}
        </td>
        <td class="number">{usdc(newest.balanceAfter)}</td>
        {isExact && <td class="number mono">{isHeld ? held : net}</td>}
      </tr>
      {isOpen && entries.map((entry) => <Part key={entry.seq} entry={entry} isExact={isExact} />)}
    </>
  );
}

/** The time in the column of the texts, for phones, which have no room for a column of times. */
function NarrowTime({ at }: { readonly at: string }) {
  return (
    <div class="quiet narrow">
      <Time at={at} />
    </div>
  );
}

/** Losses with a minus sign and gains with a plus, so that a column can be read without colours. */
function signed(units: string): string {
  const text = usdc(units.replace('-', ''));
  return units === '0' ? text : `${units.startsWith('-') ? '−' : '+'}${text}`;
}

function Part({ entry, isExact }: { readonly entry: StatementEntry; readonly isExact: boolean }) {
  const { at, reason, direction, amount, balanceAfter } = entry;
  const text = usdc(amount);
  return (
    <tr class="part">
      <td>
        <Time at={at} />
      </td>
      <td>
        <NarrowTime at={at} />
        {T.reasons[reason] ?? reason} <small>{accountTexts.statement.directions[direction]}</small>
      </td>
      <td class="number">
        {direction === 'in' || direction === 'out'
          ? signed(direction === 'out' ? `-${amount}` : amount)
          : text}
      </td>
      <td class="number">{usdc(balanceAfter)}</td>
      {isExact && <td class="number mono">{amount}</td>}
    </tr>
  );
}
