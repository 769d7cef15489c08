/** A model of memory from the interface and choices memory.* alone, without code of the hub. */
export interface Note {
  readonly id: string;
  readonly author: string;
  readonly key: string | undefined;
  readonly content: string;
  /** Which of the vectors of the run; undefined is a note without one. */
  readonly vector: number | undefined;
  /** A later change of the space has a greater one. */
  readonly changed: number;
}

export interface Space {
  readonly id: string;
  readonly owner: string;
  readonly kind: 'private' | 'shared';
  /** By note id. */
  readonly notes: Map<string, Note>;
  /** Whether each account that may read may write, too. */
  readonly grants: Map<string, boolean>;
}

export interface Account {
  money: number;
  /** The last rent day that owes nothing any more. */
  settledDay: number;
  paidDay: number;
  readOnly: boolean;
}

const PRICES = { note: 200, search: 500, megabyteDay: 50 };
const MEGABYTE = 2 ** 20;
const VECTOR_BYTES = 4 * 768;
const DAY_MS = 86_400_000;
const MINUTES_5_MS = 300_000;
const MISSED_MAX = 3;

export type Refusal =
  | 'not-granted'
  | 'memory-read-only'
  | 'insufficient-funds'
  | 'wrong-mode'
  | 'self-dealing'
  | 'wrong-owner'
  | 'not-found'
  | 'storage-full';
export type Outcome<T> = { readonly refused: Refusal } | ({ readonly refused?: never } & T);

export interface State {
  readonly accounts: Map<string, Account>;
  readonly spaces: Map<string, Space>;
  /** Bytes of the files of each account. */
  readonly fileBytes: Map<string, number>;
  changes: number;
}

export const rentDay = (now: number): number => Math.floor((now - MINUTES_5_MS) / DAY_MS);

export function weight({ content, key, vector }: Omit<Note, 'id' | 'author' | 'changed'>): number {
  return content.length + (key?.length ?? 0) + (vector === undefined ? 0 : VECTOR_BYTES);
}

export function noteBytesOf(state: State, owner: string): number {
  let sum = 0;
  for (const space of state.spaces.values()) {
    if (space.owner !== owner) continue;
    for (const note of space.notes.values()) sum += weight(note);
  }
  return sum;
}

export function bytesOf(state: State, owner: string): number {
  return noteBytesOf(state, owner) + (state.fileBytes.get(owner) ?? 0);
}

export function writtenBy(state: State, author: string): number {
  const all = [...state.spaces.values()].flatMap(({ notes }) => [...notes.values()]);
  return all.filter((note) => note.author === author).length;
}

export function rentOf(bytes: number): number {
  return PRICES.megabyteDay * Math.ceil(bytes / MEGABYTE);
}

export function mayRead({ owner, grants }: Space, who: string): boolean {
  return owner === who || grants.has(who);
}

export interface Writing {
  readonly author: string;
  readonly space: string;
  readonly content: string;
  readonly key: string | undefined;
  readonly vector: number | undefined;
}

/** `id` is what the hub called a note that is new; the model cannot know it before. */
export function write(
  state: State,
  { author, space: id, content, key, vector }: Writing,
  { now, newId }: { readonly now: number; readonly newId: string },
): Outcome<{ readonly is: 'added' | 'overwritten' | 'duplicate'; readonly note: Note }> {
  const space = found(state.spaces, id);
  if (space.owner !== author && space.grants.get(author) !== true)
    return { refused: 'not-granted' };
  const [owner, writer] = [found(state.accounts, space.owner), found(state.accounts, author)];
  if (space.owner !== author && owner.readOnly) return { refused: 'memory-read-only' };
  const today = rentDay(now);
  const due = dueToWrite(state, author, today);
  if (due === undefined) return { refused: 'memory-read-only' };
  const text = { content, key, vector };
  const all = [...space.notes.values()];
  const twin = all.find((note) => isSame(note, text));
  const price = twin === undefined ? PRICES.note : 0;
  if (writer.money - due < price) return { refused: 'insufficient-funds' };
  payToWrite(writer, due + price, today);
  if (twin !== undefined) return { is: 'duplicate', note: twin };
  // The day on which storing begins is free.
  if (bytesOf(state, space.owner) === 0) owner.settledDay = today;
  state.changes += 1;
  const former = key === undefined ? undefined : all.find((note) => note.key === key);
  const note = { id: former?.id ?? newId, author, ...text, changed: state.changes };
  space.notes.set(note.id, note);
  return { is: former === undefined ? 'added' : 'overwritten', note };
}

