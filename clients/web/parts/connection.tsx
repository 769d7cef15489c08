import { useEffect, useState } from 'preact/hooks';
import { pathTo } from '../routes.ts';
import { useHubState } from '../state/hubState.ts';
import { troublesOf, type Trouble } from '../state/watch.ts';
import { T } from '../texts.ts';
import { stateTexts as S } from '../texts/hubState.ts';
import { Time } from './shown.tsx';

/** Shows on every page that the browser is offline or that the hub does not do all of its work. */
export function Connection() {
  const isOff = useOffline();
  const [first] = troublesOf(useHubState());
  // The place is there before its text, so that a screen reader says the text when it comes.
  return (
    <div role="status" class="site trouble">
      {isOff ? (
        <p class="failure site">
          <strong>{T.offline}</strong> {T.offlineWhy}
        </p>
      ) : (
        first !== undefined && <Banner trouble={first} />
      )}
    </div>
  );
}

function Banner({ trouble }: { readonly trouble: Trouble }) {
  return (
    <p class={trouble.kind === 'old' ? 'note site' : 'failure site'}>
      <TroubleText trouble={trouble} />{' '}
      {trouble.kind === 'old' ? (
        <button type="button" class="small" onClick={() => location.reload()}>
          {S.loadNew}
        </button>
      ) : (
        <a href={pathTo('status')}>{S.more}</a>
      )}
    </p>
  );
}

/** The words for one trouble: since when, why, and what still works. */
export function TroubleText({ trouble: { kind, since, reason } }: { readonly trouble: Trouble }) {
  const { title, works } = S.troubles[kind];
  return (
    <>
      <strong>{title}</strong>{' '}
      {since !== undefined && (
        <>
          {S.began} <Time at={since} />.{' '}
        </>
      )}
      {reason !== undefined && `${S.reason(reason)} `}
      {works}
    </>
  );
}

function useOffline(): boolean {
  const [isOff, setOff] = useState(() => !navigator.onLine);
  useEffect(() => {
    const look = (): void => setOff(!navigator.onLine);
    addEventListener('online', look);
    addEventListener('offline', look);
    return () => {
      removeEventListener('online', look);
      removeEventListener('offline', look);
    };
  }, []);
  return isOff;
}
