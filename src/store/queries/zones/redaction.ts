import type { Redaction } from '../../../model/resource.ts'
import type { Store } from '../../port.ts'
import type { RedactionRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { requireBasis } from '../basis.ts'
import { announce } from '../changes.ts'
import { zoneRow } from '../write-locks.ts'

export function redactionQueries(transactions: Transactions): Store['redaction'] {
  return {
    get: zoneId => transactions.read(db => stored(db, zoneId)),
    put: (zoneId, redaction, audit, basis) =>
      transactions.write(zoneRow(zoneId), async tx => {
        const document = JSON.stringify(redaction)
        await requireBasis(basis, `the redaction of zone ${zoneId}`, () => stored(tx, zoneId))
        await tx
          .insertInto('redactions')
          .values({ zone_id: zoneId, document })
          .onConflict(on => on.column('zone_id').doUpdateSet({ document }))
          .execute()
        await announce(tx, 'zone', zoneId)
        await writeAudit(tx, audit)
      }),
  }
}

async function stored(db: Tx, zoneId: string): Promise<Redaction | undefined> {
  const row = await db.selectFrom('redactions').selectAll().where('zone_id', '=', zoneId).executeTakeFirst()
  return row && redactionOf(row)
}

export function redactionOf(row: RedactionRow): Redaction {
  return JSON.parse(row.document) as Redaction
}
