import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { refuse } from '../reading.ts'
import { type Fault, problemOfFaults } from './faults.ts'

export interface ShapeOptions {
  /** Of refusals; by default what fits the mistake. */
  readonly code?: number
  /** Members that Cloudflare has and this edge has not, and why. */
  readonly meaningless?: Readonly<Record<string, string>>
}

interface Validator {
  Check(value: unknown): boolean
  Errors(value: unknown): [boolean, unknown[]]
}

/** A schema that checks documents and stands in the API's description. */
export class Shape<T extends TSchema> {
  readonly schema: T
  readonly #options: ShapeOptions
  #validator: Validator | undefined

  constructor(schema: T, options: ShapeOptions = {}) {
    this.schema = schema
    this.#options = options
  }

  /**
   * The value, known to have this shape; refuses any other.
   * @param value without nulls
   * @param pointer its place in the body
   */
  read(value: unknown, pointer: string): Static<T> {
    // Compiled when first needed: an edge checks no documents.
    this.#validator ??= Compile(this.schema) as Validator
    if (this.#validator.Check(value)) return value as Static<T>
    const [, faults] = this.#validator.Errors(value)
    return refuse(problemOfFaults(faults as Fault[], { value, pointer, schema: this.schema }, this.#options))
  }
}
