import { useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { useLoad } from '../load.ts';
import { Stranger, Time } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { reader } from '../session.ts';
import { visitTexts as S } from '../texts/visit.ts';
import type { Got } from '../types.ts';

type Submission = Got<'/api/v1/agents/submissions/{origin}'>;

const EVERY_MS = 2_000;
/** The visit of a submitted address, from the wait for it to what was found. */
export function Followed({ origin }: { readonly origin: string }) {
  const [isOver, setOver] = useState(false);
  const record = useLoad(
    `submission ${origin}`,
    async (signal) => {
      const params = { path: { origin: origin.replace(/\/$/, '') } };
      const found = unwrap(
        await reader.GET('/api/v1/agents/submissions/{origin}', { params, signal }),
      );
      setOver(found.state === 'listed' || found.state === 'not-listed');
      return found;
    },
    isOver ? undefined : EVERY_MS,
  );
  return <With of={record}>{(found) => <RecordOf record={found} />}</With>;
}

function RecordOf({ record }: { readonly record: Submission }) {
  const { origin, state, found, why, fix, nextLookAt, probes } = record;
  return (
    <div>
      <p role="status">
        <code>{origin}</code> <StateBadge of="submission" state={state} />
      </p>
      <ul class="rows">
        {found.map(({ id, name }) => (
          <li key={id}>
            <a href={pathTo(`agents/${id}`)}>{name}</a>
          </li>
        ))}
      </ul>
      {why !== undefined && <p>{why}</p>}
      {fix !== undefined && (
        <p>
          <b>{S.fix}</b> {fix}
        </p>
      )}
      {(state === 'not-listed' || state === 'waiting') && (
        <p class="quiet">
          {S.next} <Time at={nextLookAt} />
        </p>
      )}
      {probes.length > 0 && (
        <details>
          <summary>{S.probes}</summary>
          <ul>
            {probes.map(({ url, outcome, detail }, place) => (
              <li key={place}>
                <code>{url}</code>: {S.outcomes[outcome]}
                <Stranger text={detail} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
