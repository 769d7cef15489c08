import type { Fields } from '../../../domain/httpsig/message.ts';
import { Redaction, secretsOfHeaders } from '../../../domain/outbound/redaction.ts';
import type { BodyPart, BodyStream, Outcome, OutboundRequest } from './outcome.ts';

/** The session of a server is read from this header, so it stays in the answer. */
const SESSION_HEADER = 'mcp-session-id';

/** Returns the outcome of a request without the secrets that went out with it. */
export function withoutSecrets(
  { headers = {}, secrets = [] }: OutboundRequest,
  outcome: Outcome<BodyStream>,
): Outcome<BodyStream> {
  const redaction = new Redaction([...secretsOfHeaders(headers), ...secrets]);
  if (redaction.isEmpty) return outcome;
  if (outcome.kind === 'failed') return { ...outcome, message: redaction.text(outcome.message) };
  const { body } = outcome;
  return {
    ...outcome,
    headers: redactedFields(outcome.headers, redaction),
    body: { parts: redactedParts(body, redaction), cancel: () => body.cancel() },
  };
}

function redactedFields(fields: Fields, redaction: Redaction): Fields {
  return new Map(
    [...fields].map(([name, values]) => [
      name,
      name === SESSION_HEADER ? values : values.map((value) => redaction.text(value)),
    ]),
  );
}

/** Credentials are ASCII, so a byte is read as a character and other bytes stay as they are. */
async function* redactedParts(
  { parts }: BodyStream,
  redaction: Redaction,
): AsyncGenerator<BodyPart> {
  const flow = redaction.flow();
  for await (const part of parts) {
    if (part.kind === 'failed') yield { ...part, message: redaction.text(part.message) };
    else yield { ...part, bytes: Buffer.from(flow(textOf(part.bytes)), 'latin1') };
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
