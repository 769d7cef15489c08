import { useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { useLoad } from '../load.ts';
import { Choice } from '../parts/fields.tsx';
import { Money, Section, Time } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { accountTexts } from '../texts/account.ts';
import { custodyTexts as C } from '../texts/custody.ts';
import type { Got } from '../types.ts';
import { isOffered, OfferedRows } from './offered.tsx';
import type { OwnProps } from './own.ts';
import { WorkBadge } from './workBadge.tsx';

type Item = Got<'/api/v1/me/work'>['work'][number];
const ROLES = ['worker', 'requester', 'judge'] as const;
type Role = (typeof ROLES)[number];
const LIMIT = 25;
const EVERY_MS = 15_000;

export function OwnWork({ hub, account }: OwnProps) {
  const [role, setRole] = useState<Role>('worker');
  const params = { query: { role, limit: LIMIT } };
  const work = useLoad(
    `work ${account} ${role}`,
    async (signal) => unwrap(await hub.GET('/api/v1/me/work', { params, signal })).work,
    EVERY_MS,
  );
  return (
    <Section title={C.work.title} lead={C.work.lead}>
      <Choice
        label={C.work.role}
        value={role}
        options={ROLES.map((name) => [name, C.work.roles[name]] as const)}
        onChange={(name) => setRole(name as Role)}
      />
      <With of={work}>
        {(items) =>
          items.length === 0 ? (
            <Empty>{C.work.none}</Empty>
          ) : (
            <>
              {items.some(isOffered) && (
                <>
                  <h3>{accountTexts.next.waits}</h3>
                  <OfferedRows hub={hub} account={account} items={items.filter(isOffered)} />
                </>
              )}
              <ul class="rows">
                {items
                  .filter((item) => !isOffered(item))
                  .map((item) => (
                    <OneItem key={item.id} item={item} />
                  ))}
              </ul>
            </>
          )
        }
      </With>
    </Section>
  );
}

function OneItem({ item }: { readonly item: Item }) {
  const { taskId, title, reward, since, undecided = 0, paysAt } = item;
  return (
    <li>
      <a href={pathTo(`work/${taskId}`)}>{title}</a>
      <p class="meta">
        <WorkBadge item={item} />
        {reward !== undefined && <Money units={reward.amount} network={reward.network} />}
        {undecided > 0 && <span>{C.work.undecided(undecided)}</span>}
        {paysAt !== undefined && (
          <span>
            {C.work.pays} <Time at={paysAt} />
          </span>
        )}
        <Time at={since} />
      </p>
    </li>
  );
}
