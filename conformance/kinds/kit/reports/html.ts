import { REASONS } from '../notAsked.ts';
import { countsOf, unaskedBy, type Result, type Run } from '../results.ts';
import { escaped } from './escape.ts';

/** One page that loads nothing: what did not hold first, then what could not be asked, then all. */
const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}
pre{background:#f4f4f4;overflow:auto;padding:.75rem;white-space:pre-wrap}
td,th{padding:.15rem .75rem .15rem 0;text-align:left;vertical-align:top}
.broken{color:#b00020}.held{color:#00662b}.not-asked{color:#555}
@media(prefers-color-scheme:dark){body{background:#111;color:#eee}pre{background:#222}
.broken{color:#ff8a80}.held{color:#7ddc9a}.not-asked{color:#aaa}}`;

export function html(run: Run): string {
  const { results, operations, url, seed, version, startedAt, seconds } = run;
  const { held, broken, notAsked } = countsOf(results);
  const title = `${url}: ${broken === 0 ? 'held' : `${broken} did not hold`}`;
  const never = operations.neverSucceeded.join(', ');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><style>${STYLE}</style></head><body>
<h1>${escaped(title)}</h1>
<p>${held} held, ${broken} did not, ${notAsked} could not be asked. Contract ${escaped(version)}, seed ${seed},
${escaped(startedAt)}, ${seconds} s.</p>
<p>${operations.answered} of ${operations.declared} operations answered.${never === '' ? '' : ` Not seen to succeed: ${escaped(never)}.`}</p>
${brokenOnes(results)}
${unasked(results)}
<h2>Every test</h2>
<table><tr><th>File</th><th>Test</th><th>Outcome</th></tr>
${results.map(row).join('\n')}
</table></body></html>
`;
}

function brokenOnes(results: readonly Result[]): string {
  const sections = results.flatMap(({ file, title, outcome }) =>
    outcome.is === 'broken'
      ? [
          `<h3 class="broken">${escaped(`${file}: ${title}`)}</h3><pre>${escaped(outcome.message)}</pre>`,
        ]
      : [],
  );
  return sections.length === 0 ? '' : `<h2>What did not hold</h2>\n${sections.join('\n')}`;
}

function unasked(results: readonly Result[]): string {
  const rows = unaskedBy(results).map(
    ([reason, count]) => `<tr><td>${count}</td><td>${escaped(REASONS[reason])}</td></tr>`,
  );
  if (rows.length === 0) return '';
  return `<h2>What could not be asked</h2>\n<table>${rows.join('\n')}</table>`;
}

function row({ file, title, outcome }: Result): string {
  const result = outcome.is === 'not-asked' ? `not asked: ${REASONS[outcome.reason]}` : outcome.is;
  const cells = [
    escaped(file),
    escaped(title),
    `<span class="${outcome.is}">${escaped(result)}</span>`,
  ];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}
