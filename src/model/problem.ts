/** The reason why the API refuses a request: the error entry of the envelope, and its HTTP status. */
export interface Problem {
  readonly status: 400 | 401 | 403 | 404 | 405 | 412 | 413 | 429
  /** The API's code; the catalogue is docs/reference/api.md. */
  readonly code: number
  readonly message: string
  /** JSON pointer into the request body. */
  readonly pointer?: string
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem }
