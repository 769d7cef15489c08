import { useState } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import type { ReceiptFile } from '../../typescript/verify.ts';
import { useAction } from '../load.ts';
import { saveFile } from '../parts/files.ts';
import { Failure } from '../parts/states.tsx';
import { paidIn } from '../receipts/sentence.ts';
import { Sentence, Share } from '../receipts/taskReceipt.tsx';
import { taskTexts } from '../texts/task.ts';
import type { Task } from '../types.ts';

interface ReceiptProps {
  readonly task: Task;
  readonly hub: Hub;
  readonly own: string;
}

export function Receipt({ task, hub, own }: ReceiptProps) {
  const action = useAction();
  const [message, setMessage] = useState('');
  const [shown, setShown] = useState<{ readonly file: ReceiptFile; readonly isGenuine: boolean }>();
  const save = (): void =>
    action.run(async () => {
      const { stampedReceipt } = await import('../../typescript/stampedReceipt.ts');
      const file = await stampedReceipt(hub, task);
      setMessage(file === undefined ? taskTexts.receipt.none : taskTexts.receipt.saved);
      if (file === undefined) return;
      const keys = unwrap(await hub.GET('/keys', { headers: { accept: 'application/json' } }));
      const { checkReceipt } = await import('../../typescript/verify.ts');
      setShown({ file, isGenuine: (await checkReceipt(file, keys)).ok });
      const text = `${JSON.stringify(file, null, 2)}\n`;
      saveFile(`receipt-${task.id}.json`, text, 'application/json');
    });
  const paid = shown && paidIn(shown.file.receipt, own);
  return (
    <>
      {paid !== undefined && <Sentence paid={paid} isChecked={shown?.isGenuine} />}
      <p class="actions">
        <button type="button" onClick={save} aria-busy={action.isRunning}>
          {taskTexts.receipt.download}
        </button>
      </p>
      {shown !== undefined && <Share file={shown.file} />}
      <p class="quiet">{taskTexts.receipt.lead}</p>
      <p role="status">{message}</p>
      {action.error !== undefined && <Failure error={action.error} />}
    </>
  );
}
