import type { Matcher } from '../../regex/index.ts'
import { literalOf, macrosOf, type Template } from '../operators/index.ts'
import type { CompiledLink, CompiledRule } from './compiled.ts'

/** The variables of TX that the rules of a program may read or change, by any means. */
export class TxUses {
  /** Names in lower case, with their users. */
  readonly #names = new Map<string, User[]>([[limitsExceeded, ['macro']]])
  /** Beginnings of names that are known only in a request. */
  readonly #prefixes: { readonly prefix: string; readonly link: CompiledLink }[] = []
  readonly #patterns: { readonly pattern: Matcher; readonly link: CompiledLink }[] = []
  #usesAll = false

  /** @param rules all rules of the program */
  constructor(rules: readonly CompiledRule[]) {
    for (const rule of rules) {
      this.#addMacros([rule.message, rule.data.template])
      if (rule.verdict.kind !== 'pass' && rule.verdict.kind !== 'allow')
        this.#addMacros([rule.verdict.location ?? []])
      for (const link of rule.links) this.#addLink(link)
    }
  }

  /**
   * Whether a variable with that name, in lower case, may be used.
   * @param except links whose targets and effects do not count; their macros do
   */
  has(name: string, except: readonly CompiledLink[]): boolean {
    const counts = (user: User): boolean => user === 'macro' || !except.includes(user)
    return (
      this.#usesAll ||
      this.#names.get(name)?.some(counts) === true ||
      this.#prefixes.some(({ prefix, link }) => name.startsWith(prefix) && counts(link)) ||
      this.#patterns.some(({ pattern, link }) => counts(link) && pattern.test(name))
    )
  }

  #addLink(link: CompiledLink): void {
    for (const { variable, key, pattern } of link.targets) {
      if (variable.name !== 'TX') continue
      if (key !== undefined) this.#addName(key, link)
      else if (pattern !== undefined) this.#patterns.push({ pattern, link })
      else this.#usesAll = true
    }
    this.#addMacros([link.operator?.macros ?? [], link.data ?? []])
    for (const { macros, sets } of link.effects) {
      this.#addMacros([macros])
      if (sets !== undefined) this.#addSet(sets.name, link)
    }
  }

  #addMacros(templates: readonly Template[]): void {
    for (const { collection, key } of templates.flatMap(macrosOf)) {
      if (collection !== 'TX') continue
      if (key !== undefined) this.#addName(key, 'macro')
      else this.#usesAll = true
    }
  }

  #addSet(name: Template, link: CompiledLink): void {
    const literal = literalOf(name)
    if (literal !== undefined) this.#addName(literal, link)
    else this.#prefixes.push({ prefix: typeof name[0] === 'string' ? name[0] : '', link })
  }

  #addName(name: string, user: User): void {
    const users = this.#names.get(name)
    if (users === undefined) this.#names.set(name, [user])
    else users.push(user)
  }
}

/** A link by its targets or effects, or some macro. */
type User = CompiledLink | 'macro'

/** MSC_PCRE_LIMITS_EXCEEDED shows it. */
const limitsExceeded = 'msc_pcre_limits_exceeded'
