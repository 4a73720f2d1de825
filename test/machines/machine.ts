import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Network } from './network.ts'

/** The program of a machine. */
export interface Program {
  readonly command: readonly string[]
  readonly settings?: { readonly [variable: string]: string }
  /** Whether it lives by the machine's own clock. Go programs ask the kernel instead. */
  readonly ownClock?: boolean
}

const fakeTime = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
].find(existsSync)

/** Whether the clock of one machine can be moved: Debian's package libfaketime. */
export const hasClocks = fakeTime !== undefined

/** A machine: a network namespace, a separate disk and one program. Faults strike here. */
export class Machine {
  readonly name: string
  readonly address: string
  /** Its disk, a file system in memory. */
  readonly disk: string
  readonly #network: Network
  readonly #namespace: string
  readonly #ballast: string
  #program: Program | undefined
  #child: ChildProcess | undefined
  #output = ''
  #isPaused = false

  /** @param diskMiB size of its disk */
  constructor(network: Network, name: string, diskMiB: number) {
    this.name = name
    this.#network = network
    ;({ namespace: this.#namespace, address: this.address } = network.add(name))
    this.disk = mkdtempSync(join(tmpdir(), `sluice-machine-${name}-`))
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMiB}m,mode=777`, 'tmpfs', this.disk])
    this.#ballast = join(this.disk, 'ballast')
  }

  /** The last of what the program printed. */
  get output(): string {
    return this.#output
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  start(program: Program | undefined = this.#program): void {
    if (program === undefined) throw new Error(`${this.name} has no program`)
    this.#program = program
    const { command, settings = {}, ownClock = false } = program
    this.#child = spawn('ip', ['netns', 'exec', this.#namespace, ...command], {
      cwd: this.disk,
      env: { ...environment, ...(ownClock ? this.#clock() : {}), ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.on('data', chunk => (this.#output = `${this.#output}${chunk}`.slice(-outputKept)))
  }

  /** @returns the exit code, or the signal that ended it */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | NodeJS.Signals> {
    this.resume()
    if (!this.isRunning) return this.#child?.exitCode ?? 'SIGKILL'
    const exited = once(this.#child!, 'exit')
    this.#child!.kill(signal)
    const timer = setTimeout(() => this.#child!.kill('SIGKILL'), patienceMs)
    const [code, by] = await exited
    clearTimeout(timer)
    return code ?? by
  }

  pause(): void {
    this.#isPaused = this.#child!.kill('SIGSTOP')
  }

  resume(): void {
    if (this.#isPaused) this.#child!.kill('SIGCONT')
    this.#isPaused = false
  }

  unplug(): void {
    this.#network.unplug(this.name)
  }

  plug(): void {
    this.#network.plug(this.name)
  }

  fillDisk(): void {
    const { bavail, bsize } = statfsSync(this.disk)
    // More than there is: it takes what it gets, also while the program writes.
    spawnSync('dd', [
      'if=/dev/zero',
      `of=${this.#ballast}`,
      'bs=1M',
      `count=${bavail * bsize}`,
      'iflag=count_bytes',
    ])
  }

  freeDisk(): void {
    rmSync(this.#ballast, { force: true })
  }

  /** @param seconds ahead of the time; negative: behind */
  stepClock(seconds: number): void {
    writeFileSync(join(this.disk, 'clock'), `${seconds < 0 ? '' : '+'}${seconds}\n`)
  }

  async close(): Promise<void> {
    await this.end('SIGKILL')
    execFileSync('umount', ['-l', this.disk])
    rmSync(this.disk, { recursive: true, force: true })
  }

  /** Only the time of day moves, as when an administrator sets it. */
  #clock(): Record<string, string> {
    if (fakeTime === undefined) return {}
    if (!existsSync(join(this.disk, 'clock'))) this.stepClock(0)
    return {
      LD_PRELOAD: fakeTime,
      FAKETIME_TIMESTAMP_FILE: join(this.disk, 'clock'),
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
  }
}

/** Sluice refuses settings that it does not know. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('SLUICE_TEST_')),
)
const outputKept = 20_000
const patienceMs = 60_000
