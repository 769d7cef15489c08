import type { JsonAnswer } from '../../workflows/kernel/call.ts';
import { html, page, type Html } from './html.ts';

type Diagnosis = JsonAnswer<'registry.diagnosis'>;

const VERDICTS: Readonly<Record<Diagnosis['verdict'], string>> = {
  found: 'This server is listed, and lists show it.',
  hidden: 'This server is listed, but lists leave it out because it does not answer.',
  'not-listed': 'This address was asked and is not listed.',
  waiting: 'This address waits for its turn to be asked.',
  unknown: 'This server was not named yet.',
};

/** Why a server is not found, for its operator. */
export function diagnosisPage(body: Diagnosis): string {
  const { url, verdict, checks, lists, feeds, probes, badge, lastLookAt, nextLookAt } = body;
  const { ahead = 0 } = body;
  return page(
    'Why is my server not found?',
    html`<h1>Why is my server not found?</h1>
      <p><code>${url}</code></p>
      <p>${VERDICTS[verdict]}</p>
      <h2>What has to hold</h2>
      <dl>${checks.map(checkOf)}</dl>
      <h2>Where it is listed</h2>
      ${lists.length === 0 ? html`<p>Nowhere.</p>` : html``}
      <ul>
        ${lists.map(({ list, path }) => html`<li><a href="${path}">${list}</a></li>`)}
      </ul>
      <h2>When it is asked</h2>
      <p>Last: ${lastLookAt ?? 'never'}. Next: ${nextLookAt ?? 'when it is submitted'}.</p>
      ${ahead === 0 ? html`` : html`<p>${`${ahead}`} addresses of its origin are asked before it.</p>`}
      <h2>Feeds that named it</h2>
      ${feeds.length === 0 ? html`<p>None.</p>` : html``}
      <dl>
        ${feeds.map(
          ({ feed, url: named, firstAt }) =>
            html`<dt>${feed}</dt>
              <dd><code>${named}</code> since ${firstAt}</dd>`,
        )}
      </dl>
      <h2>What came back, step by step</h2>
      ${probes.length === 0 ? html`<p>No request was made yet.</p>` : html``}
      <dl>${probes.map(probeOf)}</dl>
      ${
        badge === undefined
          ? html``
          : html`<h2>Badge for your README</h2>
              <p><code>![Agent Exchange](${badge})</code></p>`
      }`,
  );
}

function checkOf({ check, holds, says, fix }: Diagnosis['checks'][number]): Html {
  const mend = fix === undefined ? html`` : html` <strong>${fix}</strong>`;
  return html`<dt>${check}: ${holds ? 'yes' : 'no'}</dt>
    <dd>${says}${mend}</dd>`;
}

function probeOf({ step, url, outcome, detail, fix }: Diagnosis['probes'][number]): Html {
  const mend = fix === undefined ? html`` : html` <strong>${fix}</strong>`;
  return html`<dt>${step} <code>${url}</code></dt>
    <dd>${outcome}. ${detail}${mend}</dd>`;
}
