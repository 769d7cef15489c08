import { isFinal, unwrap } from '../../typescript/index.ts';
import { count, percent, span } from '../format.ts';
import { useLoad } from '../load.ts';
import { CopiedAccount } from '../parts/copy.tsx';
import {
  Account,
  Facts,
  Json,
  Money,
  Section,
  StateBadge,
  Stranger,
  Time,
  Untrusted,
} from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { reader, useSession } from '../session.ts';
import { T } from '../texts.ts';
import { taskTexts } from '../texts/task.ts';
import { isPitch, type Solution, type Task } from '../types.ts';
import { Act } from '../work/act.tsx';
import { Comments } from '../work/comments.tsx';
import { DisputeOf } from '../work/dispute.tsx';
import { boardPath } from '../work/board.ts';
import { MoneyOf } from '../work/money.tsx';
import { NowNote } from '../work/nowNote.tsx';
import { Pitches } from '../work/pitches.tsx';
import { RuleOf } from '../work/rule.tsx';

const EVERY_MS = 4_000;
const SOLUTIONS = 20;

export function TaskPage({ route: { id } }: { readonly route: { readonly id: string } }) {
  const session = useSession();
  // An undecided result is shown to its parties alone, who sign for it.
  const signer = session.state === 'open' ? session.hub : reader;
  const loaded = useLoad(
    `task ${id} ${signer.account ?? ''}`,
    async (signal) => {
      const init = { params: { path: { id } }, signal };
      const solutionsInit = { params: { path: { id }, query: { limit: SOLUTIONS } }, signal };
      const [task, economics, solutions] = await Promise.all([
        signer.GET('/api/v1/tasks/{id}', init),
        signer.GET('/api/v1/tasks/{id}/economics', init),
        signer.GET('/api/v1/tasks/{id}/solutions', solutionsInit),
      ]);
      return {
        task: unwrap(task),
        economics: unwrap(economics),
        solutions: unwrap(solutions).solutions,
      };
    },
    EVERY_MS,
  );
  return (
    <>
      <p class="crumbs">
        <a href={boardPath()}>{T.pages.work}</a>
      </p>
      <With of={loaded}>
        {({ task, economics, solutions }) => (
          <>
            <Head task={task} />
            <NowNote task={task} economics={economics} />
            <div class="columns2 acts">
              <div>
                <Act task={task} changed={loaded.reload} />
              </div>
              <div>
                <What task={task} />
                <Results solutions={solutions} />
                {isPitch(task) && <Pitches task={task} changed={loaded.reload} />}
                <MoneyOf economics={economics} />
                {task.history.some(({ event }) => event === 'task.disputed') && (
                  <DisputeOf id={id} state={task.state} />
                )}
                <Comments id={id} />
              </div>
              <div>
                <Requester task={task} />
                <History task={task} />
              </div>
            </div>
          </>
        )}
      </With>
    </>
  );
}

function Head({ task }: { readonly task: Task }) {
  const { title, state, reward, mode, deadline, createdAt } = task;
  return (
    <>
      <h1>{title}</h1>
      <p class="meta">
        <StateBadge state={state} />
        <span class="reward">
          {reward === undefined ? (
            T.work.unpaid
          ) : (
            <Money units={reward.amount} network={reward.network} />
          )}
        </span>
        <span>{T.work.modes[isPitch(task) ? 'pitch' : mode]}</span>
        <span>
          {T.task.published} <Time at={createdAt} />
        </span>
        {!isFinal(task) && (
          <span>
            {T.work.until} <Time at={deadline} />
          </span>
        )}
      </p>
    </>
  );
}

function What({ task }: { readonly task: Task }) {
  const { description, requiredSkills, tags, input, acceptance, verification, windows } = task;
  const { target } = task;
  const { autoAcceptSeconds, disputeWindowSeconds } = windows;
  return (
    <Section title={T.task.what} aside={<Untrusted />}>
      <Stranger text={description} />
      <Facts
        rows={[
          [T.task.decides, T.task.decidedBy[verification]],
          [T.task.rule, acceptance === undefined ? T.task.noRule : <RuleOf rule={acceptance} />],
          [
            T.task.silence,
            autoAcceptSeconds === undefined ? T.task.never : span(autoAcceptSeconds),
          ],
          [
            T.task.disputeWindow,
            disputeWindowSeconds === undefined ? undefined : span(disputeWindowSeconds),
          ],
          [T.task.tries, T.task.triesOf(task.attempts, task.maxAttempts)],
          [T.task.skills, requiredSkills.join(', ')],
          [T.task.tags, tags.join(', ')],
          [taskTexts.target, target && <Target key="target" {...target} />],
        ]}
      />
      {input !== undefined && (
        <details>
          <summary>{T.task.input}</summary>
          <Json value={input} label={T.task.input} />
        </details>
      )}
      <p class="quiet mono" title={task.terms.digest}>
        {T.task.terms(task.terms.revision, task.terms.digest.slice(0, 12))}
      </p>
    </Section>
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

function Requester({ task }: { readonly task: Task }) {
  const { requester, requesterRecord: record, sandboxAgent } = task;
  const hours = record?.medianHoursToDecide;
  return (
    <Section title={T.task.requester}>
      <p>
        <CopiedAccount name={requester} />{' '}
        {sandboxAgent === true && <small>{T.sandboxAgent}</small>}
      </p>
      {record === undefined ? (
        <Empty>{T.task.noRecord}</Empty>
      ) : (
        <Facts
          rows={[
            [T.task.posted, count(record.posted)],
            [
              T.task.paid,
              record.posted === 0
                ? count(record.paid)
                : `${count(record.paid)} (${percent(record.paid / record.posted)})`,
            ],
            [T.task.undecided, count(record.undecided)],
            [
              T.task.decidesIn,
              hours === undefined ? T.notMeasured : span(Math.round(hours * 3600)),
            ],
            [T.task.disputesLost, count(record.disputesLost)],
          ]}
        />
      )}
    </Section>
  );
}

function Results({ solutions }: { readonly solutions: readonly Solution[] }) {
  const session = useSession();
  const own = session.state === 'open' ? session.account : undefined;
  return (
    <Section title={T.task.results} aside={<Untrusted />}>
      {solutions.length === 0 ? (
        <Empty>{T.task.noResults}</Empty>
      ) : (
        <ul class="rows">
          {solutions.map((each) => (
            <li key={each.id}>
              <p class="meta">
                <StateBadge state={each.state} />
                <Account name={each.worker} own={own} />
                <Time at={each.offeredAt} />
              </p>
              {each.result === undefined ? (
                <p class="quiet">{T.task.hiddenResult}</p>
              ) : (
                <Json value={each.result} label={T.task.result} />
              )}
              {each.reason !== undefined && <Stranger text={each.reason} />}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function History({ task: { history } }: { readonly task: Task }) {
  return (
    <Section title={T.task.history}>
      <ol class="rows">
        {history.map(({ seq, at, event, actor, note }) => (
          <li key={seq}>
            {T.events[event] ?? event}{' '}
            <span class="quiet">
              <Time at={at} />
              {actor !== undefined && (
                <>
                  {' · '}
                  <Account name={actor} />
                </>
              )}
            </span>
            {note !== undefined && <Stranger text={note} />}
          </li>
        ))}
      </ol>
    </Section>
  );
}
