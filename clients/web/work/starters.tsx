import { unwrap } from '../../typescript/refusal.ts';
import { useLoad } from '../load.ts';
import { Money } from '../parts/shown.tsx';
import { Loading } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { reader } from '../session.ts';
import { workTexts } from '../texts/work.ts';

/** The account whose tasks are alike, one for each new account (choices bonuses). */
export const STARTER = 'hub:starter';

/** All starter tasks as one card: a new account does one of them. */
export function Starters() {
  const starters = useLoad('starters', async (signal) => {
    const query = { requester: STARTER, state: 'open' as const, limit: 1 };
    return unwrap(await reader.GET('/api/v1/tasks', { params: { query }, signal })).tasks;
  });
  if (starters.value === undefined && starters.isLoading) return <Loading />;
  const [first] = starters.value ?? [];
  if (first?.reward === undefined) return null;
  return (
    <div class="list starters">
      <article>
        <h2>
          <a href={pathTo(`work/${first.id}`)}>
            {workTexts.work.starter}: {first.title}
          </a>
        </h2>
        <p class="reward">
          <Money units={first.reward.amount} network={first.reward.network} />
        </p>
        <p class="meta">
          <span>{workTexts.work.starterLead}</span>
          <a href={pathTo('work', { requester: STARTER })}>{workTexts.work.starterAll}</a>
        </p>
      </article>
    </div>
  );
}
