/**
 * Exact search by embedding, k = 20, one write after every four searches. The hub reads its
 * database and searches in its worker; the plain loop and usearch hold everything in an array on
 * the event loop; sqlite-vec searches a file in the threads of its driver. Rounds are interleaved.
 */
export interface SearchPeer {
  search(query: Float32Array): Promise<readonly number[]>;
  write(no: number, vector: Float32Array): Promise<void>;
  close(): Promise<void>;
}
