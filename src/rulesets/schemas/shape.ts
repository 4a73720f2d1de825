import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { refuse } from '../reading.ts'
import { type Fault, problemOfFaults, type ShapeOptions } from './faults.ts'

interface Validator {
  Check(value: unknown): boolean
  Errors(value: unknown): [boolean, unknown[]]
}

/** A schema that checks documents and appears in the API's description. */
export class Shape<T extends TSchema> {
  readonly schema: T
  readonly #options: ShapeOptions
  #validator: Validator | undefined

  constructor(schema: T, options: ShapeOptions = {}) {
    this.schema = schema
    this.#options = options
  }

  /**
   * The value, typed by the schema; refuses any other.
   * @param value without nulls
   * @param pointer JSON pointer in the body
   */
  read(value: unknown, pointer: string): Static<T> {
    // Compiled on first use, because an edge checks no documents.
    this.#validator ??= Compile(this.schema) as Validator
    if (this.#validator.Check(value)) return value as Static<T>
    const [, faults] = this.#validator.Errors(value)
    return refuse(problemOfFaults(faults as Fault[], { value, pointer, schema: this.schema }, this.#options))
  }
}
