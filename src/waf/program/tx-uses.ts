import type { Matcher } from '../../regex/index.ts'
import { literalOf, macrosOf, type Template } from '../operators/index.ts'
import type { CompiledLink, CompiledRule } from './compiled.ts'

/** The variables of TX that the rules of a program may read or change, by any means. */
export class TxUses {
  /** Names in lower case, with their users. */
  readonly #names = new Map<string, User[]>([[limitsExceeded, [engine]]])
  /** Beginnings of names that are known only in a request. */
  readonly #prefixes: { readonly prefix: string; readonly user: User }[] = []
  readonly #patterns: { readonly pattern: Matcher; readonly user: User }[] = []
  /** Users of any variable. */
  readonly #ofAll: User[] = []

  /** @param rules all rules of the program */
  constructor(rules: readonly CompiledRule[]) {
    for (const rule of rules) {
      const { index } = rule.info
      this.#addMacros([rule.message, rule.data.template], index)
      if (rule.verdict.kind !== 'pass' && rule.verdict.kind !== 'allow')
        this.#addMacros([rule.verdict.location ?? []], index)
      for (const link of rule.links) this.#addLink(link, index)
    }
  }

  /**
   * Whether a variable with that name, in lower case, may be used.
   * @param except links whose targets and effects do not count; their macros do
   */
  has(name: string, except: readonly CompiledLink[]): boolean {
    return this.#usersOf(name, except).length > 0
  }

  /** Indexes of the rules that may use it; -1 for the engine. */
  rulesFor(name: string, except: readonly CompiledLink[]): readonly number[] {
    return [...new Set(this.#usersOf(name, except).map(({ rule }) => rule))]
  }

  #usersOf(name: string, except: readonly CompiledLink[]): User[] {
    const users = [
      ...this.#ofAll,
      ...(this.#names.get(name) ?? []),
      ...this.#prefixes.filter(({ prefix }) => name.startsWith(prefix)).map(({ user }) => user),
      ...this.#patterns.filter(({ pattern }) => pattern.test(name)).map(({ user }) => user),
    ]
    return users.filter(({ link }) => link === undefined || !except.includes(link))
  }

  #addLink(link: CompiledLink, rule: number): void {
    const user = { rule, link }
    for (const { variable, key, pattern } of link.targets) {
      if (variable.name !== 'TX') continue
      if (key !== undefined) this.#addName(key, user)
      else if (pattern !== undefined) this.#patterns.push({ pattern, user })
      else this.#ofAll.push({ rule, link: undefined })
    }
    this.#addMacros([link.operator?.macros ?? [], link.data ?? []], rule)
    for (const { macros, sets } of link.effects) {
      this.#addMacros([macros], rule)
      if (sets !== undefined) this.#addSet(sets.name, user)
    }
  }

  #addMacros(templates: readonly Template[], rule: number): void {
    const user = { rule, link: undefined }
    for (const { collection, key } of templates.flatMap(macrosOf)) {
      if (collection !== 'TX') continue
      if (key !== undefined) this.#addName(key, user)
      else this.#ofAll.push(user)
    }
  }

  #addSet(name: Template, user: User): void {
    const literal = literalOf(name)
    if (literal !== undefined) this.#addName(literal, user)
    else this.#prefixes.push({ prefix: typeof name[0] === 'string' ? name[0] : '', user })
  }

  #addName(name: string, user: User): void {
    const users = this.#names.get(name)
    if (users === undefined) this.#names.set(name, [user])
    else users.push(user)
  }
}

interface User {
  /** Index of the rule; -1 for the engine. */
  readonly rule: number
  /** A link by its targets or effects; undefined for a macro, or for all of TX. */
  readonly link: CompiledLink | undefined
}

const engine: User = { rule: -1, link: undefined }

/** MSC_PCRE_LIMITS_EXCEEDED shows it. */
const limitsExceeded = 'msc_pcre_limits_exceeded'
