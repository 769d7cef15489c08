import type { WireRefusal } from '../../../workflows/kernel/errors.ts';
import {
  fault,
  RPC_METHOD,
  RPC_PARAMS,
  RPC_PARSE,
  RPC_REQUEST,
  RPC_UNAUTHORIZED,
  type RpcFault,
  type RpcId,
} from '../jsonRpc.ts';
import type { Version } from './version.ts';

/** The protocol's own errors (A2A 1.0, 5.4), beside those of JSON-RPC. */
export const TASK_NOT_FOUND = -32_001;
export const TASK_NOT_CANCELABLE = -32_002;
export const PUSH_NOTIFICATION_NOT_SUPPORTED = -32_003;
export const UNSUPPORTED_OPERATION = -32_004;
export const CONTENT_TYPE_NOT_SUPPORTED = -32_005;
export const EXTENDED_CARD_NOT_CONFIGURED = -32_007;
export const VERSION_NOT_SUPPORTED = -32_009;

const REASONS: Readonly<Record<number, string>> = {
  [RPC_PARSE]: 'PARSE_ERROR',
  [RPC_REQUEST]: 'INVALID_REQUEST',
  [RPC_METHOD]: 'METHOD_NOT_FOUND',
  [RPC_PARAMS]: 'INVALID_PARAMS',
  [TASK_NOT_FOUND]: 'TASK_NOT_FOUND',
  [TASK_NOT_CANCELABLE]: 'TASK_NOT_CANCELABLE',
  [PUSH_NOTIFICATION_NOT_SUPPORTED]: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
  [UNSUPPORTED_OPERATION]: 'UNSUPPORTED_OPERATION',
  [CONTENT_TYPE_NOT_SUPPORTED]: 'CONTENT_TYPE_NOT_SUPPORTED',
  [EXTENDED_CARD_NOT_CONFIGURED]: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  [VERSION_NOT_SUPPORTED]: 'VERSION_NOT_SUPPORTED',
};

const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';
const STRUCT = 'type.googleapis.com/google.protobuf.Struct';

export interface ErrorDetail {
  readonly hint?: string;
  /** The skills that there are, when none of them was named. */
  readonly skills?: readonly string[];
  /** Where in `params` the value stands that is wrong. */
  readonly field?: string;
}

/** A message that the protocol refuses; refusals of operations are not errors of the protocol. */
export class A2aError extends Error {
  readonly code: number;
  readonly detail: ErrorDetail;

  constructor(code: number, message: string, detail: ErrorDetail = {}) {
    super(message);
    this.name = 'A2aError';
    this.code = code;
    this.detail = detail;
  }
}

/** Refuses params whose value at `field` is wrong; `why` continues the field's name. */
export function refuseParams(field: string, why: string, detail: ErrorDetail = {}): never {
  const message = `Invalid params: ${field} ${why}`;
  throw new A2aError(RPC_PARAMS, message, { ...detail, field });
}

export function errorFault(id: RpcId | null, version: Version, error: A2aError): RpcFault {
  const { code, message, detail } = error;
  const reason = REASONS[code] ?? 'INTERNAL';
  if (version === '0.3') return fault(id, code, message, { reason, ...detail });
  const { hint, skills, field } = detail;
  const metadata = { ...(hint && { hint }), ...(skills && { skills: skills.join(', ') }) };
  const info = { '@type': ERROR_INFO, reason, domain: 'a2a-protocol.org', metadata };
  const violation = { '@type': BAD_REQUEST, fieldViolations: [{ field, description: message }] };
  return fault(id, code, message, field === undefined ? [info] : [info, violation]);
}

/** A refusal under its HTTP status, such as 401; `data` holds its body, typed from 1.0 on. */
export function refusalFault(id: RpcId | null, version: Version, refusal: WireRefusal): RpcFault {
  const { status, body } = refusal;
  const code = status === 401 ? RPC_UNAUTHORIZED : RPC_REQUEST;
  if (version === '0.3') return fault(id, code, body.error, body);
  const reason = (body.code ?? 'refused').toUpperCase().replaceAll('-', '_');
  const metadata = { hint: body.hint ?? '' };
  const info = { '@type': ERROR_INFO, reason, domain: 'agent-exchange-hub', metadata };
  return fault(id, code, body.error, [info, { '@type': STRUCT, value: body }]);
}
