import { Avatar } from '../parts/avatar.tsx';
import { Account, Money, Section, Time, Untrusted } from '../parts/shown.tsx';
import { Empty } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { T } from '../texts.ts';
import { homeTexts as H } from '../texts/home.ts';
import type { Earnings } from '../types.ts';

const SHOWN = 6;

export function Payouts({ earnings: { recent, network } }: { readonly earnings: Earnings }) {
  if (recent.length === 0) {
    return (
      <Section title={H.recent}>
        <Empty>
          {H.noPayouts} <a href={pathTo('work')}>{H.beFirst}</a>
        </Empty>
      </Section>
    );
  }
  return (
    <Section title={H.recent} aside={<Untrusted />}>
      <ul class="rows feed">
        {recent.slice(0, SHOWN).map(({ transferId, to, net, at, reason, taskId, title }) => (
          <li key={transferId}>
            <Avatar name={to} />
            <p>
              <Account name={to} /> {H.got} <Money units={net} network={network} />{' '}
              <span class="quiet">
                <Time at={at} />
              </span>
              <span class="for">
                {taskId === undefined || title === undefined ? (
                  (T.reasons[reason] ?? reason)
                ) : (
                  <a href={pathTo(`work/${taskId}`)}>{title}</a>
                )}
              </span>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
