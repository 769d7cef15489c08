import { AccountFrame } from '../account/frame.tsx';
import { Webhooks } from '../account/webhooks.tsx';
import { T } from '../texts.ts';
import { webhookTexts as W } from '../texts/webhooks.ts';

export function WebhooksPage() {
  return (
    <AccountFrame page="webhooks" title={T.pages.webhooks} lead={W.lead}>
      {({ hub, account }) => <Webhooks hub={hub} account={account} />}
    </AccountFrame>
  );
}
