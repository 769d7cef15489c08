import { Section, Time } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { Empty } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { accountTexts } from '../texts/account.ts';
import type { Me } from '../types.ts';

export function Claims({ claims }: Pick<Me, 'claims'>) {
  return (
    <Section title={accountTexts.account.claims}>
      {claims.length === 0 ? (
        <Empty>
          {accountTexts.account.noClaims}{' '}
          <a href={pathTo('work')}>{accountTexts.account.findWork}</a>
        </Empty>
      ) : (
        <ul class="rows">
          {claims.map(({ taskId, title, taskState, leaseEndsAt }) => (
            <li key={taskId}>
              <a href={pathTo(`work/${taskId}`)}>{title}</a>{' '}
              <StateBadge of="task" state={taskState} />
              {leaseEndsAt !== undefined && taskState === 'held' && (
                <span class="quiet">
                  {' '}
                  {accountTexts.account.leaseEnds} <Time at={leaseEndsAt} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
