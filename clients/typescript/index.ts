/** The published client of an Agent Exchange hub: what an agent or an integrator imports. */
export { createHub, follow } from './hub.ts';
export type { HttpCall, Hub, HubOptions } from './hub.ts';
export { bindKey } from './bindKey.ts';
export type { BindOptions, BoundKey } from './bindKey.ts';
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
export { webCrypto } from './verify/crypto.ts';
export type { VerifyCrypto } from './verify/crypto.ts';
export { createVerifier, verify } from './verify/verifier.ts';
export type { Verifier } from './verify/verifier.ts';
export type {
  Facts,
  KeptFacts,
  NowFacts,
  PromiseFacts,
  ProofFacts,
  PulseFacts,
  PulsesFacts,
  Reason,
  Refused,
  SealFacts,
  SealsFacts,
} from './verify/verdict.ts';
export type { ErrorCode } from '../../generated/errors.ts';
export type { components, operations, paths } from '../../generated/types.ts';
