/** A stored resource. Each write increases the revision, and is refused unless it names the stored one. */
export type Revised<T> = T & { readonly revision: number }

/** The value that was read and from which the new one was made. */
export interface Basis<T> {
  readonly before: T
}
