import { RecordStoreError } from '../port.ts'

export type DuckDB = typeof import('@duckdb/node-api')

let loaded: Promise<DuckDB> | undefined

/**
 * Loads the engine with its native part when a store is first opened, so that a process that opens none takes no memory
 * for it.
 * @throws RecordStoreError `unsupported` on a machine without the native part
 */
export function loadDuckDB(): Promise<DuckDB> {
  loaded ??= import('@duckdb/node-api').catch(cause => {
    loaded = undefined
    throw new RecordStoreError('unsupported', missingPart(), { cause })
  })
  return loaded
}

function missingPart(): string {
  const machine = `${process.platform}-${process.arch}`
  return `analytics need DuckDB, and its package @duckdb/node-bindings-${machine} cannot be loaded: install Sluice with optional dependencies (npm install --include=optional) on Linux with glibc or musl, macOS or Windows, x64 or arm64. Everything else works without them`
}
