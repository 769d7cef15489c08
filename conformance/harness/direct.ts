import { randomUUID } from 'node:crypto';
import { handlers } from '../../handlers/index.ts';
import { parseAccount, parseKeyId } from '../../domain/account.ts';
import { createDispatch } from '../../server/dispatch/dispatch.ts';
import type { Identity } from '../../server/http/wire.ts';
import { wireRefusal } from '../../workflows/kernel/errors.ts';
import { createRoutes } from '../../server/http/routes.ts';
import type { TestHub } from './hub.ts';

/** Operations without socket and signature, for suites where the wire would be all they measure. */
export interface DirectAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** `account` undefined is a visitor. */
export type DirectCall = (
  account: string | undefined,
  method: 'GET' | 'POST',
  target: string,
  body?: unknown,
  header?: Readonly<Record<string, string>>,
) => Promise<DirectAnswer>;

/** Several processes may call the hub of one database, each counting from one. */
const run = randomUUID();
let nonces = 0;

export function direct(hub: TestHub): DirectCall {
  const dispatch = createDispatch(handlers, hub.running.hub);
  const routes = createRoutes();
  const { signal } = new AbortController();
  return async (account, method, target, body, header = {}) => {
    const [path = '', search = ''] = target.split('?');
    const found = routes.find(path);
    const spec = found?.methods.get(method);
    if (found === undefined || spec === undefined) throw new Error(`no route ${method} ${target}`);
    const wireBody: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
    const query = Object.fromEntries(new URLSearchParams(search));
    const input = { path: found.path, query, header, body: wireBody };
    const facts = { id: 'direct', gone: signal, wireBody };
    try {
      const reply = await dispatch(spec, input, identityOf(account), facts);
      const answer = JSON.parse(JSON.stringify(reply.body)) as DirectAnswer['body'];
      return { status: reply.status, body: answer };
    } catch (thrown) {
      const { status, body: refusal } = wireRefusal(thrown, 'direct', hub.url);
      if (refusal.code === 'internal') throw thrown;
      return { status, body: { ...refusal } };
    }
  };
}

function identityOf(name: string | undefined): Identity {
  const ip = '127.0.0.1';
  if (name === undefined) return { kind: 'visitor', ip };
  const account = parseAccount(name);
  const keyId = parseKeyId(name.replace(/^key:/, ''));
  if (account === undefined || keyId === undefined) throw new Error(`not an account: ${name}`);
  nonces += 1;
  return { kind: 'signer', ip, account, keyId, nonce: `${run}-${nonces}` };
}
