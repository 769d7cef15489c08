import { useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import type { OwnProps } from '../account/own.ts';
import { useAction } from '../load.ts';
import { signInTexts as S } from '../texts/signin.ts';
import { Trouble } from './trouble.tsx';
import { addressOf, signText, useWallets, type Wallet } from './wallet.ts';

/** Registers the address of a wallet as the one that payouts go to, with its proof. */
export function PayoutWallet({ hub, account, wallet: { network }, changed }: OwnProps) {
  const wallets = useWallets();
  const action = useAction();
  const [message, setMessage] = useState('');
  if (wallets.length === 0) return null;
  const use = (wallet: Wallet) => (): void =>
    action.run(async () => {
      setMessage('');
      const address = await addressOf(wallet);
      const register = async (proof: { readonly proof?: string }) => {
        const params = { path: { owner: account } };
        const body = { address, network, ...proof };
        return unwrap(await hub.POST('/api/v1/wallet/{owner}/payout-address', { params, body }));
      };
      const { proofText } = await register({});
      await register({ proof: await signText(wallet, address, proofText) });
      setMessage(S.payout.done(address));
      changed();
    });
  return (
    <div role="group" aria-label={S.payout.title}>
      <p class="quiet">{S.payout.lead}</p>
      <p class="actions">
        {wallets.map((wallet) => (
          <button key={wallet.id} type="button" aria-busy={action.isRunning} onClick={use(wallet)}>
            {S.payout.use(wallet.name)}
          </button>
        ))}
      </p>
      <p role="status">{message}</p>
      <Trouble of={action} />
    </div>
  );
}
