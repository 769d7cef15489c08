import { useState } from 'preact/hooks';
import { WithFiles } from '../../typescript/files.ts';
import type { Hub } from '../../typescript/hub.ts';
import { nextCalls } from '../../typescript/next.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { isFinal } from '../../typescript/watch.ts';
import {
  deliverAgain,
  deliverResult,
  type Claim,
  type SubmitResult,
} from '../../typescript/work.ts';
import { useAction } from '../load.ts';
import { Money, Section, Time } from '../parts/shown.tsx';
import { Failure } from '../parts/states.tsx';
import { MakeKey } from '../account/makeKey.tsx';
import { useSender } from '../session.ts';
import { workTexts } from '../texts/work.ts';
import { isPitch, type Task } from '../types.ts';
import { RulingForm } from '../judging/rulingForm.tsx';
import { Alive } from './alive.tsx';
import { dropClaim, heldClaim, takeClaim } from './heldClaim.ts';
import { PitchForm } from './pitchForm.tsx';
import { Receipt } from './receipt.tsx';
import { ResultForm } from './resultForm.tsx';
import { Step } from './step.tsx';
import { WinnersForm } from './winners.tsx';

/** The actions open to this browser's account: the calls that the task itself lists. */
interface ActProps {
  readonly task: Task;
  readonly changed: () => void;
}

export function Act({ task, changed }: ActProps) {
  const sender = useSender();
  return (
    <Section title={workTexts.act.title}>
      {sender !== undefined ? (
        <OwnActs task={task} changed={changed} hub={sender.hub} own={sender.account} />
      ) : (
        <>
          <p>{workTexts.act.needsKey}</p>
          <MakeKey />
        </>
      )}
    </Section>
  );
}

interface OwnProps extends ActProps {
  readonly hub: Hub;
  readonly own: string;
}

/** Steps that have a form of their own below. */
const SHAPED = [
  'tasks.claim',
  'tasks.submit',
  'tasks.fail',
  'tasks.solution',
  'tasks.comment',
  'tasks.arbitrate',
  'tasks.pitch',
  'tasks.choose',
];

export function OwnActs(props: OwnProps) {
  const { task, hub, own } = props;
  const [done, setDone] = useState<Done>();
  const onDone = (outcome: SubmitResult, pays?: Pays): void => setDone({ outcome, pays });
  const mine = task.workers.filter(({ worker }) => worker === own);
  const isHolder = mine.some(({ state }) => state === 'claimed');
  const isRequester = task.requester === own;
  const mayWork = (action: string): boolean =>
    !isHolder &&
    !isRequester &&
    task.next.some((step) => step.action === action && (step.who === own || isFor(step.who)));
  const isArbiter = task.next.some(
    ({ action, who }) => action === 'tasks.arbitrate' && who === own,
  );
  const waitsForPlans = isRequester && task.next.some(({ action }) => action === 'tasks.pitch');
  const shaped = ['tasks.claim', 'tasks.solution', 'tasks.pitch'].some(mayWork);
  const names = isRequester && task.shares !== undefined;
  const others = nextCalls(hub, task).filter(
    ({ action }, place) =>
      !SHAPED.includes(action) &&
      !(names && action === 'tasks.accept') &&
      (task.next[place]?.who === own || (isFor(task.next[place]?.who) && !isRequester)),
  );
  return (
    <>
      {done !== undefined && <Outcome {...done} task={task} />}
      {done === undefined && mine.some(({ state }) => state === 'accepted') && (
        <p class="good" role="status">
          {isFinal(task) ? workTexts.act.paid : workTexts.act.accepted}
        </p>
      )}
      {isHolder && <Deliver {...props} onDone={onDone} />}
      {mayWork('tasks.claim') && <ClaimIt {...props} />}
      {mayWork('tasks.solution') && <Offer {...props} onDone={onDone} />}
      {mayWork('tasks.pitch') && <PitchForm {...props} />}
      {names && mayDecide(task) && <WinnersForm {...props} />}
      {waitsForPlans && <p>{workTexts.act.plansBelow}</p>}
      {others.map((step) => (
        <Step key={`${step.action} ${JSON.stringify(step.call.body)}`} step={step} {...props} />
      ))}
      {mine.some(({ state }) => state === 'accepted') && isFinal(task) && (
        <Receipt task={task} hub={hub} own={own} />
      )}
      {isArbiter && <RulingForm id={task.id} hub={hub} own={own} ruled={props.changed} />}
      {!isHolder && !isArbiter && !shaped && !waitsForPlans && others.length === 0 && (
        <p class="quiet">{isFinal(task) ? workTexts.act.over : workTexts.act.nothing}</p>
      )}
    </>
  );
}

