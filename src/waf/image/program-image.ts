import { type PackReader, PackWriter } from '../../kit/packing.ts'
import { packMatcher } from '../../regex/index.ts'
import { packGateTables, unpackGateTables } from '../gate/gate-tables.ts'
import type { GateFacts } from '../gate/gated-rule.ts'
import {
  buildProgram,
  type CostlyParts,
  type ProgramSource,
  type RunOptions,
} from '../program/build-program.ts'
import type { CompiledRule } from '../program/compiled.ts'
import type { GateSource } from '../program/gate-source.ts'
import { OperatorTable } from '../program/operator-table.ts'
import { Patterns } from '../program/patterns.ts'
import { Problems } from '../program/problems.ts'
import type { CompiledProgram } from '../program/program.ts'
import type { Program } from '../types.ts'
import { isImage, openImage, sealImage } from './image.ts'
import { packDrafts, unpackDrafts } from './packed-drafts.ts'

/**
 * Everything of a program that is costly to make, in memory that threads can share: its rules as they are before they are
 * compiled, the automata of its patterns, its dictionaries, and the tables of its gates.
 * @param source what the program was built from
 */
export function imageOf(
  program: CompiledProgram,
  source: ProgramSource,
  { operators, patterns }: Pick<CostlyParts, 'operators' | 'patterns'>,
): SharedArrayBuffer {
  const pack = new PackWriter()
  const { settings, passive, drafts } = source
  pack.text(JSON.stringify(settings))
  pack.text(JSON.stringify([...settings.responseBodyMimeTypes]))
  pack.text(JSON.stringify(passive))
  packDrafts(drafts, pack)
  packEach(operators.made, operator => operator.pack, pack)
  packEach(patterns.made, matcher => own => packMatcher(matcher, own), pack)
  packMarks(program.ordered, pack)
  packGates(program, pack)
  return sealImage(pack)
}

export interface LoadOptions extends RunOptions {
  /** `isImage` was asked of it in this process: it is not looked through again. */
  readonly isChecked?: boolean
}

/**
 * The program of an image, as `compile` made it. It goes on using the image, which is never written to.
 * @returns undefined for what is no image of this version of the engine, or a damaged one: then compile
 */
export function loadProgram(image: ArrayBufferLike, options: LoadOptions = {}): Program | undefined {
  if (options.isChecked !== true && !isImage(image)) return undefined
  const pack = openImage(image)
  if (pack === undefined) return undefined
  const source = unpackSource(pack)
  const problems = new Problems()
  const operators = new OperatorTable(problems, noData, unpackEach(pack))
  const patterns = new Patterns(problems, unpackEach(pack))
  const mark = unpackMarks(pack)
  const gates = new PackedGates(pack)
  const parts = { operators, patterns, mark, gateSource: () => gates }
  const program = buildProgram(source, parts, problems, options)
  return problems.diagnostics.length === 0 ? program : undefined
}

function unpackSource(pack: PackReader): ProgramSource {
  const settings = JSON.parse(pack.text())
  const responseBodyMimeTypes = new Set<string>(JSON.parse(pack.text()))
  const passive = JSON.parse(pack.text())
  return { settings: { ...settings, responseBodyMimeTypes }, passive, drafts: unpackDrafts(pack) }
}

/** What operators have read from data files they have packed. */
function noData(): undefined {
  return undefined
}

type Pack = (pack: PackWriter) => void

/** Blocks by key, of those that have something to pack. */
function packEach<T>(
  things: ReadonlyMap<string, T>,
  packOf: (thing: T) => Pack | undefined,
  pack: PackWriter,
): void {
  const packing = [...things].filter(([, thing]) => packOf(thing) !== undefined)
  pack.number(packing.length)
  for (const [key, thing] of packing) {
    const own = new PackWriter()
    packOf(thing)!(own)
    pack.text(key)
    pack.block(own)
  }
}

function unpackEach(pack: PackReader): ReadonlyMap<string, PackReader> {
  const packed = new Map<string, PackReader>()
  for (let left = pack.number(); left > 0; left--) packed.set(pack.text(), pack.block())
  return packed
}

/** A byte for each rule, 1 when it is foldable, and after it one for each of its links, 1 when it disturbs. */
function packMarks(rules: readonly CompiledRule[], pack: PackWriter): void {
  pack.bytes(
    Uint8Array.from(
      rules.flatMap(({ foldable, links }) => [foldable, ...links.map(link => link.disturbs)]),
      Number,
    ),
  )
}

function unpackMarks(pack: PackReader): CostlyParts['mark'] {
  const marks = pack.bytes()
  return rules => {
    let at = 0
    for (const rule of rules) {
      rule.foldable = marks[at++] === 1
      for (const link of rule.links) link.disturbs = marks[at++] === 1
    }
  }
}

function packGates({ gated, gateTables }: CompiledProgram, pack: PackWriter): void {
  pack.number(gated.length)
  for (const { index, literalLists, lengthMin, masks } of gated) {
    pack.number(index)
    pack.number(literalLists)
    pack.number(lengthMin)
    pack.numbers(masks)
  }
  for (const side of sides) packGateTables(gateTables(side), pack)
}

const sides = ['request', 'response'] as const

class PackedGates implements GateSource {
  /** By index. */
  readonly #facts = new Map<number, GateFacts>()
  readonly tables: GateSource['tables']

  constructor(pack: PackReader) {
    for (let left = pack.number(); left > 0; left--) {
      const index = pack.number()
      const facts = { literalLists: pack.number(), lengthMin: pack.number(), masks: pack.numbers() }
      this.#facts.set(index, facts)
    }
    const tables = { request: unpackGateTables(pack), response: unpackGateTables(pack) }
    this.tables = side => tables[side]
  }

  facts: GateSource['facts'] = ({ info }) => this.#facts.get(info.index)!
}
