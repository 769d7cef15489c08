import { useAction } from '../load.ts';
import { Failure } from '../parts/states.tsx';
import { makeKey, useSession } from '../session.ts';
import { accountTexts } from '../texts/account.ts';

export function MakeKey() {
  const session = useSession();
  const action = useAction();
  if (session.state === 'open' || session.state === 'opening') return null;
  if (session.state === 'unsupported') {
    return (
      <p class="failure" role="alert">
        {isSecureContext ? accountTexts.account.noEd25519 : accountTexts.account.notSecure}
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
        {accountTexts.account.make}
      </button>
      <p class="quiet">{accountTexts.account.makeNote}</p>
      {action.error !== undefined && <Failure error={action.error} />}
    </>
  );
}
