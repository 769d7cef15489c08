import { defined } from '../../domain/defined.ts';
import type { components } from '../../generated/types.ts';
import type { ErrorBody } from '../hub/errors.ts';

/** Refusals of the compatible door, in the form that its clients read (choices models.compat). */
type CompatError = components['schemas']['CompatError'];
type Family = CompatError['error']['type'];

const PREFIX = '/v1/';
/** Those that a client's own retry may help. */
const WORTH_A_RETRY = [429, 500, 502, 503];

export function isCompatPath(rawPath: string): boolean {
  return rawPath.startsWith(PREFIX);
}

export function compatError(status: number, body: ErrorBody): CompatError {
  const { error: message, code, hint, field, allowed, requestId } = body;
  return {
    error: {
      message,
      type: familyOf(status, code),
      param: field?.replace(/^body\./, '') ?? null,
      code,
      hint,
      ...defined({ allowed, requestId }),
    },
  };
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
