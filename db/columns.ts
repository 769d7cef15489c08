import { parseAccount, type Account } from '../domain/account.ts';
import { instant, type Instant } from '../domain/instant.ts';
import { atomic, type Atomic } from '../domain/money.ts';
import type { Row } from './connection.ts';

/**
 * Columns as exact domain values: numbers are at most 2^53 - 1 (CHECK), sums are cast to text. A
 * value of the wrong kind is a bug or a damaged file, and throws.
 */
export function text(row: Row, name: string): string {
  return textOf(row[name], name);
}

export function textOf(value: unknown, name: string): string {
  if (typeof value !== 'string') throw wrong(name, value);
  return value;
}

export function textOrNull(row: Row, name: string): string | null {
  return row[name] === null ? null : text(row, name);
}

export function whole(row: Row, name: string): number {
  return wholeOf(row[name], name);
}

export function wholeOf(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw wrong(name, value);
  return value;
}

export function wholeOrNull(row: Row, name: string): number | null {
  return row[name] === null ? null : whole(row, name);
}

export function flag(row: Row, name: string): boolean {
  return whole(row, name) === 1;
}

/** A signed amount: a column, or a sum cast to text. */
export function signed(row: Row, name: string): bigint {
  const value = row[name];
  if (typeof value === 'string' && /^-?\d{1,30}$/.test(value)) return BigInt(value);
  return BigInt(whole(row, name));
}

export function amount(row: Row, name: string): Atomic {
  return atomic(signed(row, name));
}

export function amountOrNull(row: Row, name: string): Atomic | null {
  return row[name] === null ? null : amount(row, name);
}

export function time(row: Row, name: string): Instant {
  return instant(whole(row, name));
}

export function timeOrNull(row: Row, name: string): Instant | null {
  return row[name] === null ? null : time(row, name);
}

const STORED_KEY_ACCOUNT = /^key:[1-9A-HJ-NP-Za-km-z]{32,44}$/;

export function account(row: Row, name: string): Account {
  return accountOf(row[name], name);
}

/** Decoding 32 bytes of base58 costs 15 microseconds; a stored name was decoded when it came in. */
export function accountOf(value: unknown, name: string): Account {
  const stored = textOf(value, name);
  if (STORED_KEY_ACCOUNT.test(stored)) return stored as Account;
  return parseAccount(stored) ?? fail(name, value);
}

export function json(row: Row, name: string): unknown {
  return JSON.parse(text(row, name));
}

export function one<T>(rows: readonly T[]): T | undefined {
  return rows[0];
}

function fail(name: string, value: unknown): never {
  throw wrong(name, value);
}

export function wrong(name: string, value: unknown): Error {
  return new Error(`column ${name} holds ${typeof value} ${String(value).slice(0, 40)}`);
}