/** Results wait for the requester to name winners among them. */
function mayDecide({ state, workers }: Task): boolean {
  return state === 'open' && workers.some((each) => each.state === 'waiting');
}

/** Whether a role in words is open to any account. */
function isFor(role: string | undefined): boolean {
  return role === 'anyone' || role === 'any worker';
}

function ClaimIt({ task, hub, own, changed }: OwnProps) {
  const action = useAction();
  const claim = (): void =>
    action.run(async () => {
      await takeClaim(hub, own, task.id);
      changed();
    });
  return (
    <>
      <p>{isPitch(task) ? workTexts.act.chosenLead : workTexts.act.claimLead}</p>
      <button type="button" class="main" onClick={claim} aria-busy={action.isRunning}>
        {workTexts.act.claim}
      </button>
      {action.error !== undefined && <Failure error={action.error} />}
    </>
  );
}

type Pays = NonNullable<Claim['deliver']>['pays'];
interface Done {
  readonly outcome: SubmitResult;
  /** The pay that the claim promised; a pending outcome has no split yet. */
  readonly pays: Pays;
}
interface Answered {
  readonly onDone: (outcome: SubmitResult, pays?: Pays) => void;
}

function Deliver({ task, hub, own, changed, onDone }: OwnProps & Answered) {
  const giving = useAction();
  const lease = task.workers.find(({ worker, state }) => worker === own && state === 'claimed');
  const held = (): Promise<Claim> => heldClaim(hub, own, { id: task.id, attemptId: lease?.id });
  const giveBack = (): void =>
    giving.run(async () => {
      const { claimToken } = await held();
      if (claimToken === undefined) throw new TypeError('the claim has no token');
      const params = { path: { id: task.id } };
      unwrap(await hub.POST('/api/v1/tasks/{id}/fail', { params, body: { claimToken } }));
      dropClaim(task.id);
      changed();
    });
  return (
    <>
      {lease?.leaseEndsAt !== undefined && (
        <p>
          {workTexts.act.holds} <Time at={lease.leaseEndsAt} />.
        </p>
      )}
      {lease !== undefined && (
        <Alive task={task} attempt={lease} hub={hub} own={own} changed={changed} />
      )}
      <ResultForm
        task={task}
        hub={hub}
        label={workTexts.act.deliver}
        send={async (once, { result, files }, lost) => {
          if (lost !== undefined) onDone(await deliverAgain(once, lost));
          else {
            const claim = await held();
            const whole = files.length === 0 ? result : new WithFiles(result, files);
            onDone(await deliverResult(once, claim, whole), claim.deliver?.pays);
          }
          dropClaim(task.id);
          changed();
        }}
      />
      <button type="button" onClick={giveBack} aria-busy={giving.isRunning}>
        {workTexts.act.giveBack}
      </button>
      {giving.error !== undefined && <Failure error={giving.error} />}
    </>
  );
}

function Offer({ task, hub, own, changed, onDone }: OwnProps & Answered) {
  return (
    <>
      <p>{workTexts.act.offerLead}</p>
      <ResultForm
        task={task}
        hub={hub}
        label={workTexts.act.offer}
        send={async (once, { result, files }) => {
          const params = { path: { id: task.id } };
          const body = { agentId: own, result, ...(files.length > 0 && { files: [...files] }) };
          onDone(unwrap(await once.POST('/api/v1/tasks/{id}/solution', { params, body })));
          changed();
        }}
      />
    </>
  );
}

function Outcome({ outcome, pays, task }: Done & { readonly task: Task }) {
  const { outcome: word, refused = [], split = pays, attemptsLeft } = outcome;
  const silence = task.next.find(({ action }) => action === 'tasks.accept')?.until;
  const isPaid = task.state === 'paid' && word !== 'refused';
  return (
    <div role="status" class={word === 'refused' ? 'failure' : 'good'}>
      <p>
        <strong>{isPaid ? workTexts.act.paid : workTexts.act.outcomes[word]}</strong>
        {split !== undefined && word !== 'refused' && (
          <>
            {' '}
            {workTexts.act.pays} <Money units={split.worker} network={split.network} />.
          </>
        )}
        {!isPaid && word === 'waiting' && silence !== undefined && (
          <>
            {' '}
            {workTexts.act.silence} <Time at={silence} />.
          </>
        )}
      </p>
      {refused.length > 0 && (
        <ul>
          {refused.map(({ path, text }) => (
            <li key={path + text}>{text}</li>
          ))}
        </ul>
      )}
      {word === 'refused' && <p>{workTexts.act.triesLeft(attemptsLeft)}</p>}
    </div>
  );
}
