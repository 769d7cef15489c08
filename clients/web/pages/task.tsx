import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { isFinal } from '../../typescript/watch.ts';
import { count, percent, span, usdc } from '../format.ts';
import { useLoad } from '../load.ts';
import { CopiedAccount } from '../parts/copy.tsx';
import {
  Account,
  Facts,
  Json,
  Money,
  Section,
  Stranger,
  Time,
  Untrusted,
} from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { Empty, With } from '../parts/states.tsx';
import { reader, useSession } from '../session.ts';
import { T } from '../texts.ts';
import { workTexts } from '../texts/work.ts';
import { taskTexts } from '../texts/task.ts';
import { isPitch, type Solution, type Task } from '../types.ts';
import { Act } from '../work/act.tsx';
import { Brief } from '../work/brief.tsx';
import { Comments } from '../work/comments.tsx';
import { TaskFiles } from '../work/files.tsx';
import { DisputeOf } from '../work/dispute.tsx';
import { boardPath } from '../work/board.ts';
import { Milestones } from '../work/milestones.tsx';
import { MoneyOf } from '../work/money.tsx';
import { NowNote } from '../work/nowNote.tsx';
import { Pitches } from '../work/pitches.tsx';
import { Terms } from '../work/terms.tsx';

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
                <Terms task={task} economics={economics} changed={loaded.reload} />
              </div>
              <div>
                <Brief task={task} hub={signer} />
                <Results solutions={solutions} hub={signer} />
                {isPitch(task) && <Pitches task={task} changed={loaded.reload} />}
                {task.chain !== undefined && <Milestones id={task.chain.id} own={id} />}
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
        <StateBadge of="task" state={state} />
        <span class="reward">
          {reward === undefined ? (
            workTexts.work.unpaid
          ) : (
            <Money units={reward.amount} network={reward.network} />
          )}
        </span>
        <span>{workTexts.work.modes[isPitch(task) ? 'pitch' : mode]}</span>
        <span>
          {workTexts.task.published} <Time at={createdAt} />
        </span>
        {!isFinal(task) && (
          <span>
            {workTexts.work.until} <Time at={deadline} />
          </span>
        )}
      </p>
    </>
  );
}

function Requester({ task }: { readonly task: Task }) {
  const { requester, requesterRecord: record, sandboxAgent } = task;
  const hours = record?.medianHoursToDecide;
  return (
    <Section title={workTexts.task.requester}>
      <p>
        <CopiedAccount name={requester} />{' '}
        {sandboxAgent === true && <small>{T.sandboxAgent}</small>}
      </p>
      {record === undefined ? (
        <Empty>{workTexts.task.noRecord}</Empty>
      ) : (
        <Facts
          rows={[
            [workTexts.task.posted, count(record.posted)],
            [
              workTexts.task.paid,
              record.posted === 0
                ? count(record.paid)
                : `${count(record.paid)} (${percent(record.paid / record.posted)})`,
            ],
            [workTexts.task.undecided, count(record.undecided)],
            [
              workTexts.task.decidesIn,
              hours === undefined ? T.notMeasured : span(Math.round(hours * 3600)),
            ],
            [workTexts.task.disputesLost, count(record.disputesLost)],
          ]}
        />
      )}
    </Section>
  );
}

function Results({
  solutions,
  hub,
}: {
  readonly solutions: readonly Solution[];
  readonly hub: Hub;
}) {
  const session = useSession();
  const own = session.state === 'open' ? session.account : undefined;
  return (
    <Section title={workTexts.task.results} aside={<Untrusted />}>
      {solutions.length === 0 ? (
        <Empty>{workTexts.task.noResults}</Empty>
      ) : (
        <ul class="rows">
          {solutions.map((each) => (
            <li key={each.id}>
              <p class="meta">
                <StateBadge of="attempt" state={each.state} />
                <Account name={each.worker} own={own} />
                <Time at={each.offeredAt} />
                {each.award && (
                  <span>{taskTexts.won(each.award.place, usdc(each.award.amount))}</span>
                )}
              </p>
              {each.result === undefined ? (
                <p class="quiet">{workTexts.task.hiddenResult}</p>
              ) : (
                <Json value={each.result} label={workTexts.task.result} />
              )}
              <TaskFiles id={each.taskId} files={each.files} hub={hub} />
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
    <Section title={workTexts.task.history}>
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
