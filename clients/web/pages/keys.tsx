import { ApiKeys } from '../account/apiKeys.tsx';
import { AccountFrame } from '../account/frame.tsx';
import { Approvals } from '../approvals/approvals.tsx';
import { Keys } from '../account/keys.tsx';
import { ThisKey } from '../account/thisKey.tsx';
import { T } from '../texts.ts';

export function KeysPage() {
  return (
    <AccountFrame page="keys" title={T.pages.keys}>
      {({ isExportable, me, ...own }) => (
        <div class="columns2 even">
          <div>
            <ThisKey account={own.account} isExportable={isExportable} />
            <Approvals {...own} />
            <ApiKeys {...own} />
          </div>
          <div>
            <Keys {...own} keyId={me.keyId} isExportable={isExportable} />
          </div>
        </div>
      )}
    </AccountFrame>
  );
}
