import { unwrap } from '../../typescript/refusal.ts';
import { usdc } from '../format.ts';
import { useLoad } from '../load.ts';
import { Section, Time } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { reader } from '../session.ts';
import { taskTexts } from '../texts/task.ts';

const M = taskTexts.milestones;
const EVERY_MS = 10_000;

export function Milestones({ id, own }: { readonly id: string; readonly own: string }) {
  const loaded = useLoad(
    `chain ${id}`,
    async (signal) =>
      unwrap(await reader.GET('/api/v1/chains/{id}', { params: { path: { id } }, signal })),
    EVERY_MS,
  );
  return (
    <With of={loaded}>
      {({ sameWorker, steps, spent, stillHeld, refunded, atDeadline }) => (
        <Section title={sameWorker ? M.title : M.chain}>
          <ol class="rows">
            {steps.map(({ n, title, state, rewardAmount, taskId, deadline }) => (
              <li key={n}>
                <p class="meta">
                  <StateBadge of="step" state={state} />
                  {taskId === undefined || taskId === own ? (
                    <span>{title}</span>
                  ) : (
                    <a href={pathTo(`work/${taskId}`)}>{title}</a>
                  )}
                  <span>{usdc(rewardAmount)}</span>
                  {deadline !== undefined && (
                    <span>
                      {M.until} <Time at={deadline} />
                    </span>
                  )}
                </p>
              </li>
            ))}
          </ol>
          <p class="quiet">{M.money(usdc(spent), usdc(stillHeld), usdc(refunded))}</p>
          <p class="quiet">{atDeadline.says}</p>
        </Section>
      )}
    </With>
  );
}
