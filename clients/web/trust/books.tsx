import { unwrap } from '../../typescript/refusal.ts';
import { count } from '../format.ts';
import { useLoad } from '../load.ts';
import { Badge, Money, ScrolledTable, Section, Time } from '../parts/shown.tsx';
import { With } from '../parts/states.tsx';
import { reader } from '../session.ts';
import { trustTexts } from '../texts/trustPage.ts';
import type { Books } from '../types.ts';

export function BooksNow() {
  const books = useLoad('books', async (signal) =>
    unwrap(await reader.GET('/api/v1/economy/conservation', { signal })),
  );
  const again = (
    <button type="button" onClick={books.reload} aria-busy={books.isLoading}>
      {trustTexts.trust.recount}
    </button>
  );
  return (
    <Section title={trustTexts.trust.books} lead={trustTexts.trust.booksLead} aside={again}>
      <With of={books}>{(value) => <Recounted books={value} />}</With>
    </Section>
  );
}

function Recounted({ books }: { readonly books: Books }) {
  const { balanced, frozen, checkedAt, ledgers, checks, differences } = books;
  return (
    <>
      <p role="status">
        <Badge tone={balanced ? 'good' : 'bad'}>
          {balanced ? trustTexts.trust.balanced : trustTexts.trust.unbalanced(differences.length)}
        </Badge>{' '}
        {frozen && <Badge tone="bad">{trustTexts.trust.frozen}</Badge>}{' '}
        <span class="quiet">
          {trustTexts.trust.recounted} <Time at={checkedAt} />
        </span>
      </p>
      <Ledgers ledgers={ledgers} />
      <details>
        <summary>
          {trustTexts.trust.checks(checks.filter(({ ok }) => ok).length, checks.length)}
        </summary>
        <ul class="rows">
          {checks.map(({ check, ok, says }) => (
            <li key={check}>
              <Badge tone={ok ? 'good' : 'bad'}>
                {ok ? trustTexts.trust.holds : trustTexts.trust.fails}
              </Badge>{' '}
              {says}
            </li>
          ))}
        </ul>
      </details>
      {differences.map(({ check, subject, expected, found }) => (
        <p class="failure" key={check + subject}>
          {trustTexts.trust.difference(check, subject, expected, found)}
        </p>
      ))}
    </>
  );
}

function Ledgers({ ledgers }: Pick<Books, 'ledgers'>) {
  const columns = ['supply', 'users', 'hub', 'held', 'escrow'] as const;
  return (
    <ScrolledTable label={trustTexts.trust.books}>
      <thead>
        <tr>
          <th scope="col">{trustTexts.trust.network}</th>
          {columns.map((name) => (
            <th key={name} scope="col" class="number">
              {trustTexts.trust.columns[name]}
            </th>
          ))}
          <th scope="col" class="number">
            {trustTexts.trust.transfers}
          </th>
          <th scope="col" class="number">
            {trustTexts.trust.sum}
          </th>
        </tr>
      </thead>
      <tbody>
        {ledgers.map((ledger) => (
          <tr key={ledger.network}>
            <th scope="row">{ledger.network}</th>
            {columns.map((name) => (
              <td key={name} class="number">
                <Money units={ledger[name]} network={ledger.network} />
              </td>
            ))}
            <td class="number">{count(ledger.transfers)}</td>
            <td class="number">{ledger.sum}</td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  );
}
