import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^Bearer +(hub_[A-Za-z0-9_-]{43})$/i;
const BARE = /^(hub_[A-Za-z0-9_-]{43})$/;

/** Headers in which the clients of each protocol send their key. */
const OTHERS = ['x-api-key', 'x-goog-api-key'] as const;

export function sendsKey(headers: IncomingHttpHeaders): boolean {
  return headers.authorization !== undefined || OTHERS.some((name) => headers[name] !== undefined);
}

/** The API key of a request; undefined when what it sends is none. A bearer token counts first. */
export function sentKey(headers: IncomingHttpHeaders): string | undefined {
  const { authorization } = headers;
  if (authorization !== undefined) return BEARER.exec(authorization)?.[1];
  const sent = OTHERS.map((name) => headers[name]).find((each) => each !== undefined);
  return typeof sent === 'string' ? BARE.exec(sent)?.[1] : undefined;
}
