/** Something costly that the suites of a process use one after the other. */
export interface Shared<T> {
  /** Opens it for the first suite. */
  borrow(): Promise<T>
  /** It is closed a moment after the last suite has returned it: the next one follows within the moment. */
  giveBack(): void
}

const keptMs = 1000

export function shared<T>(open: () => Promise<T>, close: (thing: T) => Promise<unknown>): Shared<T> {
  let opened: Promise<T> | undefined
  let borrowers = 0
  const closeUnused = async (thing: Promise<T>) => {
    if (borrowers > 0 || opened !== thing) return
    opened = undefined
    await close(await thing)
  }
  const giveBack = () => {
    const thing = opened
    if (--borrowers === 0 && thing !== undefined) setTimeout(() => void closeUnused(thing), keptMs)
  }
  return {
    giveBack,
    async borrow() {
      borrowers++
      opened ??= open()
      try {
        return await opened
      } catch (error) {
        borrowers--
        opened = undefined
        throw error
      }
    },
  }
}
