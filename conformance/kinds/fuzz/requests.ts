import type { DeclaredOperation, Json } from '../../harness/contract.ts';
import type { Case } from './generate.ts';

/** A case as the request that carries it, and any request as the line that repeats it. */
export function targetOf(operation: DeclaredOperation, { path, query }: Case): string {
  const filled = operation.path.replaceAll(/\{([A-Za-z]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(path[name])),
  );
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

/** The same request without a signature, or with other headers than its own. */
export function unsigned(request: Request, extra: Json = {}): Request {
  const headers = new Headers(request.headers);
  for (const name of ['signature', 'signature-input', 'content-digest']) headers.delete(name);
  for (const [name, value] of Object.entries(extra)) headers.set(name, String(value));
  return new Request(request.clone(), { headers });
}

/** The signature of one request on another: moved to what it was not made for. */
export function moved(from: Request, to: Request): Request {
  const headers = new Headers(to.headers);
  for (const name of ['signature', 'signature-input', 'content-digest']) {
    const value = from.headers.get(name);
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  return new Request(to.clone(), { headers });
}

export async function curlOf(request: Request): Promise<string> {
  const headers = [...request.headers].map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const body = await request.clone().text();
  const data = body === '' ? [] : [`--data-raw ${quoted(body)}`];
  return ['curl -i -X', request.method, quoted(request.url), ...headers, ...data].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
