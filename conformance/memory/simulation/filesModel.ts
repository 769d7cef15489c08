import {
  bytesOf,
  dueToWrite,
  found,
  payToWrite,
  rentDay,
  type Outcome,
  type State,
} from './model.ts';

/** A model of files from the interface and choices files.* and memory.* alone, and of the store. */
export interface File {
  readonly owner: string;
  readonly key: string;
  readonly content: Content;
}

export interface Content {
  readonly sha256: string;
  readonly bytes: number;
}

export interface Files {
  /** By owner and key. */
  readonly files: Map<string, File>;
  /** When a content was last the content of a file, or sent, by its hash. */
  readonly lastUse: Map<string, number>;
  /** When a content was last replaced, by its hash. */
  readonly loose: Map<string, number>;
}

const QUOTA = 200 * 2 ** 20;
const HOUR_MS = 3_600_000;

const megabytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20);
const nameOf = (owner: string, key: string): string => `${owner} ${key}`;

export interface Stored {
  readonly replaced: boolean;
  readonly bytesLeft: number;
  readonly price: number;
}

export function put(
  state: State,
  { files, lastUse, loose }: Files,
  { owner, key, content }: File,
  now: number,
): Outcome<Stored> {
  lastUse.set(content.sha256, now);
  const today = rentDay(now);
  const due = dueToWrite(state, owner, today);
  if (due === undefined) return { refused: 'memory-read-only' };
  const former = files.get(nameOf(owner, key))?.content;
  const after = (state.fileBytes.get(owner) ?? 0) - (former?.bytes ?? 0) + content.bytes;
  if (after > QUOTA) return { refused: 'storage-full' };
  const account = found(state.accounts, owner);
  const price = 100 + 20 * megabytes(content.bytes);
  if (account.money < due + price) return { refused: 'insufficient-funds' };
  payToWrite(account, due + price, today);
  // The day on which storing begins is free.
  if (bytesOf(state, owner) === 0) account.settledDay = today;
  if (former !== undefined) {
    lastUse.set(former.sha256, now);
    loose.set(former.sha256, now);
  }
  files.set(nameOf(owner, key), { owner, key, content });
  state.fileBytes.set(owner, after);
  return { replaced: former !== undefined, bytesLeft: QUOTA - after, price };
}

export function get(
  state: State,
  { files }: Files,
  { reader, owner, key }: { readonly reader: string; readonly owner: string; readonly key: string },
): Outcome<{ readonly content: Content; readonly price: number }> {
  if (reader !== owner) return { refused: 'wrong-owner' };
  const file = files.get(nameOf(owner, key));
  if (file === undefined) return { refused: 'not-found' };
  const account = found(state.accounts, owner);
  const price = 10 + 10 * megabytes(file.content.bytes);
  if (account.money < price) return { refused: 'insufficient-funds' };
  account.money -= price;
  return { content: file.content, price };
}

/** Returns the faults of a store after a sweep, from how many objects it has of each content. */
export function wrongInStore(
  { files, lastUse, loose }: Files,
  objects: ReadonlyMap<string, number>,
  now: number,
): readonly string[] {
  const inUse = new Set([...files.values()].map(({ content }) => content.sha256));
  const isRecent = (at = 0): boolean => now - at <= HOUR_MS;
  const wanted = [...inUse, ...[...loose].flatMap(([sha256, at]) => (isRecent(at) ? sha256 : []))];
  return [
    ...wanted.filter((sha256) => !objects.has(sha256)).map((sha256) => `lost ${sha256}`),
    ...[...objects].flatMap(([sha256, count]) => [
      ...(count > 1 ? [`${count} times ${sha256}`] : []),
      ...(inUse.has(sha256) || isRecent(lastUse.get(sha256)) ? [] : [`kept ${sha256}`]),
    ]),
  ];
}

export function filesOf({ files }: Files, owner: string): readonly File[] {
  return [...files.values()].filter((file) => file.owner === owner);
}
