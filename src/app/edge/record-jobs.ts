import type { ChangeFeed } from '../../bus/index.ts'
import { jobsOnRecords } from '../../logpush/index.ts'
import type { Store } from '../../store/index.ts'

const retryMs = 1000

/**
 * Watches whether a Logpush job reads the record log.
 * @returns the last answer of the database, which also holds while the database is unreachable
 */
export async function watchRecordJobs(
  store: { readonly jobs: Pick<Store['jobs'], 'listEnabled'> },
  feed: Pick<ChangeFeed, 'subscribe'>,
  onError: (message: string, error: unknown) => void,
): Promise<() => boolean> {
  let waiting = true
  let changed = false
  let reading: Promise<void> | undefined
  const readAll = async () => {
    while (changed) {
      changed = false
      try {
        waiting = (await jobsOnRecords(store)).length > 0
      } catch (error) {
        onError('the Logpush jobs cannot be read; retrying', error)
        changed = true
        await new Promise(resolve => setTimeout(resolve, retryMs).unref())
      }
    }
    reading = undefined
  }
  const read = () => {
    changed = true
    reading ??= readAll()
    return reading
  }
  feed.subscribe(({ kind }) => {
    if (kind === 'logpush' || kind === 'everything') void read()
  })
  await read()
  return () => waiting
}
