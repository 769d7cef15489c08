import { unwrap, type Hub } from '../../typescript/index.ts';
import { ApiKeys } from '../account/apiKeys.tsx';
import { OtherKeys } from '../account/bringKey.tsx';
import { Deposit } from '../account/deposit.tsx';
import { Held } from '../account/held.tsx';
import { Keys } from '../account/keys.tsx';
import { Listings } from '../account/listings.tsx';
import { MakeKey } from '../account/makeKey.tsx';
import type { OwnProps } from '../account/own.ts';
import { OwnPassport } from '../account/passport.tsx';
import { Faucet, Pay, Unfinished } from '../account/pay.tsx';
import { Statement } from '../account/statement.tsx';
import { Stored } from '../account/stored.tsx';
import { ThisKey } from '../account/thisKey.tsx';
import { Withdraw } from '../account/withdraw.tsx';
import { OwnWork } from '../account/work.tsx';
import { useLoad } from '../load.ts';
import { Copyable } from '../parts/copy.tsx';
import { Money, Section, StateBadge, Time } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { useSession } from '../session.ts';
import { T } from '../texts.ts';
import type { Me } from '../types.ts';

const EVERY_MS = 10_000;

export function AccountPage() {
  const session = useSession();
  return (
    <>
      <h1>{T.account.title}</h1>
      {session.state === 'open' ? (
        <Open {...session} />
      ) : (
        <Section title={T.account.none}>
          {T.account.why.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          <MakeKey />
          <OtherKeys />
        </Section>
      )}
    </>
  );
}

interface OpenProps {
  readonly hub: Hub;
  readonly account: string;
  readonly isExportable: boolean;
}

function Open({ hub, account, isExportable }: OpenProps) {
  const me = useLoad(
    `me ${account}`,
    async (signal) => unwrap(await hub.GET('/api/v1/me', { signal })),
    EVERY_MS,
  );
  return (
    <>
      <Copyable text={account} label={T.account.yours} />
      <p class="quiet">{isExportable ? T.account.keptOpen : T.account.keptHere}</p>
      <Unfinished hub={hub} done={me.reload} />
      <With of={me}>
        {(value) => (
          <>
            <Figures me={value} />
            <div class="columns2">
              <div>
                <Held wallet={value.wallet} />
                <Claims claims={value.claims} />
                <Statement
                  hub={hub}
                  account={account}
                  network={value.wallet.network}
                  seen={`${value.wallet.balance} ${value.wallet.held.total}`}
                />
                <ThisKey account={account} isExportable={isExportable} />
                <Keys hub={hub} account={account} />
              </div>
              <div>
                <Faucet
                  hub={hub}
                  account={account}
                  network={value.wallet.network}
                  done={me.reload}
                />
                <Pay hub={hub} account={account} wallet={value.wallet} done={me.reload} />
              </div>
            </div>
            <More hub={hub} account={account} me={value} changed={me.reload} />
          </>
        )}
      </With>
    </>
  );
}

interface MoreProps extends Pick<OwnProps, 'hub' | 'account' | 'changed'> {
  readonly me: Me;
}

/** What is not asked for at every visit. */
function More({ me, ...rest }: MoreProps) {
  const own: OwnProps = { ...rest, wallet: me.wallet };
  return (
    <div class="columns2 even">
      <div>
        <Deposit {...own} />
        <OwnWork {...own} />
        <OwnPassport hub={own.hub} keyId={me.keyId} />
      </div>
      <div>
        <Withdraw {...own} />
        <ApiKeys {...own} />
        <Listings hub={own.hub} me={me} />
        <Stored hub={own.hub} account={own.account} />
      </div>
    </div>
  );
}

function Figures({ me: { wallet, karma } }: { readonly me: Me }) {
  const { balance, spendable, held, inFlight, network } = wallet;
  const money = (units: string) => <Money units={units} network={network} />;
  return (
    <ul class="tiles" aria-label={T.account.money}>
      <li>
        <b>{money(spendable)}</b>
        <span>{T.account.spendable}</span>
      </li>
      <li>
        <b>{money(balance)}</b>
        <span>{T.account.balance}</span>
      </li>
      <li>
        <b>{money(held.total)}</b>
        <span>{T.account.held}</span>
      </li>
      <li>
        <b>{money(inFlight.payouts)}</b>
        <span>{T.account.coming}</span>
      </li>
      <li>
        <b>{karma.total}</b>
        <span>{T.account.karma(karma.tier)}</span>
      </li>
    </ul>
  );
}

function Claims({ claims }: Pick<Me, 'claims'>) {
  return (
    <Section title={T.account.claims}>
      {claims.length === 0 ? (
        <Empty>
          {T.account.noClaims} <a href={pathTo('work')}>{T.account.findWork}</a>
        </Empty>
      ) : (
        <ul class="rows">
          {claims.map(({ taskId, title, taskState, leaseEndsAt }) => (
            <li key={taskId}>
              <a href={pathTo(`work/${taskId}`)}>{title}</a> <StateBadge state={taskState} />
              {leaseEndsAt !== undefined && taskState === 'held' && (
                <span class="quiet">
                  {' '}
                  {T.account.leaseEnds} <Time at={leaseEndsAt} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
