import type { ComponentChildren } from 'preact';
import type { Hub } from '../../typescript/hub.ts';
import { useMine } from '../mine.ts';
import { Avatar } from '../parts/avatar.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { Account, Section } from '../parts/shown.tsx';
import { Loading, With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { useSession } from '../session.ts';
import { accountTexts } from '../texts/account.ts';
import type { Me } from '../types.ts';
import { SignIn } from '../signin/signIn.tsx';
import { OtherKeys } from './bringKey.tsx';
import { MakeKey } from './makeKey.tsx';
import type { OwnProps } from './own.ts';
import { Unfinished } from './pay.tsx';

const TABS = {
  account: 'account',
  money: 'account/money',
  keys: 'account/keys',
  ownWork: 'account/work',
  listings: 'account/listings',
  storage: 'account/storage',
  webhooks: 'account/webhooks',
} as const;

export interface Own extends OwnProps {
  readonly me: Me;
  readonly isExportable: boolean;
}

interface FrameProps {
  readonly page: keyof typeof TABS;
  readonly title: string;
  readonly lead?: string;
  readonly children: (own: Own) => ComponentChildren;
}

export function AccountFrame({ page, title, lead, children }: FrameProps) {
  const session = useSession();
  return (
    <>
      {session.state === 'open' && <Tabs page={page} account={session.account} />}
      <h1>{title}</h1>
      {lead !== undefined && <p class="lead">{lead}</p>}
      {session.state === 'open' ? (
        <Open hub={session.hub} isExportable={session.isExportable}>
          {children}
        </Open>
      ) : session.state === 'opening' ? (
        <Loading />
      ) : (
        <Section title={accountTexts.account.none}>
          {accountTexts.account.why.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          <MakeKey />
          {session.state === 'none' && <SignIn />}
          <OtherKeys />
        </Section>
      )}
    </>
  );
}

function Tabs({ page, account }: Pick<FrameProps, 'page'> & { readonly account: string }) {
  return (
    <div class="own">
      <p class="meta">
        <Avatar name={account} />
        <span role="group" aria-label={accountTexts.account.yours}>
          <Account name={account} />
        </span>
        <CopyButton text={account} label={accountTexts.account.copyName} />
      </p>
      <nav class="tabs" aria-label={accountTexts.account.pages}>
        {Object.entries(TABS).map(([name, path]) => (
          <a key={name} href={pathTo(path)} {...(name === page && { 'aria-current': 'page' })}>
            {accountTexts.account.tabs[name as keyof typeof TABS]}
          </a>
        ))}
      </nav>
    </div>
  );
}

interface OpenProps extends Pick<FrameProps, 'children'> {
  readonly hub: Hub;
  readonly isExportable: boolean;
}

function Open({ hub, isExportable, children }: OpenProps) {
  const mine = useMine();
  return (
    <>
      <Unfinished hub={hub} done={mine.reload} />
      <With of={mine}>
        {(me) =>
          me !== undefined &&
          children({
            hub,
            account: me.owner,
            wallet: me.wallet,
            me,
            isExportable,
            changed: mine.reload,
          })
        }
      </With>
    </>
  );
}
