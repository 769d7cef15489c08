/** The pages of one hub in a browser; the browser itself is installed beside and has no types here. */
export interface Short {
  /** Everything that a stranger may write, as badly as it can be. */
  readonly HOSTILE_TEXT: string;
  /** The same within so many characters. */
  hostileWord(length: number): string;
  /** From an empty browser to a delivered starter task. */
  earn(): Promise<void>;
  /** The account that earned shows its reward. */
  getsPaid(): Promise<void>;
  /** Every page, and those at more paths below `/app`: wide in light, and at 320 px in dark. */
  accessible(more: readonly string[]): Promise<void>;
  /** A page with strangers' texts runs and loads nothing of theirs. */
  harmless(path: string): Promise<void>;
  /** What the official chat-completion client saw on a page of another origin. */
  useSdk(apiKey: string): Promise<Readonly<Record<string, unknown>>>;
  /** Errors on the console, reports of the policy, requests to another place. */
  faults(): readonly string[];
  close(): Promise<void>;
}

/** There is no browser for this machine. */
export class NoBrowser extends Error {}

/** Installs the browser when it is missing. Throws NoBrowser. */
export function openShort(url: string, report: (line: string) => void): Promise<Short>;
