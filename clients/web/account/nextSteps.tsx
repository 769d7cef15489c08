import type { ComponentChildren } from 'preact';
import { unwrap } from '../../typescript/refusal.ts';
import { usdc } from '../format.ts';
import { useLoad, useReloadOn } from '../load.ts';
import { Money, Section, Time } from '../parts/shown.tsx';
import { Loading, With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { T } from '../texts.ts';
import { accountTexts } from '../texts/account.ts';
import type { Got } from '../types.ts';
import { STARTER } from '../work/starters.tsx';
import type { Own } from './frame.tsx';
import { isOffered, Offered } from './offered.tsx';
import { WorkBadge } from './workBadge.tsx';

const N = accountTexts.next;
const LIMIT = 5;
const EVERY_MS = 15_000;

interface NextStepsProps extends Pick<Own, 'hub' | 'account' | 'me'> {
  readonly children: ComponentChildren;
}

/**
 * The tasks that this account works on with what each waits for, or the first task to do. Its
 * children come with them, since how many there are decides where the children are.
 */
export function NextSteps({ hub, account, me, children }: NextStepsProps) {
  const { balance, held, inFlight } = me.wallet;
  const next = useLoad(
    `next ${account}`,
    async (signal) => {
      const query = { role: 'worker' as const, limit: LIMIT };
      const own = unwrap(await hub.GET('/api/v1/me/work', { params: { query }, signal })).work;
      const offered = own.filter(isOffered);
      const running = own.filter((item) => item.state !== 'closed' && !isOffered(item));
      return { offered, running, first: own.length > 0 ? undefined : await firstTask(hub, signal) };
    },
    EVERY_MS,
  );
  useReloadOn(`${balance} ${held.total} ${inFlight.payouts}`, next.reload);
  if (next.value === undefined && next.error === undefined) return <Loading />;
  return (
    <>
      <With of={next}>{(steps) => <Steps hub={hub} account={account} {...steps} />}</With>
      {children}
    </>
  );
}

interface StepsProps extends Pick<Own, 'hub' | 'account'> {
  readonly offered: readonly Item[];
  readonly running: readonly Item[];
  readonly first: Awaited<ReturnType<typeof firstTask>>;
}

function Steps({ hub, account, offered, running, first }: StepsProps) {
  return (
    <>
      {offered.length > 0 && <Offered hub={hub} account={account} items={offered} />}
      {first !== undefined && (
        <Section title={N.first} lead={N.firstLead}>
          <p class="actions">
            <a class="button main" href={pathTo(`work/${first.id}`)}>
              {N.earns(usdc(first.earns), T.unit(first.network))}
            </a>
          </p>
        </Section>
      )}
      {running.length > 0 && (
        <Section
          title={N.running}
          aside={<a href={pathTo('account/work')}>{accountTexts.account.tabs.ownWork}</a>}
        >
          <ul class="rows">
            {running.map((item) => (
              <Running key={item.id} item={item} />
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

type Item = Got<'/api/v1/me/work'>['work'][number];

/** One of three clocks runs: of the claim, of silence, or of the time for a dispute. */
function Running({ item }: { readonly item: Item }) {
  const { taskId, title, reward, paysAt, decidesAt, leaseEndsAt } = item;
  const clocks = [
    [N.pays, paysAt],
    [N.silence, decidesAt],
    [N.lapses, leaseEndsAt],
  ] as const;
  const clock = clocks.find(([, at]) => at !== undefined);
  return (
    <li>
      <a href={pathTo(`work/${taskId}`)}>{title}</a>
      <p class="meta">
        <WorkBadge item={item} />
        {reward !== undefined && <Money units={reward.amount} network={reward.network} />}
        {clock?.[1] !== undefined && (
          <span>
            {clock[0]} <Time at={clock[1]} />
          </span>
        )}
      </p>
    </li>
  );
}

/** The newest starter task, with what its worker gets after the fees. */
async function firstTask(hub: Own['hub'], signal: AbortSignal) {
  const query = { requester: STARTER, state: 'open' as const, limit: 1 };
  const [task] = unwrap(await hub.GET('/api/v1/tasks', { params: { query }, signal })).tasks;
  if (task?.reward === undefined) return undefined;
  const params = { path: { id: task.id } };
  const { plan } = unwrap(await hub.GET('/api/v1/tasks/{id}/economics', { params, signal }));
  const { amount, network } = task.reward;
  return { id: task.id, network, earns: plan?.worker ?? amount };
}
