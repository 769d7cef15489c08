/** Requests of a witness to a log, which is untrusted: each answer has a limit of time and bytes. */
const WAIT_MS = 20_000;
const TEXT_BYTES_MAX = 65_536;

/** The log did not answer as a log does; a later look may find it well. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

export async function getText(address: string): Promise<string> {
  return new TextDecoder().decode(await bytesOf(address, TEXT_BYTES_MAX));
}

/** Exactly that many bytes. */
export async function getBytes(address: string, length: number): Promise<Uint8Array> {
  const bytes = await bytesOf(address, length);
  if (bytes.length === length) return bytes;
  throw new Unreachable(`${address} has ${bytes.length} bytes and should have ${length}.`);
}

/** Answers why it was refused; undefined when it was taken. */
export async function postJson(address: string, body: unknown): Promise<string | undefined> {
  const headers = { 'content-type': 'application/json' };
  const answer = await call(address, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = new TextDecoder().decode(await read(answer, address, TEXT_BYTES_MAX));
  return answer.ok ? undefined : `${answer.status} ${text}`;
}

async function bytesOf(address: string, most: number): Promise<Uint8Array> {
  const answer = await call(address, {});
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new Unreachable(`${address} answers ${answer.status}.`);
  }
  return read(answer, address, most);
}

async function call(address: string, init: RequestInit): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(WAIT_MS);
    return await fetch(address, { ...init, redirect: 'error', signal });
  } catch (error) {
    throw new Unreachable(`${address} does not answer.`, { cause: error });
  }
}

async function read(answer: Response, address: string, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
      size += part.length;
      if (size > most) throw new Unreachable(`${address} has more than ${most} bytes.`);
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof Unreachable) throw error;
    throw new Unreachable(`${address} broke off.`, { cause: error });
  }
  return Buffer.concat(parts);
}
