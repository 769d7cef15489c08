import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { policyAt } from '../../domain/httpsig/fixture.ts';
import { inspect, type Inspection } from '../../domain/httpsig/inspect.ts';

/** For tests alone: a hub that answers from a script and notes what it was sent. */
export interface Received {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** The body as JSON; undefined when there was none. */
  readonly body: unknown;
  /** The verdict of the hub's own verifier on the raw bytes. */
  readonly inspection: Inspection;
}

/** One scripted answer; `hang-up` cuts the connection, `half` cuts it in the middle of the body. */
export type Step =
  | 'hang-up'
  | 'half'
  | {
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      /** Sent as they are, one write each. */
      readonly chunks?: readonly string[];
    };

export interface ScriptedHub {
  readonly baseUrl: string;
  /** Answers from here on; the last one repeats. Forgets what was received. */
  play(...steps: readonly Step[]): void;
  received(): readonly Received[];
  close(): Promise<void>;
}

const OK: Step = { status: 200, body: {} };

export async function scriptedHub(): Promise<ScriptedHub> {
  let steps: readonly Step[] = [OK];
  let received: Received[] = [];
  let origin = '';
  const server = createServer((request, response) => {
    void readBody(request).then((bytes) => {
      const step = steps[Math.min(received.length, steps.length - 1)] ?? OK;
      received.push(note(request, bytes, origin));
      answer(step, response);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  origin = `http://127.0.0.1:${address.port}`;
  return {
    baseUrl: origin,
    play: (...next) => {
      steps = next;
      received = [];
    },
    received: () => received,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function note(request: IncomingMessage, bytes: Uint8Array, origin: string): Received {
  const { method = '', url: target = '', headers, rawHeaders } = request;
  const policy = policyAt(Math.floor(Date.now() / 1000), { origins: [origin] });
  const text = new TextDecoder().decode(bytes);
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const inspection = inspect({ method, target, headers: rawHeaders, body: bytes }, policy);
  return { method, target, headers, text, body, inspection };
}

function answer(step: Step, response: ServerResponse): void {
  if (step === 'hang-up') {
    response.destroy();
    return;
  }
  if (step === 'half') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"amount":', () => response.destroy());
    return;
  }
  const { status, body, headers, chunks } = step;
  const type = { 'content-type': 'application/json', 'x-request-id': 'req-1' };
  response.writeHead(status, { ...type, ...headers });
  for (const chunk of chunks ?? []) response.write(chunk);
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

export function refusalStep(
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Step {
  return { status, headers, body: { error: 'No.', code, hint: `See /errors/${code}` } };
}

export function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
