import { Claims } from '../account/claims.tsx';
import { AccountFrame } from '../account/frame.tsx';
import { OwnWork } from '../account/work.tsx';
import { T } from '../texts.ts';

export function OwnWorkPage() {
  return (
    <AccountFrame page="ownWork" title={T.pages.ownWork}>
      {({ me, ...own }) => (
        <div class="columns2 even">
          <Claims claims={me.claims} />
          <OwnWork {...own} />
        </div>
      )}
    </AccountFrame>
  );
}
