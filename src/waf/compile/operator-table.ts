import type { PackReader } from '../../kit/packing.ts'
import type { OperatorCall } from '../../seclang/ast.ts'
import { type Operator, operators } from '../operators/index.ts'
import type { CompileOptions } from '../types.ts'
import type { Problems } from './problems.ts'

/** The operators of a program. Equal calls share one. */
export class OperatorTable {
  /** By name and parameter. Where data was read, also by source, because names of files are relative to it. */
  readonly made = new Map<string, Operator>()
  readonly #problems: Problems
  readonly #readData: CompileOptions['readData']
  readonly #packed: ReadonlyMap<string, PackReader>

  /** @param packed data that operators have packed, by their key in `made` */
  constructor(
    problems: Problems,
    readData: CompileOptions['readData'],
    packed: ReadonlyMap<string, PackReader> = new Map(),
  ) {
    this.#problems = problems
    this.#readData = readData
    this.#packed = packed
  }

  /** Undefined for a wrong call, which is reported. */
  of(call: OperatorCall): Operator | undefined {
    const { name, parameter, span } = call
    const anywhere = `${name} ${parameter}`
    const here = `${anywhere}\0${span.source}`
    const known = this.made.get(anywhere) ?? this.made.get(here)
    if (known !== undefined) return known
    const factory = operators.get(name)
    if (factory === undefined) {
      this.#problems.add('unsupported-operator', span, `the operator @${name} is not supported here`)
      return undefined
    }
    let readsData = false
    const outcome = factory(parameter, {
      readData: file => {
        readsData = true
        return this.#readData(file, span.source)
      },
      packed: this.#packed.get(anywhere) ?? this.#packed.get(here),
    })
    if (outcome.ok) this.made.set(readsData || this.#packed.has(here) ? here : anywhere, outcome.operator)
    else this.#problems.add('invalid-operator', span, `@${name}: ${outcome.message}`)
    return outcome.ok ? outcome.operator : undefined
  }
}
