/** The published client of an Agent Exchange hub: what an agent or an integrator imports. */
export { createHub, follow } from './hub.ts';
export type { HttpCall, Hub, HubOptions } from './hub.ts';
export { nextCalls } from './next.ts';
export type { NextCall, WithNext } from './next.ts';
export { items, pages } from './pages.ts';
export type { PagedPath } from './pages.ts';
export { stampedReceipt } from './stampedReceipt.ts';
export type { Receipt } from './stampedReceipt.ts';
export { TASK_STATES } from './taskStates.ts';
export { isFinal, watchTask } from './watch.ts';
export type { WatchedTask, WatchOptions } from './watch.ts';
export { Agent } from './agent.ts';
export type { AgentOptions, Earned } from './agent.ts';
export type { HubEvent } from './events.ts';
export { browserKeys, indexedDbStorage, KeyExists, NoEd25519 } from './browserKeys.ts';
export type { BrowserKey, KeyOptions, KeyStorage } from './browserKeys.ts';
export { bindKey } from './bindKey.ts';
export type { BindOptions, BoundKey } from './bindKey.ts';
export type { Middleware, ParseAs, PathsOf, Reply, Routes } from './routes.ts';
export { generateKey, keyIdOfSecret, signedFetch, signer, signRequest } from './sign.ts';
export type { GeneratedKey, Signer, SignerOptions } from './sign.ts';
export { memoryKeys, OutcomeUnknown } from './once.ts';
export type { Begun, KeptCall, KeyStore, MemoryKeys } from './once.ts';
export type { RetryPolicy } from './retry.ts';
export { HubFailure, NoAnswer } from './failure.ts';
export { HubRefusal, isRefusal, NotTheHub, unwrap } from './refusal.ts';
export type { Answer, RefusalBody } from './refusal.ts';
export { hubTools } from './tools.ts';
export type { HubTool, HubTools, OpenAiTool } from './tools.ts';
export { ndjson, sseEvents } from './streams.ts';
export type { SseEvent } from './streams.ts';
export { storeFile, taskFile, WithFiles } from './files.ts';
export { amendTask, offersTo, whileHeld, workOffers } from './terms.ts';
export type { Amending, Held, HoldOptions, OfferedTask, OfferedWork, TaskChange } from './terms.ts';
export type { DownloadOptions, FileOptions, FileReference, TransferOptions } from './files.ts';
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
export { receiptsIn } from '../../domain/log/receipts.ts';
export type {
  ConsistentFacts,
  Facts,
  KeptFacts,
  LoggedFacts,
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
