import { HubRefusal, NotTheHub, OutcomeUnknown } from '../index.ts';
import { isSet, UsageError, type Call, type ExitCode } from './command.ts';
import { jsonText, plain, styled } from './show.ts';

/** Says on standard error what was thrown, and what to do next; gives the exit code. */
export function fail(call: Call, name: string, error: unknown): ExitCode {
  const { code, lines, json } = told(error, name);
  if (isSet(call, 'json')) call.io.err(`${jsonText(json)}\n`);
  else {
    const [first = '', ...more] = lines.map(plain);
    call.io.err(`${styled(call.io, 'red', `hub: ${first}`, 'err')}\n`);
    for (const line of more) call.io.err(`  ${line}\n`);
  }
  return code;
}

interface Told {
  readonly code: ExitCode;
  readonly lines: readonly string[];
  readonly json: object;
}

function told(error: unknown, name: string): Told {
  if (error instanceof UsageError) {
    const hint = `hub ${name} --help`;
    const lines = [error.message, `see: ${hint}`];
    return { code: 2, lines, json: { error: error.message, code: 'usage', hint } };
  }
  if (error instanceof HubRefusal) return refused(error);
  if (error instanceof OutcomeUnknown) {
    const hint = 'hub resume sends it again; it happens once';
    const lines = [error.message.replace(': follow error.call', ''), `next: ${hint}`];
    return { code: 3, lines, json: { error: error.message, code: 'outcome-unknown', hint } };
  }
  if (error instanceof NotTheHub) {
    const hint = '--hub URL names the hub';
    return {
      code: 3,
      lines: [error.message, `next: ${hint}`],
      json: { error: error.message, code: 'not-the-hub', hint },
    };
  }
  const message = messageOf(error);
  const isNetwork = error instanceof TypeError && error.message === 'fetch failed';
  const hint = isNetwork ? 'is the hub running? --hub URL names another' : undefined;
  const lines = hint === undefined ? [message] : [`no answer: ${message}`, `next: ${hint}`];
  const code = isNetwork ? 3 : 2;
  return { code, lines, json: { error: message, code: isNetwork ? 'no-answer' : 'failed', hint } };
}

function refused(error: HubRefusal): Told {
  const { body, code, hint, field, allowed, next = [], requestId } = error;
  const lines = [
    `${code}: ${body.error}`,
    ...(field === undefined ? [] : [`field: ${field}`]),
    ...(allowed === undefined ? [] : [`taken: ${allowed.join(', ')}`]),
    `hint: ${hint}`,
    ...next.map(({ action, call }) => {
      const given = call.body === undefined ? '' : ` --body '${jsonText(call.body)}'`;
      return `next: ${action}: ${call.method} ${call.path}${given}`;
    }),
    ...(error.call === undefined ? [] : ['next: hub resume sends it again; it happens once']),
    ...(requestId === undefined ? [] : [`request: ${requestId}`]),
  ];
  return { code: error.call === undefined ? 1 : 3, lines, json: body };
}

/** The cause says what the network said; `fetch failed` alone says nothing. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const detail = cause.message === '' && 'code' in cause ? String(cause.code) : cause.message;
  return detail === '' ? error.message : detail;
}
