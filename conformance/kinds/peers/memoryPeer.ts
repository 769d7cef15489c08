/**
 * Exact search by embedding, k = 20, a write after every four searches. The hub searches in its
 * worker, the plain loop and usearch on the event loop, sqlite-vec in its driver's threads.
 */
export interface SearchPeer {
  search(query: Float32Array): Promise<readonly number[]>;
  write(no: number, vector: Float32Array): Promise<void>;
  close(): Promise<void>;
}
