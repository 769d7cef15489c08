import { useState } from 'preact/hooks';
import { bindKey } from '../../typescript/bindKey.ts';
import type { Hub } from '../../typescript/hub.ts';
import { shortAccount } from '../format.ts';
import { ofHub } from '../hubAddress.ts';
import { useAction } from '../load.ts';
import { saveFile } from '../parts/files.ts';
import { Section } from '../parts/shown.tsx';
import { secretOfKey } from '../session.ts';
import { T } from '../texts.ts';
import { signInTexts as S } from '../texts/signin.ts';
import { keyFileText, keyOfSeed } from './derive.ts';
import { canUsePasskeys, makePasskey, openPasskey } from './passkey.ts';
import { Trouble } from './trouble.tsx';
import { seedOfWallet, useWallets } from './wallet.ts';

interface WaysInProps {
  readonly hub: Hub;
  readonly account: string;
  readonly isExportable: boolean;
  /** Called once a key has joined the account. */
  readonly added: () => void;
}

/** Adds passkeys and wallets to an account, and saves a key as the command line reads it. */
export function WaysIn({ hub, account, isExportable, added }: WaysInProps) {
  const wallets = useWallets();
  const action = useAction();
  const [message, setMessage] = useState('');
  const hasPasskeys = canUsePasskeys();
  const run = (work: () => Promise<string>) => (): void =>
    action.run(async () => {
      setMessage('');
      setMessage(await work());
    });
  const add = (label: string, seed: () => Promise<Uint8Array>) =>
    run(async () => {
      await bindKey(hub, await keyOfSeed(await seed()), { label });
      added();
      return S.added;
    });
  const save = (seed: () => Promise<Uint8Array | undefined>) =>
    run(async () => {
      const found = await seed();
      if (found === undefined) throw new TypeError('this key cannot be read');
      saveFile('agent.key', await keyFileText(found), 'application/json');
      return S.exportHint;
    });
  const press = (label: string, onClick: () => void) => (
    <button key={label} type="button" aria-busy={action.isRunning} onClick={onClick}>
      {label}
    </button>
  );
  return (
    <Section title={S.ways} lead={S.waysLead}>
      <p class="actions">
        {hasPasskeys &&
          press(
            S.addPasskey,
            add(S.label.passkey, () => makePasskey(T.name, S.nameOf(shortAccount(account)))),
          )}
        {wallets.map((wallet) =>
          press(
            S.addWallet(wallet.name),
            add(S.label.wallet(wallet.name), () => seedOfWallet(wallet, location.origin, true)),
          ),
        )}
        {hasPasskeys &&
          press(
            S.exportPasskey,
            save(() => openPasskey()),
          )}
        {isExportable && press(S.exportKey, save(secretOfKey))}
      </p>
      <p role="status">{message}</p>
      <Trouble of={action} />
      <p>
        <a href={ofHub('/docs/recovery')}>{S.recovery}</a>
      </p>
    </Section>
  );
}
