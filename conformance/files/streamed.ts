import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { signer, type GeneratedKey } from '../../clients/typescript/sign.ts';
import {
  base64,
  contentDigest,
  requiredComponents,
  signatureBase,
  signatureParams,
} from '../../domain/httpsig/base.ts';
import { FILES } from './file.ts';

/** An upload sent piece by piece from shared bytes, which may stand still in the middle. */
export interface StreamedUpload {
  readonly url: string;
  readonly key: GeneratedKey;
  readonly fileKey: string;
  /** The content as base64 letters. */
  readonly letters: Buffer;
  /** Called when half of it was sent; the rest follows when it has ended. */
  readonly inTheMiddle?: () => Promise<void>;
}

const PIECE_BYTES = 65_536;

/** The status of the answer, and its text. */
export async function uploadStreamed({
  url,
  key,
  fileKey,
  letters,
  inTheMiddle,
}: StreamedUpload): Promise<{ readonly status: number; readonly text: string }> {
  const head = JSON.stringify({ owner: key.account, key: fileKey }).slice(0, -1);
  const [before, after] = [Buffer.from(`${head},"contentBase64":"`), Buffer.from('"}')];
  const hash = createHash('sha256').update(before).update(letters).update(after).digest();
  const sent = request(new URL(FILES, url), {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/json',
      'content-length': before.length + letters.length + after.length,
      ...(await signed(key, contentDigest(hash))),
    },
  });
  const answered = once(sent, 'response');
  const half = Math.floor(letters.length / 2);
  sent.write(before);
  for (let at = 0; at < letters.length; at += PIECE_BYTES) {
    if (!sent.write(letters.subarray(at, at + PIECE_BYTES))) await once(sent, 'drain');
    if (at <= half && at + PIECE_BYTES > half) await inTheMiddle?.();
  }
  sent.end(after);
  const [response] = (await answered) as [AsyncIterable<Buffer> & { readonly statusCode: number }];
  let text = '';
  for await (const piece of response) text += piece.toString('latin1');
  return { status: response.statusCode, text };
}

async function signed(key: GeneratedKey, digest: string): Promise<Record<string, string>> {
  const message = {
    method: 'POST',
    target: FILES,
    path: FILES,
    query: undefined,
    scheme: 'http',
    authority: undefined,
    hasBody: true,
    field: (name: string) => (name === 'content-digest' ? digest : undefined),
  };
  const covered = requiredComponents(message);
  const createdSeconds = Math.floor(Date.now() / 1_000);
  const params = signatureParams(covered, {
    createdSeconds,
    keyId: key.keyId,
    nonce: randomUUID(),
  });
  const base = signatureBase(message, covered, params);
  if (!base.ok) throw new Error(`no value for ${base.missing}`);
  const signature = await signer(key).sign(new TextEncoder().encode(base.text));
  return {
    'content-digest': digest,
    'signature-input': `s=${params}`,
    signature: `s=:${base64(signature)}:`,
  };
}
