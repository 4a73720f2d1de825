import type { RecordReader } from '../../bus/port.ts'
import type { Cursors } from '../../store/port/delivery.ts'

/** A source of records for delivery: the record log, or something that reads like one. */
export type RecordSource = Pick<RecordReader, 'partitions' | 'head' | 'at' | 'read'>

/** After the newest record of each partition. */
export async function newestOf(source: RecordSource): Promise<Cursors> {
  return cursorsBy(source, partition => source.head(partition))
}

/** Before the first record of each partition that was received at `ms` since the epoch or later. */
export async function cursorsAt(source: RecordSource, ms: number): Promise<Cursors> {
  return cursorsBy(source, async partition => (await source.at(partition, ms)) - 1)
}

async function cursorsBy(
  source: RecordSource,
  sequenceOf: (partition: string) => Promise<number>,
): Promise<Cursors> {
  const partitions = await source.partitions()
  const sequences = await Promise.all(partitions.map(sequenceOf))
  return new Map(partitions.map((partition, index) => [partition, sequences[index]!]))
}
