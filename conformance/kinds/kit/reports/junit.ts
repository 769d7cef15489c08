import { REASONS } from '../notAsked.ts';
import { countsOf, type Result, type Run } from '../results.ts';
import { escaped } from './escape.ts';

/** JUnit's XML, one suite for each file, as GitHub, GitLab and Jenkins read it. */
export function junit({ results, seconds, startedAt, url }: Run): string {
  const files = [...new Set(results.map(({ file }) => file))];
  const suites = files.map((file) =>
    suiteOf(
      results.filter((each) => each.file === file),
      file,
    ),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="hub-conformance ${escaped(url)}" ${numbers(results)} time="${seconds}" timestamp="${startedAt}">`,
    ...suites,
    '</testsuites>\n',
  ].join('\n');
}

function numbers(results: readonly Result[]): string {
  const { broken, notAsked } = countsOf(results);
  return `tests="${results.length}" failures="${broken}" errors="0" skipped="${notAsked}"`;
}

function suiteOf(results: readonly Result[], file: string): string {
  const cases = results.map(caseOf);
  return [`<testsuite name="${escaped(file)}" ${numbers(results)}>`, ...cases, '</testsuite>'].join(
    '\n',
  );
}

function caseOf({ file, title, milliseconds, outcome }: Result): string {
  const classname = escaped(file.replaceAll('/', '.'));
  const head = `<testcase classname="${classname}" name="${escaped(title)}" time="${milliseconds / 1000}"`;
  switch (outcome.is) {
    case 'held':
      return `${head}/>`;
    case 'not-asked':
      return `${head}><skipped message="${escaped(REASONS[outcome.reason])}"/></testcase>`;
    case 'broken': {
      const [first = ''] = outcome.message.split('\n');
      const whole = escaped(outcome.message);
      return `${head}><failure message="${escaped(first)}">${whole}</failure></testcase>`;
    }
  }
}
