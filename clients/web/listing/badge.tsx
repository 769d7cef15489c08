import { useState } from 'preact/hooks';
import { HUB, ofHub } from '../hubAddress.ts';
import { Copyable } from '../parts/copy.tsx';
import { pathTo } from '../routes.ts';
import { listingActs } from '../texts/listingActs.ts';
import type { Listing } from '../types.ts';

const B = listingActs.badge;

export function BadgeOf({ listing: { id, name } }: { readonly listing: Listing }) {
  const [isOpen, setOpen] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const path = `/badge/${id}.svg`;
  const label = name.replace(/[[\]]/g, '');
  const markdown = `[![${label}](${HUB}${path})](${HUB}${pathTo(`agents/${id}`)})`;
  return (
    <details class="card fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>{B.title}</h2>
      </summary>
      <p class="quiet">{B.lead}</p>
      {isOpen && !isMissing && (
        <>
          <img src={ofHub(path)} alt={B.alt(name)} onError={() => setMissing(true)} />
          <Copyable text={markdown} label={B.markdown} />
        </>
      )}
      {isMissing && <p>{B.none}</p>}
    </details>
  );
}
