import { RecordStoreError } from '../port.ts'

export type Bindings = typeof import('@duckdb/node-bindings')

/** The package, and the calls of the C interface beneath it. */
export type DuckDB = typeof import('@duckdb/node-api') & { readonly bindings: Bindings }

let loaded: Promise<DuckDB> | undefined

/**
 * Loads the engine with its native part when a store is first opened, so that a process that opens none takes no memory
 * for it.
 * @throws RecordStoreError `unsupported` on a machine without the native part
 */
export function loadDuckDB(): Promise<DuckDB> {
  loaded ??= load().catch(cause => {
    loaded = undefined
    throw new RecordStoreError('unsupported', missingPart(), { cause })
  })
  return loaded
}

async function load(): Promise<DuckDB> {
  const { default: bindings } = await import('@duckdb/node-bindings')
  return { ...(await import('@duckdb/node-api')), bindings }
}

function missingPart(): string {
  const machine = `${process.platform}-${process.arch}`
  return `analytics need DuckDB, and its package @duckdb/node-bindings-${machine} cannot be loaded: install Sluice with optional dependencies (npm install --include=optional) on Linux with glibc or musl, macOS or Windows, x64 or arm64. Everything else works without them`
}
