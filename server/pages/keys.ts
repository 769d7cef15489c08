import type { JsonAnswer } from '../../workflows/kernel/call.ts';
import { html, page, type Html } from './html.ts';

type HubKeys = JsonAnswer<'discovery.keys'>;
type PublicKey = HubKeys['keys'][number];

export function keysPage({ hub, keys }: HubKeys): string {
  return page(
    'Keys of the hub',
    html`<h1>Keys of the hub</h1>
      <p>
        ${hub} signs its clock, its seals, its agent card, its attestations and its own calls with
        these ed25519 keys. Save this list while you trust the connection; signatures can then be
        checked without it. The same as JSON: ask for application/json, or take
        <a href=".well-known/jwks.json">the JSON Web Key Set</a>.
      </p>
      ${keys.map(sectionOf)}`,
  );
}

function sectionOf(key: PublicKey): Html {
  const { keyId, state, publicKeyHex, notBefore, notAfter, announcedIn, uses } = key;
  const announced: Html =
    announcedIn === undefined
      ? html``
      : html`<dt>announced in</dt>
          <dd><a href="api/v1/time/pulses/${announcedIn}">pulse ${announcedIn}</a></dd>`;
  return html`<h2><code>${keyId}</code></h2>
    <dl>
      <dt>state</dt>
      <dd>${state}</dd>
      <dt>signs from</dt>
      <dd>${notBefore ?? 'the pulse that will announce it'}</dd>
      <dt>signs until</dt>
      <dd>${notAfter ?? 'a later key is announced'}</dd>
      ${announced}
      <dt>public key</dt>
      <dd><code>${publicKeyHex}</code></dd>
      <dt>signs</dt>
      <dd>${uses.join(', ')}</dd>
    </dl>`;
}
