import type { Hub } from '../../typescript/hub.ts';
import { percent, span, usdc } from '../format.ts';
import { Account, Facts, Json, Section, Stranger, Time, Untrusted } from '../parts/shown.tsx';
import { glossary } from '../texts/glossary.ts';
import { taskTexts } from '../texts/task.ts';
import { termsTexts as X } from '../texts/terms.ts';
import { workTexts } from '../texts/work.ts';
import type { Task } from '../types.ts';
import { ProgressOf } from './alive.tsx';
import { TaskFiles } from './files.tsx';
import { RuleOf } from './rule.tsx';

/** The brief of a task, with the terms as they are now. */
export function Brief({ task, hub }: { readonly task: Task; readonly hub: Hub }) {
  const { description, requiredSkills, tags, input, acceptance, verification, windows } = task;
  const { target } = task;
  const holder = task.workers.find(({ state }) => state === 'claimed');
  const { autoAcceptSeconds, disputeWindowSeconds } = windows;
  return (
    <Section title={workTexts.task.what} aside={<Untrusted />}>
      {task.audience === 'parties' && <p class="quiet">{taskTexts.isPrivate}</p>}
      <Stranger text={description} />
      {task.clarifications?.map(({ at, text }) => (
        <div key={at}>
          <p class="quiet">
            {X.clarified} <Time at={at} />
          </p>
          <Stranger text={text} />
        </div>
      ))}
      <TaskFiles id={task.id} files={task.files} hub={hub} />
      <Facts
        terms={glossary}
        rows={[
          [workTexts.task.decides, workTexts.task.decidedBy[verification]],
          [
            workTexts.task.rule,
            acceptance === undefined ? workTexts.task.noRule : <RuleOf rule={acceptance} />,
          ],
          [
            workTexts.task.silence,
            autoAcceptSeconds === undefined ? workTexts.task.never : span(autoAcceptSeconds),
          ],
          [
            workTexts.task.disputeWindow,
            disputeWindowSeconds === undefined ? undefined : span(disputeWindowSeconds),
          ],
          [
            taskTexts.reliability,
            task.minReliabilityBps && percent(task.minReliabilityBps / 10_000),
          ],
          [taskTexts.shares, winnersOf(task)],
          [taskTexts.undecided, task.atDeadline?.says],
          [
            X.lease,
            task.lease &&
              X.leaseOf(span(task.lease.leaseSeconds), span(task.lease.renewForSeconds)),
          ],
          [X.offeredTo, task.offeredTo && <Offered key="offered" {...task.offeredTo} />],
          [X.progress, holder?.progress && <ProgressOf key="progress" attempt={holder} />],
          [workTexts.task.tries, workTexts.task.triesOf(task.attempts, task.maxAttempts)],
          [workTexts.task.skills, requiredSkills.join(', ')],
          [workTexts.task.tags, tags.join(', ')],
          [taskTexts.target, target && <Target key="target" {...target} />],
        ]}
      />
      {input !== undefined && (
        <details>
          <summary>{workTexts.task.input}</summary>
          <Json value={input} label={workTexts.task.input} />
        </details>
      )}
      <p class="quiet mono" title={task.terms.digest}>
        {workTexts.task.terms(task.terms.revision, task.terms.digest.slice(0, 12))}
      </p>
    </Section>
  );
}

function winnersOf({ shares }: Task): string | undefined {
  if (shares === undefined) return undefined;
  const { places } = shares;
  if (places === undefined) return taskTexts.splitPays;
  return taskTexts.placesPay(places.map(({ worker }) => usdc(worker)).join(', '));
}

/** Who may claim it before others do. */
function Offered({ accounts, until, then = 'open' }: NonNullable<Task['offeredTo']>) {
  return (
    <>
      {accounts.map((name) => (
        <span key={name}>
          <Account name={name} />{' '}
        </span>
      ))}
      {until !== undefined && (
        <small>
          ({X.offeredUntil} <Time at={until} />, {X.then[then]})
        </small>
      )}
    </>
  );
}

/** The site that the work is about, as text: a requester wrote it. */
function Target({ origin, paths = [''] }: NonNullable<Task['target']>) {
  return (
    <ul>
      {paths.map((path) => (
        <li key={path}>
          <span class="mono">{origin + path}</span>
        </li>
      ))}
    </ul>
  );
}
