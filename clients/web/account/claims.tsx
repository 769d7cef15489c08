import { Section, StateBadge, Time } from '../parts/shown.tsx';
import { Empty } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { T } from '../texts.ts';
import type { Me } from '../types.ts';

/** Tasks that the account holds now. */
export function Claims({ claims }: Pick<Me, 'claims'>) {
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
