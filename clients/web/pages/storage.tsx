import { useState } from 'preact/hooks';
import { ExportAll } from '../account/exportAll.tsx';
import { AccountFrame, type Own } from '../account/frame.tsx';
import { Section } from '../parts/shown.tsx';
import type { Route } from '../routes.ts';
import { Files } from '../storage/files.tsx';
import { HostedListings } from '../storage/hosted.tsx';
import { Notes } from '../storage/notes.tsx';
import { Spaces } from '../storage/spaces.tsx';
import { Prices, Usage } from '../storage/usage.tsx';
import { storageTexts as S } from '../texts/storage.ts';

interface PageProps {
  readonly route: Extract<Route, { page: 'storage' }>;
}

export function Storage({ route }: PageProps) {
  return (
    <AccountFrame page="storage" title={S.title} lead={S.lead}>
      {({ hub, account }) => <Open hub={hub} account={account} space={route.query['space']} />}
    </AccountFrame>
  );
}

interface OpenProps extends Pick<Own, 'hub' | 'account'> {
  readonly space: string | undefined;
}

function Open({ hub, account, space }: OpenProps) {
  const [version, setVersion] = useState(0);
  const changed = (): void => setVersion((before) => before + 1);
  const own = { hub, account, changed };
  return (
    <div class="columns2 even">
      <div>
        <Spaces {...own} version={version} open={space} />
        {space !== undefined && <Notes key={space} {...own} id={space} />}
        <HostedListings hub={hub} account={account} />
        <ExportAll hub={hub} account={account} />
      </div>
      <div>
        <Files {...own} />
        <Section title={S.usage.title} lead={S.usage.lead}>
          <Usage hub={hub} account={account} version={version} />
          <h3>{S.prices.title}</h3>
          <Prices hub={hub} />
        </Section>
      </div>
    </div>
  );
}
