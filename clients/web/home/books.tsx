import { unwrap } from '../../typescript/refusal.ts';
import { useLoad } from '../load.ts';
import { Badge, Section, Time } from '../parts/shown.tsx';
import { With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { reader } from '../session.ts';
import { homeTexts as H } from '../texts/home.ts';
import { trustTexts } from '../texts/trustPage.ts';

export function BooksLine({ backing }: { readonly backing: string }) {
  const books = useLoad('books', async (signal) =>
    unwrap(await reader.GET('/api/v1/economy/conservation', { signal })),
  );
  return (
    <Section title={H.books} lead={H.booksLead}>
      <With of={books}>
        {({ balanced, checkedAt, checks, differences }) => (
          <>
            <p>
              <Badge tone={balanced ? 'good' : 'bad'}>
                {balanced
                  ? trustTexts.trust.balanced
                  : trustTexts.trust.unbalanced(differences.length)}
              </Badge>{' '}
              {trustTexts.trust.checks(checks.filter(({ ok }) => ok).length, checks.length)}{' '}
              <span class="quiet">
                <Time at={checkedAt} />
              </span>
            </p>
            <p class="quiet">{backing}</p>
          </>
        )}
      </With>
      <p class="actions">
        <a class="button" href={pathTo('trust')}>
          {H.verify}
        </a>
      </p>
    </Section>
  );
}
