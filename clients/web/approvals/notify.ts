import { go } from '../navigation.ts';
import { pathTo } from '../routes.ts';
import { approvalTexts as A } from '../texts/approvals.ts';
import { sentenceOf, type Approval } from './sentence.ts';

let seen = { account: '', ids: new Set<string>() };

/** Notifies of the calls that came since the last list of the account, unless the page is seen. */
export function notifyNew(account: string, calls: readonly Approval[]): void {
  const isFirst = seen.account !== account;
  if (isFirst) seen = { account, ids: new Set() };
  for (const call of calls) {
    const isNew = !seen.ids.has(call.id) && call.state === 'open';
    seen.ids.add(call.id);
    if (!isFirst && isNew && document.visibilityState === 'hidden') notify(call);
  }
}

/** Shows a notification of the browser for a call; tabs share it, because it has the call's id. */
function notify(call: Approval): void {
  try {
    const shown = new Notification(A.title, { body: sentenceOf(call, []), tag: call.id });
    shown.onclick = () => {
      focus();
      go(pathTo('account/keys'));
      shown.close();
    };
  } catch {
    // Some phones allow notifications to service workers alone; the title still has the number.
  }
}
