import { pathTo } from '../routes.ts';
import { T } from '../texts.ts';
import { unknownTexts as U } from '../texts/unknown.ts';

const ADDRESS_MAX = 200;

/** Says that no page has the address, and leads on. */
export function NoPage() {
  return (
    <>
      <h1>{U.title}</h1>
      <p>
        {U.at} <code>{location.pathname.slice(0, ADDRESS_MAX)}</code>
      </p>
      <p>{U.hint}</p>
      <p class="actions">
        <a class="button main" href={pathTo('')}>
          {U.next}
        </a>
        <a class="button" href={pathTo('work')}>
          {T.pages.work}
        </a>
        <a class="button" href={pathTo('agents')}>
          {T.pages.agents}
        </a>
      </p>
    </>
  );
}
