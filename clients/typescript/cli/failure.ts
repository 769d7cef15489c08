import { HubFailure, HubRefusal } from '../index.ts';
import { isSet, UsageError, type Call, type ExitCode } from './command.ts';
import { jsonText, plain, styled } from './show.ts';

/** Says on standard error what was thrown, and what to do next; gives the exit code. */
export function fail(call: Call, name: string, error: unknown): ExitCode {
  const { code, lines, json } = reported(error, name);
  if (isSet(call, 'json')) call.io.err(`${jsonText(json)}\n`);
  else {
    const [first = '', ...more] = lines.map(plain);
    call.io.err(`${styled(call.io, 'red', `hub: ${first}`, 'err')}\n`);
    for (const line of more) call.io.err(`  ${line}\n`);
  }
  return code;
}

interface Reported {
  readonly code: ExitCode;
  readonly lines: readonly string[];
  readonly json: object;
}

function reported(error: unknown, name: string): Reported {
  if (error instanceof UsageError) {
    const hint = `hub ${name} --help`;
    const lines = [error.message, `see: ${hint}`];
    return { code: 2, lines, json: { error: error.message, code: 'usage', hint } };
  }
  if (error instanceof HubRefusal) return refused(error);
  if (error instanceof HubFailure) return failed(error);
  const message = error instanceof Error ? error.message : String(error);
  return { code: 2, lines: [message], json: { error: message, code: 'failed' } };
}

/** No hub answered, so the outcome is unknown: the next step in the words of this program. */
function failed({ code, message, link, requestId }: HubFailure): Reported {
  const hint =
    code === 'outcome-unknown'
      ? 'hub resume sends it again; it happens once'
      : 'is the hub running? --hub URL names another, and hub doctor shows more';
  const error = message.replace(': follow error.call', '');
  const lines = [`${code}: ${error}`, `next: ${hint}`, `link: ${link}`, ...requestOf(requestId)];
  return { code: 3, lines, json: { error, code, hint, link, requestId } };
}

const requestOf = (id: string | undefined): readonly string[] =>
  id === undefined ? [] : [`request: ${id}`];

function refused(error: HubRefusal): Reported {
  const { body, code, hint, field, allowed, faults, next = [], requestId, link } = error;
  const lines = [
    `${code}: ${body.error}`,
    ...(field === undefined ? [] : [`field: ${field}`]),
    ...faults.slice(1).map(({ message }) => `also: ${message}`),
    ...(allowed === undefined ? [] : [`taken: ${allowed.join(', ')}`]),
    `hint: ${hint}`,
    ...next.map(({ action, call }) => {
      const given = call.body === undefined ? '' : ` --body '${jsonText(call.body)}'`;
      return `next: ${action}: ${call.method} ${call.path}${given}`;
    }),
    ...(error.call === undefined ? [] : ['next: hub resume sends it again; it happens once']),
    `link: ${link}`,
    ...requestOf(requestId),
  ];
  return { code: error.call === undefined ? 1 : 3, lines, json: { ...body, link } };
}
