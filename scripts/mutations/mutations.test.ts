import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { operators } from '../../src/waf/operators/index.ts'
import { transformations } from '../../src/waf/transformations/index.ts'
import { mutations } from './list.ts'
import { mutated } from './mutation.ts'

/** That the list still fits the engine; `npm run mutations` tells whether the tests notice. */

const root = join(import.meta.dirname, '../..')

describe('the list of mutations', () => {
  it('has each place once in its file, and each name once', () => {
    const texts = new Map<string, string>()
    const read = (file: string): string => {
      if (!texts.has(file)) texts.set(file, readFileSync(join(root, file), 'utf8'))
      return texts.get(file)!
    }
    const stale = mutations.filter(mutation => mutated(read(mutation.file), mutation) === undefined)
    assert.deepEqual(
      stale.map(({ name, file }) => `${name} (${file})`),
      [],
    )
    assert.equal(new Set(mutations.map(({ name }) => name)).size, mutations.length)
  })

  it('names tests that are there', () => {
    const missing = new Set(
      mutations.flatMap(({ tests }) => tests).filter(file => !existsSync(join(root, file))),
    )
    assert.deepEqual([...missing], [])
  })

  it('has each transformation and each operator', () => {
    const names = new Set(mutations.map(({ name }) => name))
    const wanted = [
      ...[...transformations.keys()].map(name => `transformation ${name}: is off`),
      // These never match as it is.
      ...[...operators.keys()].map(name =>
        ['noMatch', 'geoLookup', 'rbl'].includes(name)
          ? `operator ${name}: always matches`
          : `operator ${name}: never matches`,
      ),
    ]
    assert.deepEqual(
      wanted.filter(name => !names.has(name)),
      [],
    )
  })
})

describe('a mutation', () => {
  it('changes the one place that it finds', () => {
    const mutation = { name: '', file: '', find: 'b', replace: '$&', tests: [] }
    assert.equal(mutated('abc', mutation), 'a$&c')
    assert.equal(mutated('ac', mutation), undefined)
    assert.equal(mutated('abcb', mutation), undefined)
  })
})
