import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { miniRelease, writeTree } from '../../src/crs/testing/release.ts'

let written: Promise<string> | undefined

/**
 * Directory of a release in miniature, for tests that are not about the rules of the real one: an installation starts with
 * it in half the CPU time. It is there until the test process ends.
 */
export function miniCrs(): Promise<string> {
  written ??= write()
  return written
}

async function write(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-mini-crs-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return writeTree(directory, miniRelease('4.99.0'))
}
