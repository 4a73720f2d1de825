import { type PackReader, PackWriter } from '../../kit/packing.ts'
import { packMatcher } from '../../regex/index.ts'
import {
  buildProgram,
  type CostlyParts,
  type ProgramSource,
  type RunOptions,
} from '../compile/build-program.ts'
import { OperatorTable } from '../compile/operator-table.ts'
import { Patterns } from '../compile/patterns.ts'
import { Problems } from '../compile/problems.ts'
import { packPrefilterTables, unpackPrefilterTables } from '../prefilter/prefilter-tables.ts'
import type { PrefilterFacts } from '../prefilter/prefiltered-rule.ts'
import type { CompiledRule } from '../program/compiled.ts'
import type { PrefilterSource } from '../program/prefilter-source.ts'
import type { CompiledProgram } from '../program/program.ts'
import type { Program } from '../types.ts'
import { packDrafts, unpackDrafts } from './packed-drafts.ts'
import { isSnapshot, openSnapshot, sealSnapshot } from './snapshot.ts'

/**
 * Writes the expensive parts of a program to memory that threads can share: its rules before compilation, the automata
 * of its patterns, its dictionaries, and the tables of its prefilters.
 * @param source the source of the program
 */
export function snapshotOf(
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
  packPrefilters(program, pack)
  return sealSnapshot(pack)
}

export interface LoadOptions extends RunOptions {
  /** `isSnapshot` was called for it in this process: it is not checked again. */
  readonly isChecked?: boolean
}

/**
 * Loads the program of a snapshot, as `compile` made it. It keeps using the snapshot, which is never written to.
 * @returns undefined for anything but an undamaged snapshot of this version of the engine: then compile
 */
export function loadProgram(snapshot: ArrayBufferLike, options: LoadOptions = {}): Program | undefined {
  if (options.isChecked !== true && !isSnapshot(snapshot)) return undefined
  const pack = openSnapshot(snapshot)
  if (pack === undefined) return undefined
  const source = unpackSource(pack)
  const problems = new Problems()
  const operators = new OperatorTable(problems, noData, unpackEach(pack))
  const patterns = new Patterns(problems, unpackEach(pack))
  const mark = unpackMarks(pack)
  const prefilters = new PackedPrefilters(pack)
  const parts = { operators, patterns, mark, prefilterSource: () => prefilters }
  const program = buildProgram(source, parts, problems, options)
  return problems.diagnostics.length === 0 ? program : undefined
}

function unpackSource(pack: PackReader): ProgramSource {
  const settings = JSON.parse(pack.text())
  const responseBodyMimeTypes = new Set<string>(JSON.parse(pack.text()))
  const passive = JSON.parse(pack.text())
  return { settings: { ...settings, responseBodyMimeTypes }, passive, drafts: unpackDrafts(pack) }
}

/** Operators have packed the content of their data files. */
function noData(): undefined {
  return undefined
}

type Pack = (pack: PackWriter) => void

/** Blocks by key, for things that have something to pack. */
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

/** A byte for each rule, 1 if it is foldable; then one for each of its links, 1 if it disturbs. */
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

function packPrefilters({ prefiltered, prefilterTables }: CompiledProgram, pack: PackWriter): void {
  pack.number(prefiltered.length)
  for (const { index, literalLists, lengthMin, masks, neededKinds } of prefiltered) {
    pack.number(index)
    pack.number(literalLists)
    pack.number(lengthMin)
    pack.numbers(masks)
    pack.numbers(neededKinds)
  }
  for (const side of sides) packPrefilterTables(prefilterTables(side), pack)
}

const sides = ['request', 'response'] as const

class PackedPrefilters implements PrefilterSource {
  /** By index. */
  readonly #facts = new Map<number, PrefilterFacts>()
  readonly tables: PrefilterSource['tables']

  constructor(pack: PackReader) {
    for (let left = pack.number(); left > 0; left--) {
      const index = pack.number()
      const facts = {
        literalLists: pack.number(),
        lengthMin: pack.number(),
        masks: pack.numbers(),
        neededKinds: pack.numbers(),
      }
      this.#facts.set(index, facts)
    }
    const tables = { request: unpackPrefilterTables(pack), response: unpackPrefilterTables(pack) }
    this.tables = side => tables[side]
  }

  facts: PrefilterSource['facts'] = ({ info }) => this.#facts.get(info.index)!
}
