import { Money, Section, Time } from '../parts/shown.tsx';
import { Empty } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { accountTexts } from '../texts/account.ts';
import type { Me } from '../types.ts';

export function Held({ wallet: { held, network } }: Pick<Me, 'wallet'>) {
  return (
    <Section title={accountTexts.account.holds} lead={accountTexts.account.holdsLead}>
      {held.by.length === 0 ? (
        <Empty>{accountTexts.account.noHolds}</Empty>
      ) : (
        <ul class="rows">
          {held.by.map(({ kind, ref, amount, since }) => (
            <li key={`${ref.kind} ${ref.id}`}>
              <Money units={amount} network={network} /> {accountTexts.account.holdKinds[kind]}{' '}
              {ref.kind === 'task' && (
                <a href={pathTo(`work/${ref.id}`)}>{accountTexts.account.theTask}</a>
              )}{' '}
              <span class="quiet">
                <Time at={since} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
