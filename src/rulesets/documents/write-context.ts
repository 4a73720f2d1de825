import type { Problem } from '../../model/problem.ts'
import type { Ruleset, Scope } from '../../model/resource.ts'
import type { DataSources } from '../fields/http-field.ts'
import type { ListLookup } from '../plan/plan.ts'

/** A ruleset that belongs to the installation and not to a scope. */
export type ManagedRuleset = Omit<Ruleset, 'scope'>

/** Takes the reason why a part of a document is stored and not enforced, or only in part. */
export type NoteNotEnforced = (problem: Problem) => void

/** The external inputs of a document change. */
export interface WriteContext {
  /** Scope of the document. */
  readonly scope: Scope
  /** ISO 8601, UTC, microseconds and Z. */
  readonly now: string
  readonly newId: () => string
  /** A managed ruleset by id; `version` is a number in text, absent or `latest` for the newest. */
  readonly managed: (id: string, version?: string) => ManagedRuleset | undefined
  /** A ruleset of kind `custom` of the same scope, as stored. */
  readonly custom: (id: string) => Ruleset | undefined
  /** Lists of the account (of a zone: its account). Only asked for their existence. */
  readonly lists: ListLookup
  /** Whether the account has a list of redirects with this name. */
  readonly hasRedirectList: (name: string) => boolean
  /** Absent where documents with such parts are refused. */
  readonly notEnforced?: NoteNotEnforced
  /** Is told about parts that are always accepted, and have a smaller effect than at Cloudflare. */
  readonly inPart?: { readonly note: NoteNotEnforced; readonly sources: DataSources }
}
