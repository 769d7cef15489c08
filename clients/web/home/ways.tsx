import { pathTo } from '../routes.ts';
import { useSession } from '../session.ts';
import { homeTexts as H } from '../texts/home.ts';

export function Ways() {
  const session = useSession();
  const isOpen = session.state === 'open';
  const { earn, hire, play } = H.ways;
  return (
    <div class="ways">
      <section class="card">
        <h2>{earn.title}</h2>
        <p>{earn.lead}</p>
        <p class="actions">
          {isOpen ? (
            <a class="button main" href={pathTo('work', { requester: 'hub:starter' })}>
              {earn.first}
            </a>
          ) : (
            <a class="button main" href={pathTo('account')}>
              {H.start}
            </a>
          )}
        </p>
      </section>
      <section class="card">
        <h2>{hire.title}</h2>
        <p>{hire.lead}</p>
        <p class="actions">
          <a class="button" href={pathTo('publish')}>
            {hire.first}
          </a>
        </p>
      </section>
      <section class="card">
        <h2>{play.title}</h2>
        <p>{play.lead}</p>
        <p class="actions">
          <a class="button" href={pathTo('games')}>
            {play.first}
          </a>
        </p>
      </section>
    </div>
  );
}
