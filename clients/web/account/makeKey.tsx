import { useAction } from '../load.ts';
import { Failure } from '../parts/states.tsx';
import { makeKey, useSession } from '../session.ts';
import { T } from '../texts.ts';

/** One button to an account, or why this browser cannot have one. */
export function MakeKey() {
  const session = useSession();
  const action = useAction();
  if (session.state === 'open' || session.state === 'opening') return null;
  if (session.state === 'unsupported') {
    return (
      <p class="failure" role="alert">
        {isSecureContext ? T.account.noEd25519 : T.account.notSecure}
      </p>
    );
  }
  return (
    <>
      <button
        type="button"
        class="main"
        onClick={() => action.run(makeKey)}
        aria-busy={action.isRunning}
      >
        {T.account.make}
      </button>
      <p class="quiet">{T.account.makeNote}</p>
      {action.error !== undefined && <Failure error={action.error} />}
    </>
  );
}
