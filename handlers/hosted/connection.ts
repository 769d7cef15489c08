import type { Writer } from '../../db/store.ts';
import { defined } from '../../domain/defined.ts';
import { iso } from '../../domain/instant.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { callsFor, renew, type HandedCall } from '../../workflows/hosted/connection.ts';
import { mustOwn } from '../../workflows/passport/own.ts';
import type { components } from '../../generated/types.ts';

const WAIT_SECONDS = 15;

/** One poll of a connected agent: answers in, calls out. */
export const connection: Handler<'hosted.connection'> = async (call, hub) => {
  const { path, body, caller, request } = call;
  const { keyId } = path;
  const { wait = WAIT_SECONDS, answers = [], close = false } = body;
  const inName = <T>(work: (tx: Writer) => Promise<T>): Promise<T> =>
    hub.act(call, async (tx) => {
      await mustOwn(tx, caller, keyId, 'path.keyId');
      return work(tx);
    });
  const until = await inName((tx) => renew(tx, hub, keyId, { answers, close }));
  const waiting = { waitMs: wait * 1_000, gone: request.gone, inName };
  const found = close ? [] : await callsFor(hub, keyId, waiting);
  return { status: 200, body: { connectedUntil: iso(until), calls: found.map(presentCall) } };
};

function presentCall(handed: HandedCall): components['schemas']['HostedRequest'] {
  const { id, method, headers, body } = handed;
  return { id, method, headers: { ...headers }, ...defined({ body }) };
}
