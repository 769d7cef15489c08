import { unwrap } from '../../typescript/refusal.ts';
import { bytesText } from '../format.ts';
import { useLoad, useReloadOn } from '../load.ts';
import { Facts, Money, Time } from '../parts/shown.tsx';
import { With } from '../parts/states.tsx';
import { storageTexts as S } from '../texts/storage.ts';
import type { StorageProps } from './own.ts';

type UsageProps = Pick<StorageProps, 'hub' | 'account'> & {
  /** Counts changes, so that the figures are asked for again. */
  readonly version?: number;
};

export function Usage({ hub, account, version = 0 }: UsageProps) {
  const params = { path: { owner: account } };
  const usage = useLoad(`usage ${account}`, async (signal) =>
    unwrap(await hub.GET('/api/v1/memory/usage/{owner}', { params, signal })),
  );
  useReloadOn(version, usage.reload);
  return (
    <With of={usage}>
      {({ spaces, notes, noteBytes, files, fileBytes, perDay, paidThrough, readOnly, quota }) => (
        <>
          {readOnly && <p class="note">{S.usage.readOnly}</p>}
          <Facts
            rows={[
              [S.usage.spaces, spaces],
              [S.usage.notes, S.usage.size(notes, bytesText(noteBytes))],
              [S.usage.files, S.usage.size(files, bytesText(fileBytes))],
              [S.usage.left, bytesText(quota.fileBytesLeft)],
              [S.usage.rent, <Money key="r" units={perDay.amount} network={perDay.network} />],
              [
                S.usage.paid,
                paidThrough === undefined ? undefined : <Time key="p" at={paidThrough} />,
              ],
            ]}
          />
        </>
      )}
    </With>
  );
}

export function Prices({ hub }: Pick<StorageProps, 'hub'>) {
  const prices = useLoad('prices of memory', async (signal) =>
    unwrap(await hub.GET('/api/v1/memory/prices', { signal })),
  );
  return (
    <With of={prices}>
      {({ note, search, file, network }) => {
        const money = (units: string) => <Money key={units} units={units} network={network} />;
        return (
          <Facts
            rows={[
              [S.prices.write, money(note.write)],
              [S.prices.search, money(search.each)],
              [S.prices.store, money(file.writeBase)],
              [S.prices.storeMore, money(file.writePerMegabyte)],
              [S.prices.read, money(file.readBase)],
              [S.prices.readMore, money(file.readPerMegabyte)],
            ]}
          />
        );
      }}
    </With>
  );
}
