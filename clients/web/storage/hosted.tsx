import { useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { count } from '../format.ts';
import { useLoad } from '../load.ts';
import { Badge, Facts, Money, Section, Time } from '../parts/shown.tsx';
import { With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { storageTexts as S } from '../texts/storage.ts';
import { Change, Remove, Rename, Rows } from './change.tsx';
import type { Hosted, StorageProps } from './own.ts';

const LIMIT = 20;

export function HostedListings({ hub, account }: Pick<StorageProps, 'hub' | 'account'>) {
  const [after, setAfter] = useState<string>();
  const query = { limit: LIMIT, ...(after !== undefined && { cursor: after }) };
  const hosted = useLoad(`hosted ${account} ${after ?? ''}`, async (signal) =>
    unwrap(await hub.GET('/api/v1/hosted', { params: { query }, signal })),
  );
  return (
    <Section title={S.hosted.title} lead={S.hosted.lead}>
      <With of={hosted}>
        {(page) => (
          <Rows
            title={S.hosted.title}
            none={S.hosted.none}
            rows={page.listings}
            keyOf={({ keyId }) => keyId}
            row={(listing) => (
              <OneListing hub={hub} account={account} changed={hosted.reload} listing={listing} />
            )}
            after={after}
            next={page.nextCursor}
            show={setAfter}
          />
        )}
      </With>
    </Section>
  );
}

interface OneListingProps extends StorageProps {
  readonly listing: Hosted;
}

function OneListing({ hub, account, changed, listing }: OneListingProps) {
  const { id, keyId, name, live, why, endpoint, tools, totals, listedAt, takenDownAt } = listing;
  const isDown = takenDownAt !== undefined;
  const params = { path: { keyId } };
  const rename = async (to: string): Promise<void> => {
    const body = { owner: account, keyId, name: to };
    unwrap(await hub.POST('/api/v1/hosted', { body }));
    changed();
  };
  const takeDown = async (): Promise<void> => {
    const body = { owner: account };
    unwrap(await hub.POST('/api/v1/hosted/{keyId}/delete', { params, body }));
    changed();
  };
  const state = isDown ? S.hosted.down : live ? S.hosted.live : S.hosted.notLive;
  return (
    <>
      <p class="meta">
        {isDown ? <b>{name}</b> : <a href={pathTo(`agents/${id}`)}>{name}</a>}
        <Badge tone={isDown ? 'quiet' : live ? 'good' : 'bad'}>{state}</Badge>
        <span>{isDown ? S.hosted.again : why}</span>
      </p>
      <Facts
        rows={[
          [S.hosted.endpoint, <code key="e">{endpoint}</code>],
          [S.hosted.tools, tools.map((tool) => tool.name).join(', ')],
          [S.hosted.served, count(totals.served)],
          [S.hosted.earned, <Money key="m" units={totals.earned} network={totals.network} />],
          [S.hosted.listed, <Time key="l" at={listedAt} />],
          [S.hosted.downAt, isDown ? <Time key="d" at={takenDownAt} /> : undefined],
        ]}
      />
      {!isDown && (
        <Change name={name}>
          <Rename key={name} name={name} label={S.hosted.name} rename={rename} />
          <Remove
            name={name}
            label={S.hosted.takeDown(name)}
            question={S.hosted.sure(name)}
            yes={S.hosted.sureYes}
            work={takeDown}
          />
        </Change>
      )}
    </>
  );
}
