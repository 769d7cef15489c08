import { go } from '../navigation.ts';
import { pathTo } from '../routes.ts';
import { approvalTexts as A } from '../texts/approvals.ts';
import { sentenceOf, type Approval } from './sentence.ts';

/** Shows a notification of the browser for a call; tabs share it, because it has the call's id. */
export function notify(call: Approval): void {
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
