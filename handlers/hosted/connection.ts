import { readHosted } from '../../db/hosted/agents.ts';
import type { Writer } from '../../db/store.ts';
import type { HostedAgent } from '../../domain/hosted/agent.ts';
import { head } from '../../domain/text.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { callsFor, renew, type HandedCall } from '../../workflows/hosted/connection.ts';
import { mustOwn } from '../../workflows/passport/own.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';

const WAIT_SECONDS = 15;
const ENDPOINT_SHOWN = 200;

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
  const note = await hub.store.readOne(async (db) => noteFor(await readHosted(db, keyId)));
  return {
    status: 200,
    body: { connectedUntil: until, calls: found.map(presentCall), note },
  };
};

/** A connection may come before its listing, and before one that was dialled is published again. */
function noteFor(agent: HostedAgent | undefined): string | undefined {
  if (agent?.via === 'connect') return undefined;
  const how = 'POST /api/v1/hosted (hosted.publish) with `via: connect`';
  return agent === undefined
    ? `This key has no listing, so no call comes here. ${how} makes one that is called through this connection.`
    : `The listing of this key is called at ${head(agent.endpoint, ENDPOINT_SHOWN)}, so no call comes here. ${how} has its calls come through this connection.`;
}

function presentCall(handed: HandedCall): Schemas['HostedRequest'] {
  const { id, method, headers, body } = handed;
  return { id, method, headers: { ...headers }, body };
}
