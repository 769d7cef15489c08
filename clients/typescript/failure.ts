import type { components } from '../../generated/types.ts';

/** Every error about a call: the hub refused, another program answered, or no answer came. */
export abstract class HubFailure extends Error {
  /** From the closed list at `GET /errors`, or `not-the-hub`, `no-answer` or `outcome-unknown`. */
  abstract readonly code: string;
  /** The next step. */
  abstract readonly hint: string;
  /** The hub's page of the code, or the address that did not answer as a hub does. */
  abstract readonly link: string;
  /** Names the request in the hub's log; undefined where no answer came. */
  readonly requestId: string | undefined = undefined;
  /** Set on a once-only call that may have happened: `follow(hub, call)` sends it again. */
  readonly call: components['schemas']['HttpCall'] | undefined = undefined;
}

/** Nothing arrived, and the call changed nothing or was never sent; `cause` is the network's error. */
export class NoAnswer extends HubFailure {
  override readonly name = 'NoAnswer';
  readonly code = 'no-answer';
  readonly hint = 'Check that the hub runs and that this is its address, and send the call again.';
  readonly link: string;

  constructor(request: Pick<Request, 'method' | 'url'>, cause: unknown) {
    super(`no answer to ${request.method} ${request.url}: ${wordsOf(cause)}`, { cause });
    this.link = request.url;
  }
}

/** The innermost cause says what the network said; `fetch failed` alone says nothing. */
function wordsOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { cause, message } = thrown;
  if (cause instanceof Error) return wordsOf(cause);
  return message === '' && 'code' in thrown ? String(thrown.code) : message;
}

/** The page of a code at the hub that answered; a base address may have a path. */
export function pageOfCode(answeredAt: string, code: string): string {
  if (!URL.canParse(answeredAt)) return `/errors/${code}`;
  const { origin, pathname } = new URL(answeredAt);
  const prefix = pathname.slice(0, Math.max(0, pathname.indexOf('/api/')));
  return `${origin}${prefix}/errors/${code}`;
}
