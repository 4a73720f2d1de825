import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import { initial } from './001-initial.ts'

export interface Migration {
  /** From 1, without gaps; never changed once released. */
  readonly number: number
  readonly name: string
  readonly up: (db: Kysely<Schema>) => Promise<void>
}

export const migrations: readonly Migration[] = [{ number: 1, name: 'initial', up: initial }]
