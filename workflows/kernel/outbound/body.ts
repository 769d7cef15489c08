import { Transform, type Duplex, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { codeOf, type Head } from './connect.ts';
import type { RequestContext } from './requestContext.ts';
import { failed, type BodyPart, type BodyStream, type Failed } from './outcome.ts';

/** Codings that the hub reads, the first two offered; `deflate` as in RFC 9110 8.4.1.2. */
const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  br: createBrotliDecompress,
  'x-gzip': createGunzip,
  deflate: createInflate,
};
export const CODINGS_OFFERED = 'gzip, br';

class TooLarge extends Error {}

/**
 * The body of an answer, decoded, and no longer than `bytesMax` either as it was sent or as it is
 * decoded. `done` is called once, when nothing more of it will be read.
 */
export function openBody(
  head: Head,
  bytesMax: number,
  context: RequestContext,
  done: () => void,
): BodyStream {
  const { response, request } = head;
  let over = false;
  const finish = (): void => {
    if (over) return;
    over = true;
    context.signal.removeEventListener('abort', finish);
    // A whole answer to a request whose body was not read to its end would never free its connection.
    if (!response.readableEnded || !request.writableFinished) request.destroy();
    done();
  };
  response.on('error', () => undefined);
  context.signal.addEventListener('abort', finish, { once: true });
  if (context.signal.aborted) finish();
  const cancel = (): void => {
    if (!over) context.cancel();
  };
  return { parts: partsOf(head, bytesMax, context, finish), cancel };
}

export async function wholeBody({ parts }: BodyStream): Promise<Uint8Array | Failed> {
  const pieces: Uint8Array[] = [];
  for await (const part of parts) {
    if (part.kind === 'failed') return part;
    pieces.push(part.bytes);
  }
  return Buffer.concat(pieces);
}

async function* partsOf(
  head: Head,
  bytesMax: number,
  context: RequestContext,
  finish: () => void,
): AsyncGenerator<BodyPart> {
  try {
    const coding = codingOf(head);
    if (coding !== undefined && !Object.hasOwn(DECODERS, coding)) {
      const message = `The answer is coded as ${JSON.stringify(coding)}; the hub reads ${CODINGS_OFFERED}.`;
      yield failed('protocol', message);
      return;
    }
    yield* counted(head, coding, bytesMax, context);
  } finally {
    finish();
  }
}

async function* counted(
  head: Head,
  coding: string | undefined,
  bytesMax: number,
  context: RequestContext,
): AsyncGenerator<BodyPart> {
  const { response } = head;
  const tooLarge = failed('too-large', `The answer is larger than ${bytesMax} bytes.`);
  if (!isBodiless(head) && Number(response.headers['content-length'] ?? 0) > bytesMax) {
    yield tooLarge;
    return;
  }
  const sent = { bytes: 0 };
  let decoded = 0;
  try {
    for await (const chunk of decodedBody(head, coding, bytesMax, sent)) {
      decoded += chunk.length;
      if (decoded > bytesMax) throw new TooLarge();
      if (context.signal.aborted) break;
      yield { kind: 'bytes', bytes: chunk };
    }
    if (context.signal.aborted) yield context.why();
    else if (!response.complete) {
      yield failed('protocol', 'The answer ended before its body was whole.');
    }
  } catch (error) {
    if (context.signal.aborted) yield context.why();
    else if (error instanceof TooLarge) yield tooLarge;
    // Servers name a coding for an empty body, too; no decoder takes nothing for something.
    else if (!(response.complete && sent.bytes === 0)) yield brokenBody(head, error);
  }
}

/** Without a coding the bytes are what was sent, and `counted` counts them itself. */
function decodedBody(
  { response }: Head,
  coding: string | undefined,
  bytesMax: number,
  sent: { bytes: number },
): AsyncIterable<Uint8Array> {
  const decoder = coding === undefined ? undefined : DECODERS[coding]?.();
  if (decoder === undefined) return response;
  const counter = new Transform({
    transform(chunk: Uint8Array, _, pass) {
      sent.bytes += chunk.length;
      if (sent.bytes > bytesMax) pass(new TooLarge());
      else pass(null, chunk);
    },
  });
  // Its errors come out of the last stage, which is the one that is read.
  pipeline([response, counter, decoder], () => undefined);
  return decoder;
}

function codingOf(head: Head): string | undefined {
  if (isBodiless(head)) return undefined;
  const named = (head.response.headers['content-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  return named.length === 0 ? undefined : named.join(', ');
}

/** RFC 9110 6.4.1: these have no body, whatever their headers say. */
function isBodiless({ request, response }: Head): boolean {
  const { statusCode } = response;
  return request.method === 'HEAD' || statusCode === 204 || statusCode === 304;
}

function brokenBody({ fault }: Head, error: unknown): Failed {
  const code = codeOf(fault() ?? error);
  return failed('protocol', `The body of the answer is broken off or malformed (${code}).`);
}
