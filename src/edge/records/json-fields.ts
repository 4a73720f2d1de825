/**
 * Receives the fields of a record in order. Fields with the empty value of their type are left out, because every reader
 * treats a missing field as empty.
 * @param key the text before the value: `,"ClientIP":`, complete in the source so that no request has to build it
 */
export interface FieldWriter {
  text(key: string, value: string): void
  /** The edge's own ASCII text, without quotes, backslashes and control characters. */
  word(key: string, value: string): void
  number(key: string, value: number): void
  /** An array, or an object. */
  structure(key: string, value: object): void
  /** Any value that is JSON already, and not empty. */
  json(key: string, value: string): void
}

/**
 * Builds the JSON text of a record. An object with fifty members that is then serialised costs half as much again:
 * `docs/reference/performance.md`.
 */
export class JsonFields implements FieldWriter {
  #json: string

  /** @param beginning an object up to its last member */
  constructor(beginning: string) {
    this.#json = beginning
  }

  text(key: string, value: string): void {
    if (value !== '') this.#json += key + JSON.stringify(value)
  }

  word(key: string, value: string): void {
    if (value !== '') this.#json += `${key}"${value}"`
  }

  number(key: string, value: number): void {
    // JSON has no others.
    if (value !== 0 && Number.isFinite(value)) this.#json += key + value
  }

  structure(key: string, value: object): void {
    if (hasMembers(value)) this.#json += key + JSON.stringify(value)
  }

  json(key: string, value: string): void {
    this.#json += key + value
  }

  /** @param end closes the object and its parents */
  ended(end: string): string {
    return this.#json + end
  }
}

function hasMembers(value: object): boolean {
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0
}
