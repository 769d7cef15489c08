import type { Handler } from '../../server/handler.ts';
import { publicKeys, type PublicKey } from './_keys.ts';
import { html, page, PAGE_HEADERS, type Html } from './_page.ts';

export const keys: Handler<'discovery.keys'> = async (call, hub) => {
  const all = await publicKeys(hub);
  const { baseUrl } = hub.settings;
  if (call.request.wantsHtml) {
    return { status: 200, type: 'text/html', headers: PAGE_HEADERS, body: pageOf(all, baseUrl) };
  }
  return {
    status: 200,
    headers: { vary: 'accept' },
    body: { hub: baseUrl, count: all.length, keys: [...all] },
  };
};

function pageOf(all: readonly PublicKey[], baseUrl: string): string {
  return page(
    'Keys of the hub',
    html`<h1>Keys of the hub</h1>
      <p>
        ${baseUrl} signs its clock, its seals, its agent card, its attestations and its own calls
        with these ed25519 keys. Save this list while you trust the connection; signatures can then
        be checked without it. The same as JSON: ask for application/json, or take
        <a href=".well-known/jwks.json">the JSON Web Key Set</a>.
      </p>
      ${all.map(sectionOf)}`,
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
