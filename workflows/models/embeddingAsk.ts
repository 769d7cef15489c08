import { defined } from '../../domain/defined.ts';
import {
  PACKED_VALUES_MAX,
  PLAIN_VALUES_MAX,
  type EmbeddingInput,
} from '../../domain/models/embedding.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';

export interface WantedVectors {
  readonly model: string;
  readonly inputs: readonly EmbeddingInput[];
  readonly dimensions?: number;
  readonly isPacked: boolean;
}

const INPUTS_MAX = 2_048;

/** The vectors that are asked for, in an answer that the hub can write without holding others up. */
export function embeddingAsk(hub: Hub, { model, inputs, dimensions, isPacked }: WantedVectors) {
  const most = isPacked ? PACKED_VALUES_MAX : PLAIN_VALUES_MAX;
  const each = dimensions ?? hub.models.offer(model)?.embeds?.dimensions ?? 1;
  const countMax = Math.min(INPUTS_MAX, Math.floor(most / each));
  if (inputs.length > countMax) {
    const packed = isPacked ? '' : ' `encoding_format: base64` takes 24 times as many numbers.';
    return refuse('bad-request', {
      error: `body.input has ${inputs.length} texts; one answer has room for ${countMax} vectors of ${each} numbers.`,
      hint: `Send the texts in several calls.${packed}`,
      field: 'body.input',
    });
  }
  return { inputs, ...defined({ dimensions }) };
}
