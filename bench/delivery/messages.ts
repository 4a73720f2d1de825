export type ToProcess =
  | {
      /** File of SQLite. */
      readonly database: string
      readonly natsUrl: string
      /** Its directory; the process writes no records. */
      readonly spool: string
      readonly location: string
      readonly leaseMs: number
    }
  | 'begin'
  | 'report'

export type FromProcess =
  | { readonly kind: 'ready' }
  | { readonly kind: 'delivered'; readonly lines: number }
  /** Since `begin`. */
  | { readonly kind: 'spent'; readonly cpuMs: number; readonly lines: number }
