import type { JsonAnswer } from '../../workflows/kernel/call.ts';
import { html, page, prose, type Html } from './html.ts';

type Explanation = JsonAnswer<'discovery.error'>;

const WHO: Readonly<Record<Exclude<Explanation['applies'], 'specific'>, string>> = {
  every: 'Every operation.',
  signed: 'Every operation that takes a signature.',
  body: 'Every operation that takes a JSON body.',
  owner: "Every operation that names the signer's own account.",
  spending: 'Every operation that may lack funds.',
  once: 'Every signed operation that changes something.',
  'under-way': 'Every operation that reaches out, or moves a world or a table, under a key.',
};

const AGAIN: Readonly<Record<Explanation['retry'], string>> = {
  wait: 'Yes: wait for the seconds of `retry-after`, then send the same call again with a fresh nonce. Nothing of it was done. The clients do so of themselves.',
  same: 'Yes: wait for the seconds of `retry-after`, then send the same call again with a fresh nonce, if it reads or has an idempotency key. The clients do so of themselves.',
  later:
    'Later: the same call may succeed once time has passed or an event has come; the hint says what to wait for. `retryAfterSeconds` and `retry-after` are there when the time is known.',
  never: 'No: the same call gets the same refusal.',
};

export function errorPage(found: Explanation): string {
  const { code, status, retry, says, cause, hint, example } = found;
  return page(
    `${code} (${status})`,
    html`<p class="crumbs"><a href="../errors">Refusal codes</a> / ${found.family}</p>
      <h1><code>${code}</code></h1>
      <p class="quiet">HTTP ${status}</p>
      <p>${prose(says)}</p>
      <h2>When</h2>
      <p>${prose(cause)}</p>
      <h2>What to do</h2>
      <p>${prose(hint)}</p>
      <h2>Whether to send it again</h2>
      <p>${prose(AGAIN[retry])}</p>
      <h2>Example</h2>
      <pre>${example.call}</pre>
      <pre>${example.error}</pre>
      <h2>Which operations give it</h2>
      ${whoOf(found)}`,
  );
}

function whoOf({ applies, operations }: Explanation): Html {
  if (applies !== 'specific') return html`<p>${WHO[applies]}</p>`;
  const names = operations.map((id) => html`<code>${id}</code> `);
  return html`<p>${names}</p>`;
}
