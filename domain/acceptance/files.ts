import { shorten } from '../text.ts';
import { atBound, refusal } from './refusal.ts';
import type { AcceptanceRule, FileCheck, FilesRule, Refusal } from './rule.ts';

/**
 * Judges the files of a result (choices acceptance.files). Invariant: the contents of a file are
 * judged only where they are JSON of at most `FILE_CONTENTS_BYTES_MAX`, all of them together of at
 * most `ALL_CONTENTS_BYTES_MAX`.
 */
export interface JudgedFile {
  /** The part of its key behind the last slash. */
  readonly name: string;
  readonly bytes: number;
  readonly mediaType?: string;
  /** Its bytes as UTF-8; absent where no rule asks for them, or they are too many or no UTF-8. */
  readonly text?: string;
}

export const FILE_CONTENTS_BYTES_MAX = 262_144;
export const ALL_CONTENTS_BYTES_MAX = 1_048_576;

type JudgeContents = (rule: AcceptanceRule, value: unknown) => readonly Refusal[];

export function filesReasons(
  rule: FilesRule,
  files: readonly JudgedFile[],
  judge: JudgeContents,
): readonly Refusal[] {
  const { min, max, checks = [] } = rule;
  const count = String(files.length);
  return [
    ...(min !== undefined && files.length < min
      ? [refusal('/files', 'files.min', atBound('at least', min, 'file'), count)]
      : []),
    ...(max !== undefined && files.length > max
      ? [refusal('/files', 'files.max', atBound('at most', max, 'file'), count)]
      : []),
    ...checks.flatMap((check) => checkReasons(check, files, judge)),
  ];
}

function checkReasons(
  check: FileCheck,
  files: readonly JudgedFile[],
  judge: JudgeContents,
): readonly Refusal[] {
  const { name } = check;
  const found = [...files.entries()].filter(([, file]) => name === undefined || file.name === name);
  if (name !== undefined && found.length === 0) {
    const names = shorten(files.map((file) => file.name).join(', '), NAMES_CHARS_MAX);
    return [refusal('/files', 'files.name', `a file named ${name}`, names || 'no file')];
  }
  return found.flatMap(([nth, file]) => fileReasons(check, file, `/files/${nth}`, judge));
}

const NAMES_CHARS_MAX = 80;

function fileReasons(
  { mediaTypes, minBytes, maxBytes, contents }: FileCheck,
  file: JudgedFile,
  at: string,
  judge: JudgeContents,
): readonly Refusal[] {
  const { bytes, mediaType = 'none' } = file;
  const found: Refusal[] = [];
  if (mediaTypes !== undefined && !mediaTypes.includes(mediaType)) {
    found.push(refusal(at, 'files.mediaType', `one of ${mediaTypes.join(', ')}`, mediaType));
  }
  if (minBytes !== undefined && bytes < minBytes) {
    found.push(refusal(at, 'files.minBytes', atBound('at least', minBytes, 'byte'), `${bytes}`));
  }
  if (maxBytes !== undefined && bytes > maxBytes) {
    found.push(refusal(at, 'files.maxBytes', atBound('at most', maxBytes, 'byte'), `${bytes}`));
  }
  if (contents === undefined) return found;
  const parsed = parsedJson(file.text);
  if (parsed === undefined) {
    const json = `JSON of at most ${FILE_CONTENTS_BYTES_MAX} bytes`;
    return [...found, refusal(at, 'files.contents', json, `${bytes} bytes that are none`)];
  }
  const inside = judge(contents, parsed.value).map(({ path, rule, expected, got }) =>
    refusal(`${at}${path}`, rule, expected, got),
  );
  return [...found, ...inside];
}

function parsedJson(text: string | undefined): { readonly value: unknown } | undefined {
  if (text === undefined) return undefined;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The files, by place, whose contents a rule asks for. */
export function contentsAsked(
  rule: AcceptanceRule,
  files: readonly Pick<JudgedFile, 'name'>[],
): ReadonlySet<number> {
  if (rule.kind === 'all') return new Set(rule.of.flatMap((one) => [...contentsAsked(one, files)]));
  if (rule.kind !== 'files') return new Set();
  const asking = (rule.checks ?? []).filter(({ contents }) => contents !== undefined);
  return new Set(
    files.flatMap((file, nth) =>
      asking.some(({ name }) => name === undefined || name === file.name) ? [nth] : [],
    ),
  );
}
