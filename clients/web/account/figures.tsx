import { usdc } from '../format.ts';
import { Money } from '../parts/shown.tsx';
import { T } from '../texts.ts';
import { accountTexts } from '../texts/account.ts';
import type { Me } from '../types.ts';

export function Figures({ me: { wallet, karma } }: { readonly me: Me }) {
  const { balance, spendable, held, inFlight, network } = wallet;
  const money = (units: string) => <Money units={units} network={network} />;
  return (
    <ul class="tiles" aria-label={accountTexts.account.money}>
      <li>
        <b>{money(spendable)}</b>
        <span>{accountTexts.account.spendable}</span>
      </li>
      <li>
        <b>{money(balance)}</b>
        <span>{accountTexts.account.balance}</span>
      </li>
      <li>
        <b>{money(held.total)}</b>
        <span>{accountTexts.account.held}</span>
      </li>
      <li>
        <b>{money(inFlight.payouts)}</b>
        <span>{accountTexts.account.coming}</span>
      </li>
      <li>
        <b>{karma.total}</b>
        <span>{accountTexts.account.karma(karma.tier)}</span>
      </li>
      {karma.figures !== undefined && (
        <>
          <li>
            <b>{karma.figures.discounted}</b>
            <span>{T.karmaDiscounted}</span>
          </li>
          <li>
            <b>{usdc(karma.figures.price)}</b>
            <span>{T.karmaPrice}</span>
          </li>
        </>
      )}
    </ul>
  );
}
