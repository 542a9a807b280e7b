export const SHORTEST_SECRET_BYTES = 32;

export function isLongEnough(secret: string | null): boolean {
  return secret !== null && Buffer.byteLength(secret) >= SHORTEST_SECRET_BYTES;
}
