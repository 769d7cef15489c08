import type { Hub } from '../../typescript/hub.ts';
import { useAction } from '../load.ts';
import { go } from '../navigation.ts';
import { Account, Money, Section, Time } from '../parts/shown.tsx';
import { Failure } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { accountTexts } from '../texts/account.ts';
import type { Got } from '../types.ts';
import { takeClaim } from '../work/heldClaim.ts';

const N = accountTexts.next;
type Item = Got<'/api/v1/me/work'>['work'][number];

/** Tasks that are kept for this account: offered to it by name, or won by its plan. */
export const isOffered = ({ role, state, offeredUntil, reservedUntil }: Item): boolean =>
  role === 'worker' && state === 'open' && (offeredUntil ?? reservedUntil) !== undefined;

interface OfferedProps {
  readonly hub: Hub;
  readonly account: string;
  readonly items: readonly Item[];
}

export function Offered(props: OfferedProps) {
  return (
    <Section title={N.waits} lead={N.waitsLead}>
      <OfferedRows {...props} />
    </Section>
  );
}

export function OfferedRows({ hub, account, items }: OfferedProps) {
  return (
    <ul class="rows" aria-label={N.waits}>
      {items.map((item) => (
        <OneOffer key={item.id} hub={hub} account={account} item={item} />
      ))}
    </ul>
  );
}

interface OneOfferProps extends Omit<OfferedProps, 'items'> {
  readonly item: Item;
}

function OneOffer({ hub, account, item }: OneOfferProps) {
  const { taskId, title, reward, requester, offeredUntil, reservedUntil } = item;
  const until = offeredUntil ?? reservedUntil;
  const action = useAction();
  const accept = (): void =>
    action.run(async () => {
      await takeClaim(hub, account, taskId);
      go(pathTo(`work/${taskId}`));
    });
  return (
    <li>
      <a href={pathTo(`work/${taskId}`)}>{title}</a>
      <p class="meta">
        {reward !== undefined && <Money units={reward.amount} network={reward.network} />}
        <span>
          {N.offeredBy} <Account name={requester} />
        </span>
        {until !== undefined && (
          <span>
            {N.kept} <Time at={until} />
          </span>
        )}
      </p>
      <p class="actions">
        <button
          type="button"
          class="small"
          aria-label={N.acceptOf(title)}
          aria-busy={action.isRunning}
          onClick={accept}
        >
          {N.accept}
        </button>
      </p>
      {action.error !== undefined && <Failure error={action.error} />}
    </li>
  );
}
