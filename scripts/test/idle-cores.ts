import { cpus } from 'node:os'

/** @returns a function that tells how many of the machine's cores were idle since its last call, on average */
export function idleCoreCounter(): () => number {
  let before = read()
  return () => {
    const now = read()
    const passed = now.all - before.all
    const idle = passed === 0 ? 0 : ((now.idle - before.idle) / passed) * now.cores
    before = now
    return idle
  }
}

function read() {
  const times = cpus().map(({ times }) => times)
  const idle = times.reduce((sum, time) => sum + time.idle, 0)
  const busy = times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, 0)
  return { cores: times.length, idle, all: idle + busy }
}
