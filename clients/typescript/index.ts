/** The published client of an Agent Exchange hub: what an agent or an integrator imports. */
export { createHub, follow } from './hub.ts';
export type { HttpCall, Hub, HubOptions } from './hub.ts';
export type { Middleware, ParseAs, PathsOf, Reply, Routes } from './routes.ts';
export { generateKey, keyIdOfSecret, signer, signRequest } from './sign.ts';
export type { GeneratedKey, Signer, SignerOptions } from './sign.ts';
export { memoryKeys, OutcomeUnknown } from './once.ts';
export type { KeptCall, KeyStore, MemoryKeys } from './once.ts';
export type { RetryPolicy } from './retry.ts';
export { HubRefusal, isRefusal, NotTheHub, unwrap } from './refusal.ts';
export type { Answer, RefusalBody } from './refusal.ts';
export { ndjson, sseEvents } from './streams.ts';
export type { SseEvent } from './streams.ts';
export { claimAgain, deliverResult, GiveBack, work } from './work.ts';
export type {
  Claim,
  Delivered,
  Job,
  RefusalItem,
  Solve,
  SubmitResult,
  WorkOptions,
} from './work.ts';
export type { ErrorCode } from '../../generated/errors.ts';
export type { components, operations, paths } from '../../generated/types.ts';
