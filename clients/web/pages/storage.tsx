import { useState } from 'preact/hooks';
import type { Hub } from '../../typescript/index.ts';
import { OtherKeys } from '../account/bringKey.tsx';
import { MakeKey } from '../account/makeKey.tsx';
import { Section } from '../parts/shown.tsx';
import { pathTo, type Route } from '../routes.ts';
import { useSession } from '../session.ts';
import { Files } from '../storage/files.tsx';
import { HostedListings } from '../storage/hosted.tsx';
import { Notes } from '../storage/notes.tsx';
import { Spaces } from '../storage/spaces.tsx';
import { Prices, Usage } from '../storage/usage.tsx';
import { storageTexts as S } from '../texts/storage.ts';
import { T } from '../texts.ts';

interface PageProps {
  readonly route: Extract<Route, { page: 'storage' }>;
}

/** All that the account stores with the hub: spaces with notes, files, and hosted listings. */
export function Storage({ route }: PageProps) {
  const session = useSession();
  return (
    <>
      <p class="crumbs">
        <a href={pathTo('account')}>{T.pages.account}</a>
      </p>
      <h1>{S.title}</h1>
      <p class="lead">{S.lead}</p>
      {session.state === 'open' ? (
        <Open hub={session.hub} account={session.account} space={route.query['space']} />
      ) : (
        <Section title={T.account.none}>
          <p>{S.needsKey}</p>
          <MakeKey />
          <OtherKeys />
        </Section>
      )}
    </>
  );
}

interface OpenProps {
  readonly hub: Hub;
  readonly account: string;
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
      </div>
      <div>
        <Files {...own} />
        <HostedListings hub={hub} account={account} />
        <Section title={S.usage.title} lead={S.usage.lead}>
          <Usage hub={hub} account={account} version={version} />
          <h3>{S.prices.title}</h3>
          <Prices hub={hub} />
        </Section>
      </div>
    </div>
  );
}
