/** The owner of work that waits for a turn of the event loop. The zones take turns, and so do the clients of a zone. */
export interface TurnTaker {
  /** Empty when the request belongs to no zone. */
  readonly zoneId: string
  /** As `countedClient` returns it. */
  readonly client: string
}
