import { Deposit } from '../account/deposit.tsx';
import { Figures } from '../account/figures.tsx';
import { AccountFrame } from '../account/frame.tsx';
import { Held } from '../account/held.tsx';
import { Faucet, Pay } from '../account/pay.tsx';
import { Statement } from '../account/statement.tsx';
import { Withdraw } from '../account/withdraw.tsx';
import { T } from '../texts.ts';
import { accountTexts } from '../texts/account.ts';

export function MoneyPage() {
  return (
    <AccountFrame page="money" title={T.pages.money}>
      {({ me, ...own }) => (
        <>
          <Figures me={me} />
          <div class="columns2">
            <div>
              <Statement {...own} title={accountTexts.statement.title} />
              <Held wallet={me.wallet} />
            </div>
            <div>
              <Pay {...own} />
              <Faucet {...own} />
              <Deposit {...own} />
              <Withdraw {...own} />
            </div>
          </div>
        </>
      )}
    </AccountFrame>
  );
}
