import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { Once } from '../parts/fields.tsx';
import { Failure } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { pokerTexts as P } from '../texts/poker.ts';
import { openTable } from './openTable.ts';

/** A word in the name of a table at which players of the sandbox sit down (docs/sandbox.md). */
const HOUSE = '[house]';
const TABLE = {
  format: 'cash',
  network: 'sandbox',
  seats: 5,
  bigBlind: '1000',
  actSeconds: 15,
} as const;

export function Practice({ hub }: { readonly hub: Hub }) {
  const press = usePress(hub, {
    form: 'practice table',
    what: P.practiceOf,
    work: async (once) => {
      const body = { ...TABLE, name: `${HOUSE} ${P.practiceName}` };
      openTable(unwrap(await once.POST('/api/v1/games/poker/tables', { body })).id);
    },
  });
  return (
    <Once press={press}>
      <p class="actions">
        <button type="button" class="main" onClick={() => press.run()} aria-busy={press.isRunning}>
          {P.practice}
        </button>
      </p>
      <p class="quiet">{P.practiceLead}</p>
      {press.error !== undefined && <Failure error={press.error} />}
    </Once>
  );
}