/** Returns the amount that lifts an account from read-only; undefined when it cannot pay that. */
export function dueToWrite(state: State, name: string, today: number): number | undefined {
  const { readOnly, paidDay, money } = found(state.accounts, name);
  const due = readOnly && paidDay < today ? rentOf(bytesOf(state, name)) : 0;
  return money < due ? undefined : due;
}

export function payToWrite(account: Account, amount: number, today: number): void {
  if (account.readOnly) {
    account.readOnly = false;
    account.settledDay = Math.max(account.settledDay, today);
    account.paidDay = Math.max(account.paidDay, today);
  }
  account.money -= amount;
}

function isSame(a: Pick<Writing, 'content' | 'key' | 'vector'>, b: typeof a): boolean {
  return a.content === b.content && a.key === b.key && a.vector === b.vector;
}

export interface Searching {
  readonly reader: string;
  readonly space: string;
  readonly limit: number;
  readonly by: { readonly text: string } | { readonly vector: number };
}

/**
 * Returns the answer to a search: by vector the ids in their one order, by text all matches, of
 * which the first `limit` are answered. `distance` is between two vectors of the run. A search that
 * finds nothing costs nothing.
 */
export function search(
  state: State,
  { reader, space: id, limit, by }: Searching,
  distance: (a: number, b: number) => number,
): Outcome<{ readonly ids: readonly string[] }> {
  const space = found(state.spaces, id);
  if (!mayRead(space, reader)) return { refused: 'not-granted' };
  const account = found(state.accounts, reader);
  if (account.money < PRICES.search) return { refused: 'insufficient-funds' };
  const all = [...space.notes.values()].sort((a, b) => b.changed - a.changed);
  const ids =
    'text' in by
      ? matching(all, by.text).map((note) => note.id)
      : nearest(all, (vector) => distance(vector, by.vector)).slice(0, limit);
  if (ids.length > 0) account.money -= PRICES.search;
  return { ids };
}

function nearest(notes: readonly Note[], far: (vector: number) => number): readonly string[] {
  const near = notes.flatMap(({ id, vector }) =>
    vector === undefined ? [] : [{ id, far: far(vector) }],
  );
  return near.sort((a, b) => a.far - b.far).map(({ id }) => id);
}

/** Notes with any of the words; a word that no note has is a beginning (three letters or last). */
function matching(notes: readonly Note[], text: string): readonly Note[] {
  const asked = text.split(' ');
  const looked = asked.map((word, n) => {
    const isKnown = notes.some(({ content }) => content.split(' ').includes(word));
    const mayBegin = word.length >= 3 || n === asked.length - 1;
    return (each: string) => each === word || (!isKnown && mayBegin && each.startsWith(word));
  });
  return notes.filter(({ content }) =>
    content.split(' ').some((word) => looked.some((isMeant) => isMeant(word))),
  );
}

export function grant(
  state: State,
  { by, space: id, to, right }: Granting,
): Outcome<{ readonly grants: number }> {
  const space = found(state.spaces, id);
  if (space.owner !== by) return { refused: 'not-granted' };
  if (space.kind === 'private') return { refused: 'wrong-mode' };
  if (to === by) return { refused: 'self-dealing' };
  if (right === 'none') space.grants.delete(to);
  else space.grants.set(to, right === 'write');
  return { grants: space.grants.size };
}

export interface Granting {
  readonly by: string;
  readonly space: string;
  readonly to: string;
  readonly right: 'read' | 'write' | 'none';
}

/** The job of the day; days that the hub was away for are charged as far as three back. */
export function chargeRents(state: State, now: number): void {
  const today = rentDay(now);
  for (const [name, account] of state.accounts) {
    const rent = rentOf(bytesOf(state, name));
    if (rent === 0 || account.settledDay >= today) continue;
    const missed = Math.min(today - account.settledDay - 1, MISSED_MAX);
    const days = account.readOnly ? 0 : missed;
    account.settledDay = today;
    const isPaid = account.paidDay >= today || account.money >= rent;
    account.readOnly = !isPaid;
    if (!isPaid) continue;
    if (account.paidDay < today) account.money -= rent;
    const already = account.paidDay;
    account.paidDay = Math.max(account.paidDay, today);
    for (let back = 1; back <= days && account.money >= rent; back += 1) {
      if (today - back > already) account.money -= rent;
    }
  }
}

export function found<T>(all: ReadonlyMap<string, T>, name: string): T {
  const one = all.get(name);
  if (one === undefined) throw new Error(`the model has no ${name}`);
  return one;
}
