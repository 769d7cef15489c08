import { PAUSED } from './postgresPause.ts';
import { isUnavailable } from './unavailable.ts';

/** How long a COMMIT may take; a statement before it may wait 10 s for a lock. */
const COMMIT_MS_MAX = 15_000;

/**
 * A COMMIT was not confirmed: its connection broke, or a synchronous standby is away. It may count
 * or not, so the caller must ask again with the same idempotency key.
 */
export class UncertainCommit extends Error {
  override readonly name = 'UncertainCommit';
  readonly code = 'COMMIT_UNCERTAIN';
  /** Settles when the COMMIT is over; until then its connection is in use. */
  readonly over: Promise<void>;

  constructor(commit: Promise<unknown>, cause?: unknown) {
    super('the database did not confirm the commit', { cause });
    this.over = commit.then(
      () => undefined,
      () => undefined,
    );
  }
}

/** Awaits a sent COMMIT. @throws UncertainCommit if it may have worked, else the refusal. */
export async function confirmed<T>(commit: Promise<T>, ms = COMMIT_MS_MAX): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new UncertainCommit(commit)), ms);
  });
  try {
    return await Promise.race([commit, late]);
  } catch (error) {
    // The server undid the statement and goes on, or it had ended the session before.
    const isCertain = error instanceof Error && (isUndone(error) || isPaused(error));
    throw isUnavailable(error) && !isCertain ? new UncertainCommit(commit, error) : error;
  } finally {
    clearTimeout(timer);
  }
}

function isUndone(error: Error): boolean {
  return 'severity' in error && error.severity === 'ERROR';
}

function isPaused(error: Error): boolean {
  return 'code' in error && error.code === PAUSED;
}
