import type { OperationId } from '../../generated/operations.ts';
import { openAnswerOnce, type AnswerOnce } from './answerOnce.ts';
import type { Values } from './decode.ts';
import type { Call, Caller, RequestFacts } from '../../workflows/kernel/call.ts';
import { encodeReply } from '../../workflows/kernel/encode.ts';
import { HubError } from '../../workflows/kernel/errors.ts';
import type { Handler, Handlers } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { onceKey } from '../../workflows/kernel/onceKey.ts';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';
import { openPolls, type Polls } from '../../workflows/kernel/polls.ts';
import type { AnyReply } from '../http/wire.ts';

/** How dispatch runs handlers, with what it remembers of them. */
export interface Running {
  readonly handlers: Handlers;
  readonly polls: Polls;
  readonly answerOnce: AnswerOnce;
}

interface RunCall {
  readonly operation: string;
  readonly path: Values;
  readonly caller: Caller;
  readonly request: RequestFacts;
  readonly idempotencyKey: string | undefined;
}

export function openRunning(handlers: Handlers): Running {
  return { handlers, polls: openPolls(), answerOnce: openAnswerOnce() };
}

/** Runs the handler of a call: once for a key that is kept with its answer, a poll as one. */
export function runIn(
  { handlers, polls, answerOnce }: Running,
  spec: OperationSpec,
  hub: Hub,
  call: RunCall,
): Promise<AnyReply> {
  const key = spec.once === 'answer' ? onceKey(call, hub.clock.now()) : undefined;
  const run = (): Promise<AnyReply> =>
    spec.waits === true
      ? polled(polls, call, (waiting) => invoke(handlers, spec, waiting, hub))
      : invoke(handlers, spec, call, hub);
  return key === undefined ? run() : answerOnce(hub, key, run);
}

/** Runs a long poll as one of the caller's; `gone` is also raised when it must make room. */
async function polled<C extends { readonly caller: Caller; readonly request: RequestFacts }>(
  polls: Polls,
  call: C,
  run: (call: C) => Promise<AnyReply>,
): Promise<AnyReply> {
  const { id, wireBody } = call.request;
  const poll = polls.enter(call.caller, call.request.gone);
  try {
    return await run({ ...call, request: { id, wireBody, gone: poll.ended } });
  } finally {
    poll.leave();
  }
}

/**
 * Handlers are typed per operation and the router picks one at run time, so their pairing is
 * asserted here: the readers and `bodyOf` have validated the call against the same contract.
 */
async function invoke(
  handlers: Handlers,
  spec: OperationSpec,
  call: unknown,
  hub: Hub,
): Promise<AnyReply> {
  const handler = handlers[spec.id as OperationId] as Handler<OperationId>;
  try {
    const reply: AnyReply = await handler(call as Call<OperationId>, hub);
    // One that is kept was encoded when it was made.
    return reply.encoded === undefined ? encodeReply(spec.id, reply) : reply;
  } catch (thrown) {
    if (
      hub.settings.checkAnswers &&
      thrown instanceof HubError &&
      !spec.errors.includes(thrown.code)
    ) {
      throw new Error(`${spec.id} refused with ${thrown.code}, which its contract does not list`, {
        cause: thrown,
      });
    }
    throw thrown;
  }
}
