import { useAction } from '../load.ts';
import { bringKey } from '../session.ts';
import { T } from '../texts.ts';
import { signInTexts as S } from '../texts/signin.ts';
import { canUsePasskeys, makePasskey, openPasskey } from './passkey.ts';
import { Trouble } from './trouble.tsx';
import { seedOfWallet, useWallets } from './wallet.ts';

/** Opens an account by a passkey or a wallet, where this browser has one of them. */
export function SignIn() {
  const wallets = useWallets();
  const action = useAction();
  const hasPasskeys = canUsePasskeys();
  if (!hasPasskeys && wallets.length === 0) return null;
  const open = (seed: () => Promise<Uint8Array>) => (): void =>
    action.run(async () => bringKey(await seed(), false));
  const ways: readonly (readonly [string, () => Promise<Uint8Array>])[] = [
    ...(hasPasskeys
      ? ([
          [S.passkey, () => openPasskey()],
          [S.newPasskey, () => makePasskey(T.name, S.newName)],
        ] as const)
      : []),
    ...wallets.map(
      (wallet) =>
        [S.wallet(wallet.name), () => seedOfWallet(wallet, location.origin, false)] as const,
    ),
  ];
  return (
    <div role="group" aria-label={S.title}>
      <p>{S.or}</p>
      <p class="actions">
        {ways.map(([label, seed]) => (
          <button key={label} type="button" aria-busy={action.isRunning} onClick={open(seed)}>
            {label}
          </button>
        ))}
      </p>
      <p class="quiet">{S.note}</p>
      <Trouble of={action} />
    </div>
  );
}
