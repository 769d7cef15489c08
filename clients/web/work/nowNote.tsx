import { Time } from '../parts/shown.tsx';
import { useSession } from '../session.ts';
import { taskTexts } from '../texts/task.ts';
import type { Economics, Task } from '../types.ts';
import { nowOf } from './now.ts';

interface NowProps {
  readonly task: Task;
  readonly economics: Economics;
}

/** In one line: what this account can do with the task now, or what it waits for. */
export function NowNote({ task, economics }: NowProps) {
  const session = useSession();
  const own = session.state === 'open' ? session.account : undefined;
  const { name, until } = nowOf(task, own, economics.held?.until);
  return (
    <section class="now" aria-label={taskTexts.now.label}>
      <p role="status">
        <b>{taskTexts.now[name]}</b>
        {until !== undefined && (
          <>
            {' '}
            <span class="quiet">
              ({taskTexts.now.until} <Time at={until} />)
            </span>
          </>
        )}
      </p>
    </section>
  );
}
