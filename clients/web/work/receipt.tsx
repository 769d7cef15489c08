import { useState } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { useAction } from '../load.ts';
import { saveFile } from '../parts/files.ts';
import { Failure } from '../parts/states.tsx';
import { taskTexts } from '../texts/task.ts';
import type { Task } from '../types.ts';

interface ReceiptProps {
  readonly task: Task;
  readonly hub: Hub;
}

export function Receipt({ task, hub }: ReceiptProps) {
  const action = useAction();
  const [message, setMessage] = useState('');
  const save = (): void =>
    action.run(async () => {
      const { stampedReceipt } = await import('../../typescript/stampedReceipt.ts');
      const file = await stampedReceipt(hub, task);
      setMessage(file === undefined ? taskTexts.receipt.none : taskTexts.receipt.saved);
      if (file === undefined) return;
      const text = `${JSON.stringify(file, null, 2)}\n`;
      saveFile(`receipt-${task.id}.json`, text, 'application/json');
    });
  return (
    <>
      <p class="actions">
        <button type="button" onClick={save} aria-busy={action.isRunning}>
          {taskTexts.receipt.download}
        </button>
      </p>
      <p class="quiet">{taskTexts.receipt.lead}</p>
      <p role="status">{message}</p>
      {action.error !== undefined && <Failure error={action.error} />}
    </>
  );
}
