import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { shortAccount, usdc } from '../format.ts';
import { useLoad } from '../load.ts';
import { SureForm } from '../parts/fields.tsx';
import { Account, Money, Section, Stranger, Time, Untrusted } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { Empty, With } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { reader, useSession } from '../session.ts';
import { T } from '../texts.ts';
import { workTexts } from '../texts/work.ts';
import type { Got, Task } from '../types.ts';

type Pitch = Got<'/api/v1/tasks/{id}/pitches'>['pitches'][number];
interface PitchesProps {
  readonly task: Task;
  /** The task is another one when a plan is chosen. */
  readonly changed: () => void;
}

const LIMIT = 100;
const EVERY_MS = 6_000;
/** The plans that were offered for a task that is given to one of them, with the choice. */
export function Pitches({ task, changed }: PitchesProps) {
  const session = useSession();
  const own = session.state === 'open' ? session.account : undefined;
  const params = { path: { id: task.id }, query: { limit: LIMIT } };
  const loaded = useLoad(
    `pitches ${task.id}`,
    async (signal) => unwrap(await reader.GET('/api/v1/tasks/{id}/pitches', { params, signal })),
    EVERY_MS,
  );
  const chosen = (): void => {
    loaded.reload();
    changed();
  };
  return (
    <Section title={workTexts.pitches.title} lead={workTexts.pitches.lead}>
      <With of={loaded}>
        {({ pitches, hasMore }) => (
          <>
            {pitches.length === 0 && (
              <Empty>
                {own === task.requester ? workTexts.pitches.noneYours : workTexts.pitches.none}
              </Empty>
            )}
            {pitches.length > 0 && <Untrusted />}
            <ul class="rows">
              {pitches.map((pitch) => (
                <li key={pitch.id}>
                  <OnePitch pitch={pitch} own={own} />
                  {session.state === 'open' && mayChoose(pitch, own) && (
                    <Choose pitch={pitch} hub={session.hub} own={session.account} done={chosen} />
                  )}
                </li>
              ))}
            </ul>
            {hasMore && <p class="quiet">{workTexts.pitches.more(LIMIT)}</p>}
          </>
        )}
      </With>
    </Section>
  );
}

function mayChoose({ next }: Pitch, own: string | undefined): boolean {
  return next.some(({ action, who }) => action === 'tasks.choose' && who === own);
}

function OnePitch({ pitch, own }: { readonly pitch: Pitch; readonly own: string | undefined }) {
  const { worker, plan, price, state, createdAt, reservedUntil, sandboxAgent } = pitch;
  return (
    <>
      <p class="meta">
        <StateBadge of="pitch" state={state} />
        {price !== undefined && (
          <span class="reward">
            <Money units={price.amount} network={price.network} />
          </span>
        )}
        <Account name={worker} own={own} />
        {sandboxAgent === true && <small>{T.sandboxAgent}</small>}
        <Time at={createdAt} />
        {reservedUntil !== undefined && (
          <span>
            {workTexts.pitches.kept} <Time at={reservedUntil} />
          </span>
        )}
      </p>
      <Stranger text={plan} />
    </>
  );
}

interface ChooseProps {
  readonly pitch: Pitch;
  readonly hub: Hub;
  readonly own: string;
  readonly done: () => void;
}

/** Choosing changes the reward, so it happens at the second press. */
export function Choose({ pitch: { id, taskId, worker, price }, hub, own, done }: ChooseProps) {
  const press = usePress(hub, {
    form: `choose ${id}`,
    what: workTexts.pitches.choiceOf(shortAccount(worker)),
    work: async (once) => {
      const params = { path: { id: taskId } };
      const body = { requester: own, pitchId: id };
      unwrap(await once.POST('/api/v1/tasks/{id}/choose', { params, body }));
      done();
    },
  });
  const amount = price && `${usdc(price.amount)} ${T.unit(price.network)}`;
  return (
    <SureForm
      label={workTexts.pitches.choose}
      name={workTexts.pitches.chooseOf(shortAccount(worker))}
      question={workTexts.pitches.question(amount)}
      yes={workTexts.pitches.yes}
      isOff={false}
      press={press}
    />
  );
}
