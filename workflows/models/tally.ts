import { wordCount } from '../../domain/models/echo.ts';
import { mediaTokens } from '../../domain/models/media.ts';
import type { Offer, Provider } from '../../domain/models/offer.ts';
import { isAnswerPiece, type AnswerPiece } from '../../domain/models/piece.ts';
import { textsOf, type ToolCallPiece } from '../../domain/models/toolCalls.ts';
import type { FinishReason, ProviderRefusal, Usage } from '../../domain/models/receipt.ts';
import { settleUsage, type Claimed } from '../../domain/models/usage.ts';
import type { Hub, ModelPart } from '../kernel/hub.ts';
import type { AdmittedCall } from './admit.ts';
import type { Session } from './sessions.ts';

/** One turn of a provider and its outcome, as it is measured. */
export interface ProviderTurn {
  readonly provider: Provider;
  readonly ok: boolean;
  readonly firstTokenMs?: number;
  readonly tokensMs: number;
}

/** The state of a call under way. */
export class Tally {
  readonly admitted: AdmittedCall;
  readonly turns: ProviderTurn[] = [];
  readonly refused: ProviderRefusal[] = [];
  provider: Provider | undefined;
  firstTokenMs: number | undefined;
  lastTokenMs = 0;
  finishReason: FinishReason | undefined;
  claimed: Claimed | undefined;
  answerBytes = 0;
  readonly #toolCalls = new Set<number>();
  #uncounted: string[] = [];
  #counted = 0;

  readonly session: Session;

  constructor(admitted: AdmittedCall, session: Session) {
    this.admitted = admitted;
    this.session = session;
  }

  get hasTokens(): boolean {
    return this.firstTokenMs !== undefined;
  }

  /** Takes a piece of the answer in; `ms` is the time since the call began. */
  take(part: ModelPart, ms: number): void {
    if (part.is === 'usage') this.claimed = part.usage;
    if (part.is === 'finish') this.finishReason = part.reason;
    if (!isAnswerPiece(part)) return;
    const text = textOf(part);
    if (part.is === 'tools') for (const { index } of part.calls) this.#toolCalls.add(index);
    this.firstTokenMs ??= ms;
    this.lastTokenMs = ms;
    this.answerBytes += Buffer.byteLength(text) + bytesBeside(part);
    this.#uncounted.push(text);
  }

  /** Tokens given by now, by the hub's count. Whole texts are counted, never single pieces. */
  async count(hub: Hub): Promise<number> {
    const { counter } = this.admitted.offer;
    if (counter === 'hub-words') {
      this.#counted += this.#uncounted.reduce((sum, text) => sum + wordCount(text), 0);
      this.#uncounted = [];
      return this.#counted;
    }
    // A token may stand across two pieces, so all of the answer is counted again while it is short.
    const text = this.#uncounted.join('');
    this.#uncounted = [text];
    const tokens = await hub.models.count(counter, [text]);
    if (text.length < RECOUNTED_MAX) return this.#counted + tokens;
    this.#counted += tokens;
    this.#uncounted = [];
    return this.#counted;
  }

  /** Billed usage: of a whole answer the provider's figure, of a part the hub's count. */
  async usage(hub: Hub, isWhole: boolean): Promise<Usage> {
    const { promptTokens, promptBytes, maxTokens, offer } = this.admitted;
    const claimed = isWhole ? this.claimed : undefined;
    const counted = { input: promptTokens, output: 0 };
    const first = settleUsage(claimed, counted, {
      promptBytes: promptBytes + overhead(this.admitted),
      answerBytes: this.answerBytes,
      toolCalls: this.#toolCalls.size,
      maxTokens,
      thinks: offer.thinks,
      ownPart: this.provider === undefined ? 0 : this.session.partAt(this.provider),
    });
    if (first.source === 'provider') return first;
    const output = Math.min(await this.count(hub), maxTokens);
    return { ...first, output };
  }

  priceOf(): Offer['providers'][number]['price'] {
    const { providers } = this.admitted.offer;
    return (this.provider ?? providers[0])?.price ?? { input: 0n, output: 0n };
  }
}

const RECOUNTED_MAX = 32_768;

/** Bytes that a template may put around each message. */
const AROUND_MESSAGE = 8;

function overhead({ prompt, offer }: AdmittedCall): number {
  return prompt.messages.length * AROUND_MESSAGE + mediaTokens(prompt, offer);
}

/** Returns the text of a piece that the model wrote. */
function textOf(piece: AnswerPiece): string {
  if (piece.is === 'beside' || piece.is === 'vectors') return '';
  return piece.is === 'tools' ? toolText(piece.calls) : piece.text;
}

/** Images and audio are written by the model as well, in tokens of which no text is left. */
function bytesBeside(piece: AnswerPiece): number {
  const hasMembers = piece.is === 'beside' && piece.members !== undefined;
  return hasMembers ? Buffer.byteLength(JSON.stringify(piece.members)) : 0;
}

/** The text of tool calls as a model writes it: names and arguments. */
function toolText(calls: readonly ToolCallPiece[]): string {
  return calls
    .flatMap(textsOf)
    .filter((each) => typeof each === 'string')
    .join('');
}
