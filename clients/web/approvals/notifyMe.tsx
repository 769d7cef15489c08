import { useState } from 'preact/hooks';
import { approvalTexts as A } from '../texts/approvals.ts';

/** Asks the browser for its permission, which it offers after a press alone. */
export function NotifyMe() {
  const [permission, setPermission] = useState(
    'Notification' in globalThis ? Notification.permission : undefined,
  );
  if (permission === undefined) return null;
  if (permission === 'granted') return <p class="quiet">{A.notified}</p>;
  if (permission === 'denied') return <p class="quiet">{A.notNotified}</p>;
  const ask = (): void => void Notification.requestPermission().then(setPermission);
  return (
    <p class="actions">
      <button type="button" onClick={ask}>
        {A.notify}
      </button>
    </p>
  );
}
