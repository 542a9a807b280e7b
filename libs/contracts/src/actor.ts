/** Who decided or changed something: derived on the server from the authenticated request, never from a client's word. */
export interface Actor {
  readonly id: string;
}
