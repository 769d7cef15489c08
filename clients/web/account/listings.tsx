import type { Hub } from '../../typescript/hub.ts';
import { Section } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { Empty } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { custodyTexts as C } from '../texts/custody.ts';
import type { StateOf } from '../texts/states.ts';
import type { Me } from '../types.ts';
import { HostedCalls } from './hostedCalls.tsx';

export function Listings({ hub, me }: { readonly hub: Hub; readonly me: Me }) {
  const { listings, keyId } = me;
  return (
    <Section title={C.listings.title} lead={C.listings.lead}>
      {listings.length === 0 ? (
        <Empty>{C.listings.none}</Empty>
      ) : (
        <ul class="rows">
          {listings.map(({ id, name, availability, hosted }) => (
            <li key={id}>
              <a href={pathTo(`agents/${id}`)}>{name}</a>{' '}
              <StateBadge of="listing" state={availability as StateOf<'listing'>} />{' '}
              {hosted && <span class="quiet">{C.listings.hosted}</span>}
            </li>
          ))}
        </ul>
      )}
      {listings.some(({ hosted }) => hosted) && <HostedCalls hub={hub} keyId={keyId} />}
    </Section>
  );
}
