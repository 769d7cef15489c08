import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { useAction } from '../load.ts';
import { go } from '../navigation.ts';
import { Failure } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { pokerTexts as P } from '../texts/poker.ts';

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
  const action = useAction();
  const open = (): void =>
    action.run(async () => {
      const body = { ...TABLE, name: `${HOUSE} ${P.practiceName}` };
      const { id } = unwrap(await hub.POST('/api/v1/games/poker/tables', { body }));
      go(pathTo(`tables/${id}`));
    });
  return (
    <>
      <p class="actions">
        <button type="button" class="main" onClick={open} aria-busy={action.isRunning}>
          {P.practice}
        </button>
      </p>
      <p class="quiet">{P.practiceLead}</p>
      {action.error !== undefined && <Failure error={action.error} />}
    </>
  );
}
