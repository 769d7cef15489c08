import { REASONS } from '../notAsked.ts';
import { countsOf, unaskedBy, type Result, type Run } from '../results.ts';

/** The output for a person, while the suite runs and at its end. */
const MESSAGE_LINES_MAX = 12;

export function fileLine(file: string, results: readonly Result[]): string {
  const { held, broken, notAsked } = countsOf(results);
  const rest = [
    ...(broken > 0 ? [`${broken} DID NOT`] : []),
    ...(notAsked > 0 ? [`${notAsked} not asked`] : []),
  ];
  const lines = [`${file.padEnd(32)} ${[`${held} held`, ...rest].join(', ')}\n`];
  for (const { title, outcome } of results) {
    if (outcome.is !== 'broken') continue;
    const message = outcome.message.split('\n').slice(0, MESSAGE_LINES_MAX);
    lines.push(`  ✗ ${title}\n`, ...message.map((line) => `      ${line}\n`));
  }
  return lines.join('');
}

export function summary({ results, operations, seconds }: Run): string {
  const { held, broken, notAsked } = countsOf(results);
  const { declared, answered, neverSucceeded } = operations;
  const never =
    neverSucceeded.length === 0 ? '' : `; not seen to succeed: ${neverSucceeded.join(', ')}`;
  const reasons = unaskedBy(results).map(
    ([reason, count]) => `  ${String(count).padStart(5)}  ${REASONS[reason]}\n`,
  );
  return [
    declared === 0 ? '\n' : `\n${answered} of ${declared} operations answered${never}\n`,
    ...(reasons.length === 0 ? [] : ['could not be asked from outside:\n', ...reasons]),
    `${held} held, ${broken} did not, ${notAsked} not asked, in ${seconds} s\n`,
  ].join('');
}
