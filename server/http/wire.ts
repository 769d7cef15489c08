import type { Account, KeyId } from '../../domain/account.ts';
import type { Encoded, StreamedField } from '../../workflows/kernel/call.ts';

/** Who a door found behind a request, before the operation's own rules are asked. */
export type Identity =
  | { readonly kind: 'visitor'; readonly ip: string }
  | {
      readonly kind: 'signer';
      readonly ip: string;
      readonly account: Account;
      readonly keyId: KeyId;
      /** Consumed by the last check; a request refused earlier leaves it spendable. */
      readonly nonce: string;
    }
  | {
      readonly kind: 'key-holder';
      readonly ip: string;
      readonly account: Account;
      readonly hint: string;
      readonly digest: string;
      readonly mintedBy?: KeyId;
      /** Known from an earlier request: whether it is good still is for the database to say. */
      readonly apiKeyId: string;
      readonly isRemembered: boolean;
    };

/** An operation's input as a door read it: text parameters, JSON body. */
export interface WireInput {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The body as it came, where the key of the header was put into it. */
  readonly given?: unknown;
}

/** A reply of any operation, as a door encodes it. */
export interface AnyReply {
  readonly status: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly encoded?: Encoded;
  readonly streamed?: StreamedField;
  readonly brotli?: Uint8Array;
}
