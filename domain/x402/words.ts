/** x402's words for a refused payment; a facilitator's other words are handed on as they came. */
export type PaymentFault =
  | 'invalid_payload'
  | 'invalid_x402_version'
  | 'unsupported_scheme'
  | 'invalid_network'
  | 'invalid_payment_requirements'
  | 'invalid_exact_evm_payload_signature'
  | 'invalid_exact_evm_payload_recipient_mismatch'
  | 'invalid_exact_evm_payload_authorization_valid_after'
  | 'invalid_exact_evm_payload_authorization_valid_before'
  | 'invalid_exact_evm_payload_authorization_value'
  | 'invalid_exact_evm_payload_authorization_value_mismatch'
  | 'invalid_exact_evm_nonce_already_used'
  | 'invalid_payment'
  | 'insufficient_funds'
  | 'invalid_transaction_state'
  | 'payment_expired'
  | 'unexpected_verify_error'
  | 'unexpected_settle_error';

/** A payment that is not taken: the word, and a sentence that names what is wrong with it. */
export interface RefusedPayment {
  readonly fault: PaymentFault;
  readonly why: string;
}

export function refused(fault: PaymentFault, why: string): RefusedPayment {
  return { fault, why };
}
