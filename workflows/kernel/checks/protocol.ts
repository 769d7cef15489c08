import type { MessagePort } from 'node:worker_threads';
import type { JudgedFile } from '../../../domain/acceptance/files.ts';
import type { RuleRefusal, Verdict } from '../../../domain/acceptance/rule.ts';

/** Messages between the hub and a check worker. Rules and results travel as JSON text. */
export interface CheckLimits {
  /** Workers at most; they start when first needed. */
  readonly workers: number;
  /** Checks waiting for a worker at most; one more is refused as busy. */
  readonly queueMax: number;
  /** At publication. */
  readonly compileMs: number;
  /** At judging, where an overrun is the hub's fault: the rule compiled when it was published. */
  readonly recompileMs: number;
  readonly runMs: number;
  /** Beyond these: for listing every reason of a refusal, and for a slow machine. */
  readonly graceMs: number;
  readonly startMs: number;
  readonly memoryMb: number;
}

/** Choices acceptance.running: 500 ms to compile, 250 ms to run, 64 MB. */
export const CHECK_LIMITS: CheckLimits = {
  workers: 2,
  queueMax: 256,
  compileMs: 500,
  recompileMs: 2_000,
  runMs: 250,
  graceMs: 250,
  startMs: 10_000,
  memoryMb: 64,
};

export interface CheckRequest {
  readonly ruleText: string;
  /** Absent: compile only. */
  readonly resultText?: string;
  readonly files?: readonly JudgedFile[];
  /** Second try: the first reason is enough. */
  readonly brief: boolean;
}

export interface Overrun {
  readonly is: 'overrun';
  /** `work` is that of its patterns, counted, so it is the same in every try. */
  readonly of: 'time' | 'memory' | 'work';
  readonly during: 'compile' | 'run';
}

export type CheckReply =
  | { readonly is: 'ready' }
  | { readonly is: 'compiled'; readonly patternInstructions: number }
  /** Not the end of a request: the rule is compiled and its run begins now. */
  | { readonly is: 'running' }
  | { readonly is: 'refused'; readonly refusal: RuleRefusal }
  | { readonly is: 'verdict'; readonly verdict: Verdict }
  | Overrun
  | { readonly is: 'fault'; readonly why: string };

export interface WorkerStart {
  readonly port: MessagePort;
  readonly compileMs: number;
  readonly runMs: number;
}
