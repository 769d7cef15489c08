import type { Action } from '../load.ts';
import { Failure } from '../parts/states.tsx';
import { signInTexts as S } from '../texts/signin.ts';
import { SignInError } from './derive.ts';

/** Says why a passkey or a wallet did not do it; a refusal of the hub is shown as everywhere. */
export function Trouble({ of: { error } }: { readonly of: Pick<Action, 'error'> }) {
  if (error === undefined) return null;
  if (!(error instanceof SignInError)) return <Failure error={error} />;
  return (
    <p class="failure" role="alert">
      {S.why[error.reason]}
    </p>
  );
}
