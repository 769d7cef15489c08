/** Bounds of one import: lines, and letters of them. */
const LINES_MAX = 100;
const LETTERS_MAX = 1_000_000;

export interface Piece {
  readonly lines: string;
  readonly count: number;
}

/** Divides an export into pieces that one import takes each; empty lines are left out. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let lines: string[] = [];
  let letters = 0;
  const cut = (): void => {
    if (lines.length > 0) pieces.push({ lines: lines.join('\n'), count: lines.length });
    [lines, letters] = [[], 0];
  };
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const size = new TextEncoder().encode(line).length + 1;
    if (lines.length === LINES_MAX || letters + size > LETTERS_MAX) cut();
    lines.push(line);
    letters += size;
  }
  cut();
  return pieces;
}

/** Whether an export came whole: its last line counts the others. */
export function isWhole(text: string): boolean {
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  try {
    return (JSON.parse(last) as { readonly line?: unknown } | null)?.line === 'end';
  } catch {
    return false;
  }
}
