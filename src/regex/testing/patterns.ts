import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ByteSet } from '../byte-set.ts'
import type { Node } from '../syntax/ast.ts'

export type Random = (below: number) => number

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return below => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** The folder of a Core Rule Set's rules; it may be absent. */
export function crsRules(version: string): string {
  return join(import.meta.dirname, '../../../../shared/crs', version, 'rules')
}

/** The distinct parameters of `@rx` in rules, without comments. */
export function patternsIn(folder: string): string[] {
  const patterns = new Set<string>()
  for (const name of readdirSync(folder).filter(file => file.endsWith('.conf'))) {
    const text = readFileSync(join(folder, name), 'latin1').replace(/^\s*#.*$/gm, '')
    for (const [, pattern] of text.matchAll(/"!?@rx ((?:[^"\\]|\\.)*)"/gs))
      patterns.add(pattern!.replaceAll('\\"', '"'))
  }
  return [...patterns]
}

/** A text that a node matches, ignoring assertions, look-around and back-references. */
export function sampleOf(node: Node, random: Random): string {
  switch (node.kind) {
    case 'set':
      return byteOf(node.set, random)
    case 'concat':
      return node.items.map(item => sampleOf(item, random)).join('')
    case 'alternatives':
      return sampleOf(node.items[random(node.items.length)]!, random)
    case 'repeat': {
      const more = Math.min(node.max - node.min, random(3) === 0 ? 3 : 1)
      const turns = node.min + random(more + 1)
      return Array.from({ length: turns }, () => sampleOf(node.item, random)).join('')
    }
    case 'group':
    case 'atomic':
      return sampleOf(node.item, random)
    case 'look':
      return node.negative || node.branches[0]!.back > 0 ? '' : sampleOf(node.branches[0]!.item, random)
    case 'next':
      return node.negative ? '' : byteOf(node.set, random)
    default:
      return ''
  }
}

function byteOf(set: ByteSet, random: Random): string {
  const bytes = [...set.members.entries()].filter(([, member]) => member === 1)
  const printable = bytes.filter(([byte]) => byte > 0x20 && byte < 0x7f)
  const choices = printable.length > 0 && random(4) > 0 ? printable : bytes
  return choices.length === 0 ? '' : String.fromCharCode(choices[random(choices.length)]![0])
}
