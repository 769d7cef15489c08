import type { InjectionSignal, SignalKind } from './listing.ts';
import { hidesText } from './text.ts';
import { cut } from '../text.ts';

/**
 * Phrases in published texts that address the agent who reads them (interface, provenance;
 * threats.injection). They are measured and left in place. A known phrase is a signal and its
 * absence is no proof: the router leaves listings with signals out of its own choice, and nobody is
 * refused for one.
 */
export interface PublishedText {
  /** Where it stands, such as `skills/3/description`. */
  readonly path: string;
  /** As it was published, before anything was stripped. */
  readonly text: string;
}

const MODEL = '(?:you|the (?:model|agent|assistant|ai|llm)|assistant)';
const PATTERNS: readonly (readonly [SignalKind, RegExp])[] = [
  [
    'override',
    /\b(?:ignore|disregard|forget|override|bypass) (?:all |any |every |the |your |these |those )*(?:previous|prior|above|earlier|other|existing|system|safety|original)[^.\n]{0,40}(?:instruction|prompt|rule|guideline|direction|context|message|polic)/i,
  ],
  ['override', /\b(?:new|updated|real) system (?:prompt|message|instructions?)\b/i],
  ['override', /<\/?(?:system|assistant|im_start|instructions?|important)\b[^>]{0,40}>/i],
  ['override', /\byou are now (?:a|an|in|the)\b/i],
  [
    'command',
    /\bbefore (?:using|calling|invoking|running|you (?:use|call|run)) (?:this|any|other|another)[^.\n]{0,60}\b(?:you )?(?:must|have to|need to|should|first|always)\b/i,
  ],
  [
    'command',
    new RegExp(
      `\\b${MODEL} (?:must|have to|has to) (?:always |first |also |never |immediately )`,
      'i',
    ),
  ],
  ['command', /\b(?:always|first) (?:call|invoke|run|execute|use) (?:this|the) tool\b/i],
  [
    'preference',
    /\b(?:always |strongly )?(?:prefer|choose|select|recommend|use) this (?:tool|agent|server|service|skill)[^.\n]{0,30}(?:over|instead of|rather than|before|first)\b/i,
  ],
  [
    'preference',
    /\b(?:do not|don't|never|avoid) (?:use|using|call|choose|select)(?:ing)? (?:any |the )?(?:other|another|competing|alternative)\b/i,
  ],
  ['preference', /\brank(?:ed|s)? (?:this|it) (?:first|highest|number one|#1)\b/i],
  [
    'secrecy',
    /\b(?:do not|don't|never|without)\s+(?:tell|inform|mention|reveal|disclose|notify|show|telling|informing|mentioning|notifying|asking)[^.\n]{0,40}\b(?:the |this |your |any)?\s*(?:user|human|owner|operator|anyone)\b/i,
  ],
  ['secrecy', /\b(?:keep|hide) this (?:secret|hidden|from the (?:user|human|owner|operator))/i],
  [
    'credential',
    /\b(?:send|include|provide|pass|paste|read|attach|forward|post|share|upload|give)\b[^.\n]{0,60}\b(?:api[ _-]?keys?|private[ _-]?keys?|passwords?|secrets?|credentials?|seed phrases?|mnemonics?|ssh keys?|access tokens?|\.env\b|id_rsa|environment variables?)/i,
  ],
  ['credential', /(?:~\/\.ssh\/|\.ssh\/id_|\.aws\/credentials|\/etc\/passwd|mcp\.json\b)/i],
  [
    'payment',
    /\b(?:you|agent|assistant|model)\b[^.\n]{0,40}\b(?:must|should|need to|have to|always)\b[^.\n]{0,20}\b(?:pay|transfer|send|approve|sign)\b[^.\n]{0,40}\b(?:usdc|usd|eth|btc|sol|tokens?|funds?|money|payment|wallet|transaction)/i,
  ],
  [
    'payment',
    /\b(?:transfer|send|approve) (?:all|the entire|your (?:whole|entire|remaining))[^.\n]{0,30}\b(?:balance|funds?|wallet|usdc|money)/i,
  ],
];
const SIGNALS_MAX = 100;
const PHRASE_LENGTH_MAX = 300;
/** Of one text; phrases that matter to a model stand where it reads. */
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
  const plain = text.replace(/\s+/gu, ' ');
  const kinds = new Map<SignalKind, string>();
  for (const [kind, pattern] of PATTERNS) {
    const phrase = kinds.has(kind) ? undefined : pattern.exec(plain)?.[0];
    if (phrase !== undefined) kinds.set(kind, phrase);
  }
  if (hidesText(text)) kinds.set('hidden-text', 'characters that no reader sees');
  return [...kinds].map(([kind, phrase]) => ({
    path: cut(visible(path), 300),
    kind,
    text: cut(visible(phrase), PHRASE_LENGTH_MAX),
  }));
}

function visible(phrase: string): string {
  return phrase
    .replace(/[\p{C}]/gu, '')
    .normalize('NFC')
    .trim();
}
