/** The verifier of a hub's signed objects alone: the smallest entry of the package. */
export { webCrypto } from './verify/crypto.ts';
export type { VerifyCrypto } from './verify/crypto.ts';
export { createVerifier, verify } from './verify/verifier.ts';
export type { Verifier } from './verify/verifier.ts';
export type { Facts, Reason, Refused } from './verify/verdict.ts';
export { verifyHands } from './verify/poker.ts';
export type { PokerFault, PokerHand, PokerVerdict } from './verify/poker.ts';
export { receiptsIn } from '../../domain/log/receipts.ts';
export { checkReceipt, isReceiptFile } from './verify/receipt.ts';
export type { ReceiptFile, ReceiptVerdict } from './verify/receipt.ts';
