import type { Random } from '../faults/random.ts'
import type { Cluster } from './cluster.ts'
import { hasClocks, type Machine } from './machine.ts'

/** A fault that is under way. */
export interface Strike {
  readonly what: string
  readonly machine: Machine
  heal(): Promise<void>
}

interface Kind {
  readonly name: string
  /** Machines that it may strike. */
  at(cluster: Cluster): readonly Machine[]
  /** @returns how it ends */
  strike(machine: Machine, random: Random): Promise<() => Promise<void>> | (() => Promise<void>)
}

const sluices = ({ controls, edges, deliveries }: Cluster) => [...controls, ...edges, ...deliveries]
const isQueue = ({ name }: Machine) => name.startsWith('queue')
const everything = ({ all }: Cluster) => all

/** Faults of machines. Each lasts until it is healed. */
export const kinds: readonly Kind[] = [
  {
    name: 'kill',
    // The S3 server of the tests knows its objects only while it runs.
    at: ({ all, store }) => all.filter(machine => machine !== store),
    strike: async machine => {
      await machine.end('SIGKILL')
      return async () => machine.start()
    },
  },
  {
    name: 'restart',
    at: sluices,
    strike: async machine => {
      const code = await machine.end('SIGTERM')
      // The signal itself ends one that still starts.
      if (code !== 0 && code !== 'SIGTERM')
        throw new Error(`${machine.name} ended with ${code} when it was asked to stop`)
      return async () => machine.start()
    },
  },
  {
    name: 'pause',
    at: everything,
    strike: machine => {
      machine.pause()
      return async () => machine.resume()
    },
  },
  {
    name: 'partition',
    at: everything,
    strike: machine => {
      machine.unplug()
      return async () => machine.plug()
    },
  },
  {
    name: 'fill the disk',
    at: cluster => [...sluices(cluster), ...cluster.queues],
    strike: machine => {
      machine.fillDisk()
      return async () => {
        machine.freeDisk()
        if (!isQueue(machine)) return
        // NATS leaves JetStream off, or answers no more, until an operator restarts it.
        await machine.end('SIGTERM')
        machine.start()
      }
    },
  },
  {
    name: 'step the clock',
    at: cluster => (hasClocks ? sluices(cluster) : []),
    strike: (machine, random) => {
      machine.stepClock((random.chance(0.5) ? 1 : -1) * random.int(5, 120))
      return async () => machine.stepClock(0)
    },
  },
]
