import { addressingPhrases } from '../injection/detect.ts';
import type { InjectionSignal, SignalKind } from './listing.ts';
import { cut } from '../text.ts';

/**
 * Phrases in published texts that address the agent who reads them (interface, provenance;
 * threats.injection, choices registry.signals). They are measured and left in place. A known phrase
 * is a signal and its absence is no proof: the router leaves listings with signals out of its own
 * choice, lists rank them below their equals, and no listing is refused for one.
 */
export interface PublishedText {
  /** Where it stands, such as `skills/3/description`. */
  readonly path: string;
  /** As it was published, before anything was stripped. */
  readonly text: string;
}

const SIGNALS_MAX = 100;
const PHRASE_LENGTH_MAX = 300;
/** Letters that are read of one text; phrases that matter to a model stand where it reads. */
const READ_MAX = 20_000;

/** The phrases in order of the texts, one of each kind a text. */
export function injectionSignals(texts: readonly PublishedText[]): readonly InjectionSignal[] {
  const found: InjectionSignal[] = [];
  for (const { path, text } of texts) {
    if (found.length >= SIGNALS_MAX) break;
    found.push(...signalsIn(path, text.slice(0, READ_MAX)));
  }
  return found.slice(0, SIGNALS_MAX);
}

function signalsIn(path: string, text: string): readonly InjectionSignal[] {
  const kinds = new Map<SignalKind, string>();
  for (const { kind, text: phrase } of addressingPhrases(text)) {
    if (!kinds.has(kind)) kinds.set(kind, phrase);
  }
  return [...kinds].map(([kind, phrase]) => ({
    path: cut(visible(path), 300),
    kind,
    text: cut(kind === 'hidden-text' ? HIDDEN : visible(phrase), PHRASE_LENGTH_MAX),
  }));
}

const HIDDEN = 'characters that no reader sees';

function visible(phrase: string): string {
  return phrase
    .replace(/\s+/gu, ' ')
    .replace(/[\p{C}]/gu, '')
    .normalize('NFC')
    .trim();
}
