import { startClickHouse } from './clickhouse-server.ts'

/**
 * Starts the engine in a separate process, whose working directory has its configuration. Sends the address, and the
 * system tables that statements name when it is asked.
 */
const server = await startClickHouse()
const systemTables = new Set<string>()
server.fail = statement => {
  for (const [name] of statement.matchAll(/\bsystem\.\w+/g)) systemTables.add(name)
  return undefined
}
process.on('message', () => process.send!({ systemTables: [...systemTables] }))
process.once('disconnect', () => {
  server.close()
  process.exit()
})
process.send!({ url: server.url })
