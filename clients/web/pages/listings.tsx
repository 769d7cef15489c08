import { AccountFrame } from '../account/frame.tsx';
import { Listings } from '../account/listings.tsx';
import { OwnPassport } from '../account/passport.tsx';
import { T } from '../texts.ts';

export function ListingsPage() {
  return (
    <AccountFrame page="listings" title={T.pages.listings}>
      {({ hub, me }) => (
        <div class="columns2 even">
          <Listings hub={hub} me={me} />
          <OwnPassport hub={hub} keyId={me.keyId} />
        </div>
      )}
    </AccountFrame>
  );
}
