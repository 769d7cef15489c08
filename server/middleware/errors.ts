import type { Logger } from 'pino';
import { isUnavailable } from '../../db/unavailable.ts';
import { logUnavailable } from '../../workflows/kernel/logFailure.ts';
import { wireRefusal } from '../../workflows/kernel/errors.ts';
import { PAGE_HEADERS } from '../pages/html.ts';
import { refusalPage } from '../pages/refusal.ts';
import { leaveBody } from './bodyRefusals.ts';
import { formedError, isCompatPath, retryHeader } from './compatError.ts';
import { JSON_TYPE, type Answer, type Exchange } from './exchange.ts';

/** Turns whatever was thrown into the error body; a bug shows the caller its request id only. */
export function refused(
  exchange: Exchange,
  thrown: unknown,
  to: { readonly log: Logger; readonly baseUrl: string },
): Answer {
  const { requestId, method } = exchange;
  const { status, body, headers: named } = wireRefusal(thrown, requestId, to.baseUrl, method);
  const headers = { ...named, ...leaveBody(exchange.request) };
  exchange.refusal = body.code;
  if (body.code === 'internal') to.log.error({ err: thrown, requestId }, 'bug');
  else if (isUnavailable(thrown)) logUnavailable(to.log, thrown);
  if (isForPerson(exchange)) {
    const head = { ...headers, ...PAGE_HEADERS, 'content-type': 'text/html' };
    return { status, headers: head, body: refusalPage(status, body) };
  }
  if (!isCompatPath(exchange.rawPath)) {
    const head = { ...headers, 'content-type': JSON_TYPE };
    return { status, headers: head, body: JSON.stringify(body) };
  }
  const head = { ...headers, ...retryHeader(status), 'content-type': JSON_TYPE };
  return {
    status,
    headers: head,
    body: JSON.stringify(formedError(exchange.rawPath, status, body)),
  };
}

/** Where programs ask, an answer in HTML would mislead them, whatever they say that they take. */
const PROGRAMS = /^\/(?:app\/)?(?:api|v1|v1beta|mcp|a2a|\.well-known)(?:\/|$)/;

/** Whether a browser opened the address as a page. */
function isForPerson({ method, rawPath, wantsHtml }: Exchange): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !PROGRAMS.test(rawPath) && wantsHtml;
}
