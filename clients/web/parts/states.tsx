import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { NoAnswer } from '../../typescript/failure.ts';
import { OutcomeUnknown } from '../../typescript/once.ts';
import { HubRefusal, NotTheHub } from '../../typescript/refusal.ts';
import { ofHub } from '../hubAddress.ts';
import type { Loaded } from '../load.ts';
import { pathTo } from '../routes.ts';
import { T } from '../texts.ts';
import { Prose } from './shown.tsx';

/** A longer wait is explained to the reader. */
const SLOW_MS = 4_000;

export function Loading() {
  return (
    <p class="loading" role="status">
      {useSlow() ? T.slow : T.loading}
    </p>
  );
}

function useSlow(): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSlow;
}

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

interface FailureProps {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
}

export function Failure({ error, retry }: FailureProps) {
  return (
    <div class="failure" role="alert">
      <Why error={error} />
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          {T.tryAgain}
        </button>
      )}
    </div>
  );
}

function Why({ error }: { readonly error: unknown }) {
  if (error instanceof HubRefusal) return <Refusal refusal={error} />;
  if (error instanceof OutcomeUnknown) {
    return (
      <p>
        <strong>{T.outcomeUnknown}</strong> <a href={pathTo('account')}>{T.outcomeUnknownNext}</a>
      </p>
    );
  }
  if (error instanceof NotTheHub) {
    return (
      <p>
        <strong>{T.notTheHub(error.status)}</strong> {T.notTheHubHint}
      </p>
    );
  }
  const isLost = error instanceof NoAnswer || error instanceof TypeError;
  const isOffline = isLost && !navigator.onLine;
  return (
    <p>
      <strong>{isOffline ? T.offline : T.noAnswer}</strong> {T.noAnswerHint}
    </p>
  );
}

function Refusal({ refusal }: { readonly refusal: HubRefusal }) {
  const { body, hint, code, requestId, next = [] } = refusal;
  return (
    <>
      <p>
        <strong>
          <Prose text={body.error} />
        </strong>
      </p>
      <p>
        <Prose text={hint} />
      </p>
      {next.length > 0 && (
        <p class="quiet">
          {T.legalNow} {next.map(({ action }) => T.actions[action] ?? action).join(', ')}
        </p>
      )}
      <p class="quiet">
        <a href={ofHub(`/errors/${code}`)}>{code}</a>
        {requestId !== undefined && <> · {T.request(requestId)}</>}
      </p>
    </>
  );
}

interface WithProps<T> {
  readonly of: Loaded<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** A value when it is there, with what is wrong with it: still loading, failed, or old. */
export function With<T>({ of: { value, error, isLoading, reload }, children }: WithProps<T>) {
  if (value === undefined) {
    return error === undefined || isLoading ? (
      <Loading />
    ) : (
      <Failure error={error} retry={reload} />
    );
  }
  return (
    <>
      {error !== undefined && !isLoading && <Failure error={error} retry={reload} />}
      {children(value)}
    </>
  );
}
