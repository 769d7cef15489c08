import { unwrap } from '../../typescript/refusal.ts';
import { shareOf, usdc } from '../format.ts';
import { useLoad } from '../load.ts';
import { Split } from '../parts/plots.tsx';
import { Account, Facts, Money, Section, Stranger, Time, Untrusted } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { With } from '../parts/states.tsx';
import { reader } from '../session.ts';
import { workTexts } from '../texts/work.ts';
import { taskTexts } from '../texts/task.ts';
import type { Got, Task } from '../types.ts';

type Dispute = Got<'/api/v1/tasks/{id}/dispute'>;
const PARTS = ['worker', 'requester', 'arbiter', 'judges', 'hub'] as const;
const EVERY_MS = 4_000;

/** Who objects to what, who decides, and where the money went. */
export function DisputeOf({ id, state }: Pick<Task, 'id' | 'state'>) {
  const dispute = useLoad(
    `dispute ${id} ${state}`,
    async (signal) =>
      unwrap(await reader.GET('/api/v1/tasks/{id}/dispute', { params: { path: { id } }, signal })),
    state === 'disputed' ? EVERY_MS : undefined,
  );
  return (
    <Section title={workTexts.dispute.title} aside={<Untrusted />}>
      <With of={dispute}>{(value) => <Shown dispute={value} />}</With>
    </Section>
  );
}

function Shown({ dispute }: { readonly dispute: Dispute }) {
  const { state, raisedBy, at, reason, arbiter, deadline, nextDrawAt, disputed, why } = dispute;
  const { verdict, workerShareBps, resolution, money } = dispute;
  const waits = state === 'searching' || state === 'drawn';
  return (
    <>
      <p class="meta">
        <StateBadge of="dispute" state={state} />
        <span>
          {workTexts.dispute.raisedBy} <Account name={raisedBy} /> <Time at={at} />
        </span>
      </p>
      <p>
        <b>{taskTexts.dispute.now[dispute.settledBy === undefined ? state : 'settled']}</b>
      </p>
      <Steps state={state} />
      <Stranger text={reason} />
      <Facts
        rows={[
          [
            workTexts.dispute.arbiter,
            arbiter === undefined ? workTexts.dispute.noArbiter : <Account name={arbiter} />,
          ],
          [
            workTexts.dispute.nextDraw,
            nextDrawAt === undefined ? undefined : <Time at={nextDrawAt} />,
          ],
          [workTexts.dispute.until, waits ? <Time at={deadline} /> : undefined],
          [
            workTexts.dispute.disputed,
            <Money key="d" units={disputed.amount} network={disputed.network} />,
          ],
          [
            workTexts.dispute.verdict,
            verdict === undefined ? undefined : workTexts.dispute.verdicts[verdict],
          ],
          [
            workTexts.dispute.share,
            workerShareBps === undefined ? undefined : `${workerShareBps / 100} %`,
          ],
        ]}
      />
      {why !== undefined && <p class="quiet">{why}</p>}
      <Draws draws={dispute.draws} />
      {resolution !== undefined && <Stranger text={resolution} />}
      {money !== undefined && <Shares money={money} />}
    </>
  );
}

const STEPS = ['raised', 'drawn', 'ruled', 'paid'] as const;
/** The steps that are behind a dispute in each state. */
const DONE: Readonly<Record<Dispute['state'], number>> = {
  searching: 1,
  drawn: 2,
  ruled: 4,
  void: 1,
};

function Steps({ state }: Pick<Dispute, 'state'>) {
  const done = DONE[state];
  return (
    <details open={state === 'searching' || state === 'drawn'}>
      <summary>{taskTexts.dispute.how}</summary>
      <ol class="steps">
        {STEPS.map((step, place) => (
          <li
            key={step}
            class={place < done ? 'done' : ''}
            {...(place === done && { 'aria-current': 'step' })}
          >
            {taskTexts.dispute.steps[step]}
          </li>
        ))}
      </ol>
      <p class="quiet">{taskTexts.dispute.fee}</p>
    </details>
  );
}

/** The draws with the public random value that each can be repeated from. */
function Draws({ draws }: Pick<Dispute, 'draws'>) {
  if (draws.length === 0) return null;
  return (
    <details>
      <summary>{taskTexts.dispute.draws}</summary>
      <ul>
        {draws.map(({ round, arbiter, pulseSeq, until }) => (
          <li key={round}>
            {taskTexts.dispute.draw(round, pulseSeq)}: <Account name={arbiter} />,{' '}
            {workTexts.dispute.until} <Time at={until} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Shares({ money }: { readonly money: NonNullable<Dispute['money']> }) {
  const total = String(PARTS.reduce((sum, part) => sum + BigInt(money[part]), 0n));
  return (
    <Split
      title={workTexts.dispute.verdict}
      parts={PARTS.filter((part) => money[part] !== '0').map((part) => ({
        label: workTexts.dispute.parts[part],
        share: shareOf(money[part], total),
        text: usdc(money[part]),
      }))}
    />
  );
}
