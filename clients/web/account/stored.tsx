import { Section } from '../parts/shown.tsx';
import { pathTo } from '../routes.ts';
import { Usage } from '../storage/usage.tsx';
import { storageTexts as S } from '../texts/storage.ts';
import type { OwnProps } from './own.ts';

/** What this account stores with the hub and its rent; what is in it has a page of its own. */
export function Stored({ hub, account }: Pick<OwnProps, 'hub' | 'account'>) {
  return (
    <Section title={S.usage.title} lead={S.usage.lead}>
      <Usage hub={hub} account={account} />
      <p class="actions">
        <a class="button" href={pathTo('account/storage')}>
          {S.open}
        </a>
      </p>
    </Section>
  );
}
