import { Claims } from '../account/claims.tsx';
import { Figures } from '../account/figures.tsx';
import { AccountFrame } from '../account/frame.tsx';
import { Held } from '../account/held.tsx';
import { Faucet } from '../account/pay.tsx';
import { NextSteps } from '../account/nextSteps.tsx';
import { Statement } from '../account/statement.tsx';
import { Approvals } from '../approvals/approvals.tsx';
import { pathTo } from '../routes.ts';
import { accountTexts } from '../texts/account.ts';

const LATEST = 5;

export function AccountPage() {
  return (
    <AccountFrame page="account" title={accountTexts.account.title}>
      {({ me, ...own }) => (
        <>
          <Approvals {...own} isBrief />
          <Figures me={me} />
          <NextSteps {...own} me={me}>
            <div class="columns2">
              <div>
                <Statement
                  {...own}
                  title={accountTexts.account.latest}
                  limit={LATEST}
                  aside={<a href={pathTo('account/money')}>{accountTexts.account.tabs.money}</a>}
                />
              </div>
              <div>
                <Faucet {...own} />
                <Claims claims={me.claims} />
                <Held wallet={me.wallet} />
              </div>
            </div>
          </NextSteps>
        </>
      )}
    </AccountFrame>
  );
}
