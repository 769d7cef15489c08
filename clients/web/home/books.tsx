import { unwrap } from '../../typescript/index.ts';
import { useLoad } from '../load.ts';
import { Badge, Section, Time } from '../parts/shown.tsx';
import { With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { reader } from '../session.ts';
import { T } from '../texts.ts';

/** The books, recounted for this visitor, and where to verify them without the hub. */
export function BooksLine({ backing }: { readonly backing: string }) {
  const books = useLoad('books', async (signal) =>
    unwrap(await reader.GET('/api/v1/economy/conservation', { signal })),
  );
  return (
    <Section title={T.home.books} lead={T.home.booksLead}>
      <With of={books}>
        {({ balanced, checkedAt, checks, differences }) => (
          <>
            <p>
              <Badge tone={balanced ? 'good' : 'bad'}>
                {balanced ? T.trust.balanced : T.trust.unbalanced(differences.length)}
              </Badge>{' '}
              {T.trust.checks(checks.filter(({ ok }) => ok).length, checks.length)}{' '}
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
          {T.home.verify}
        </a>
      </p>
    </Section>
  );
}
