/** A member of a document for Cloudflare that promises something that Sluice does not do: writes refuse it. */
export interface Unsupported {
  readonly field: string
  /** The remedy, or the cause; a sentence without a full stop. */
  readonly reason: string
}

/** Members as clients send them. */
export type SentMembers = Readonly<Record<string, unknown>>
