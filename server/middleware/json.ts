import {
  parseJson,
  parseJsonInSteps,
  parseTextInSteps,
  type ParsedJson,
} from '../../domain/json.ts';
import { inTurns } from '../../workflows/kernel/turns.ts';

/** Parsed in one step: some tens of microseconds at most. */
const SHORT_BYTES = 4_096;

/** Parses a body, letting other requests have their turn between steps (threats.stalled-loop). */
export function readJson(bytes: Uint8Array, membersMax?: number): ParsedJson | Promise<ParsedJson> {
  if (bytes.length <= SHORT_BYTES) return parseJson(bytes, membersMax);
  return inTurns(parseJsonInSteps(bytes, membersMax));
}

export function readJsonText(text: string, membersMax?: number): Promise<ParsedJson> {
  return inTurns(parseTextInSteps(text, membersMax));
}
