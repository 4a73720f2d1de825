import { openLocalRecordLog } from '../../src/bus/index.ts'
import { rateOf, rateTable } from '../support/rate.ts'
import { inFolder } from './delivering.ts'
import { capture, endedExchange, planOf } from './exchange.ts'

/** The cost of a request's record: build it without secrets, write it as JSON, give it to the spool. */
const plain = Array.from({ length: 500 }, () => endedExchange(planOf()))
const customFields = planOf(undefined, {
  request: ['user-agent', 'accept-language', 'referer'],
  response: [{ name: 'content-type', preserveDuplicates: false }],
  cookies: ['theme'],
})
const custom = Array.from({ length: 500 }, () => endedExchange(customFields))

await inFolder(async folder => {
  const onFault = () => {}
  const log = openLocalRecordLog(folder, onFault, {
    sync: 'interval',
    bytes: 256 * 1024 * 1024,
    full: 'drop-oldest',
    ageMs: 3_600_000,
  })
  const writer = await log.writer('bench')
  const nowhere = { append() {} }
  const into = (target: { append(record: string): void }, exchanges: typeof plain) => async () => {
    for (const exchange of exchanges) capture(target, exchange)
    if (target === writer) await writer.flush()
    return exchanges.length
  }
  console.log(
    rateTable('capture', [
      ['record as JSON', await rateOf(into(nowhere, plain))],
      ['the same, with 5 custom fields', await rateOf(into(nowhere, custom))],
      ['record into the spool', await rateOf(into(writer, plain))],
    ]),
  )
  await log.close()
})
