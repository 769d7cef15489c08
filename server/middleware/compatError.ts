import { defined } from '../../domain/defined.ts';
import type { components } from '../../generated/types.ts';
import { GENERATE } from '../http/routes.ts';
import type { ErrorBody } from '../../workflows/kernel/errors.ts';

/** Refusals of what an API key opens, as the clients of each form read them (models.compat). */
type Schemas = components['schemas'];
type Family = Schemas['CompatError']['error']['type'];
type MessagesFamily = Schemas['MessagesError']['error']['type'];
type GoogleStatus = Schemas['GoogleError']['error']['status'];

const CHAT = '/v1/';
const MESSAGES = '/v1/messages';
const GOOGLE = '/v1beta/';
/** Those that a client's own retry may help. */
const WORTH_A_RETRY = [429, 500, 502, 503];

export function isCompatPath(rawPath: string): boolean {
  return rawPath.startsWith(CHAT) || rawPath.startsWith(GOOGLE);
}

/** The refusal in the form of the path that was asked. */
export function formedError(rawPath: string, status: number, body: ErrorBody): object {
  if (rawPath.startsWith(GOOGLE) || GENERATE.test(rawPath)) return googleError(status, body);
  const isMessages = rawPath === MESSAGES || rawPath.startsWith(`${MESSAGES}/`);
  return isMessages ? messagesError(status, body) : compatError(status, body);
}

function compatError(status: number, body: ErrorBody): Schemas['CompatError'] {
  const { error: message, code, hint, field, allowed, faults, requestId } = body;
  return {
    error: {
      message,
      type: familyOf(status, code),
      param: field?.replace(/^body\./, '') ?? null,
      code,
      hint,
      ...defined({ allowed, faults, requestId }),
    },
  };
}

function messagesError(status: number, body: ErrorBody): Schemas['MessagesError'] {
  const { error: message, code, hint, field, allowed, faults, requestId = null } = body;
  const type = messagesFamilyOf(status, code);
  const error = { type, message, code, hint, ...defined({ field, allowed, faults }) };
  return { type: 'error', error, request_id: requestId };
}

function googleError(status: number, body: ErrorBody): Schemas['GoogleError'] {
  const { error: message, code, hint, field, allowed, faults, requestId } = body;
  const details = [{ reason: code, hint, ...defined({ field, allowed, faults, requestId }) }];
  return { error: { code: status, message, status: googleStatusOf(status, code), details } };
}

/** Some clients retry by status alone, so this header states whether a retry makes sense. */
export function retryHeader(status: number): Readonly<Record<string, string>> {
  return { 'x-should-retry': String(WORTH_A_RETRY.includes(status)) };
}

const QUOTA = ['insufficient-funds', 'model-ceiling', 'policy-limit'];

function familyOf(status: number, code: string): Family {
  if (QUOTA.includes(code)) return 'insufficient_quota';
  if (status === 401) return 'authentication_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'api_error' : 'invalid_request_error';
}

function messagesFamilyOf(status: number, code: string): MessagesFamily {
  if (QUOTA.includes(code)) return 'billing_error';
  if (code === 'policy-forbids' || code === 'moderated') return 'permission_error';
  if (status === 401) return 'authentication_error';
  if (status === 404) return 'not_found_error';
  if (status === 429) return 'rate_limit_error';
  if (status === 503) return 'overloaded_error';
  return status >= 500 ? 'api_error' : 'invalid_request_error';
}

function googleStatusOf(status: number, code: string): GoogleStatus {
  if (QUOTA.includes(code)) return 'FAILED_PRECONDITION';
  if (code === 'policy-forbids' || code === 'moderated') return 'PERMISSION_DENIED';
  if (status === 401) return 'UNAUTHENTICATED';
  if (status === 404) return 'NOT_FOUND';
  if (status === 429) return 'RESOURCE_EXHAUSTED';
  if (status === 503) return 'UNAVAILABLE';
  return status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT';
}
