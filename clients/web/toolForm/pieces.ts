import { isRecord } from '../publish/conditions.ts';

/** An answer of a tool in pieces that a page can show; all of it is untrusted and bounded. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'picture'; readonly source: string | undefined }
  | {
      readonly kind: 'table';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
      readonly all: number;
    }
  | { readonly kind: 'data'; readonly value: unknown };

const PIECES_MAX = 20;
const ROWS_MAX = 50;
const COLUMNS_MAX = 8;
const CELL_LETTERS_MAX = 200;
const PICTURE_LETTERS_MAX = 3_000_000;
const PICTURES = /^image\/(?:png|jpeg|gif|webp)$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Reads the content of MCP, parts and artifacts of A2A, and any other JSON. */
export function piecesOf(result: unknown): readonly Piece[] {
  return partsIn(result).flatMap(pieceOf).slice(0, PIECES_MAX);
}

function partsIn(result: unknown): readonly unknown[] {
  if (!isRecord(result)) return [result];
  const { content, structuredContent, parts, artifacts, status } = result;
  if (structuredContent !== undefined) {
    // A tool repeats its structured content as text for old clients.
    const others = listOf(content).filter((each) => !isRecord(each) || each['type'] !== 'text');
    return [...others, structuredContent];
  }
  if (Array.isArray(content)) return content;
  if (Array.isArray(parts)) return parts;
  if (Array.isArray(artifacts)) {
    return artifacts.flatMap((each) => listOf(isRecord(each) ? each['parts'] : undefined));
  }
  const message = isRecord(status) && isRecord(status['message']) ? status['message'] : undefined;
  return message === undefined ? [result] : listOf(message['parts']);
}

function pieceOf(part: unknown): readonly Piece[] {
  if (typeof part === 'string') return textPiece(part);
  if (!isRecord(part)) return part === undefined || part === null ? [] : [dataPiece(part)];
  const { text, data, mimeType, resource } = part;
  if (typeof text === 'string' && isPart(part)) return textPiece(text);
  if (typeof data === 'string' && String(mimeType).startsWith('image/')) {
    return [{ kind: 'picture', source: pictureOf(String(mimeType), data) }];
  }
  if (isRecord(resource) && typeof resource['text'] === 'string') {
    return textPiece(resource['text']);
  }
  return [dataPiece(isPart(part) && isRecord(data) ? data : part)];
}

/** Parts of MCP have a `type`, those of A2A a `kind` or only their one member. */
function isPart(part: Readonly<Record<string, unknown>>): boolean {
  const { type, kind } = part;
  return type !== undefined || kind !== undefined || Object.keys(part).length === 1;
}

function textPiece(text: string): readonly Piece[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  if (/^[[{]/.test(trimmed)) {
    try {
      return [dataPiece(JSON.parse(trimmed))];
    } catch {
      // It only begins like JSON.
    }
  }
  return [{ kind: 'text', text }];
}

function pictureOf(type: string, data: string): string | undefined {
  const isShown = PICTURES.test(type) && data.length <= PICTURE_LETTERS_MAX && BASE64.test(data);
  return isShown ? `data:${type};base64,${data}` : undefined;
}

/** A list of flat objects is a table, and everything else a tree. */
function dataPiece(value: unknown): Piece {
  const rows = isRecord(value) && Object.keys(value).length === 1 ? Object.values(value)[0] : value;
  if (!Array.isArray(rows) || rows.length === 0 || !rows.every(isFlat)) {
    return { kind: 'data', value };
  }
  const shown = rows.slice(0, ROWS_MAX) as Readonly<Record<string, unknown>>[];
  const columns = [...new Set(shown.flatMap((row) => Object.keys(row)))].slice(0, COLUMNS_MAX);
  const cell = (row: Readonly<Record<string, unknown>>, name: string): string =>
    Object.hasOwn(row, name) ? String(row[name]).slice(0, CELL_LETTERS_MAX) : '';
  const cells = shown.map((row) => columns.map((name) => cell(row, name)));
  return { kind: 'table', columns, rows: cells, all: rows.length };
}

function isFlat(row: unknown): boolean {
  if (!isRecord(row) || Array.isArray(row)) return false;
  return Object.values(row).every((value) => typeof value !== 'object' || value === null);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
